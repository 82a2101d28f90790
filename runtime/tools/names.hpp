// SPDX-License-Identifier: Apache-2.0
// The names of the tools. `skein` lists them and becomes the program that contains them (main.cpp), so that
// the PEs of a job do not load the simulator.
#pragma once

#include "runtime/options/tool.hpp"

namespace skein::tools::names {

inline constexpr options::ToolName kLb{
    "lb", "compare|metrics|apply|convert|generate ...",
    "Tries strategies on files that skein run --lb-dump wrote; skein lb --help says more."};
inline constexpr options::ToolName kTrace{
    "trace", "info|check|least|coarsen|export|import ...",
    "Works on traces that skein run --trace recorded; skein trace --help says more."};
inline constexpr options::ToolName kSimulate{
    "simulate", "TRACE --platform FILE|NAME [options]",
    "Predicts the time of a recorded run on another machine or with other balancing."};
inline constexpr options::ToolName kTune{
    "tune", "TRACE... --platform FILE|NAME [options]",
    "Finds the strategy, period and number of PEs with which a recorded job runs fastest on a machine."};
inline constexpr options::ToolName kReport{"report", "FILE... [-o FILE]",
                                           "Draws runs, traces, simulations and tunings as an HTML page."};
inline constexpr options::ToolName kCalibrate{"calibrate", "-o FILE [options]",
                                              "Measures this machine as a platform for simulations."};

inline constexpr options::ToolName kCheckpoint{
    "checkpoint", "info|check|now FOLDER",
    "Examines the states of skein run --checkpoint; skein checkpoint --help says more."};

/// All tools, in the order of the documentation.
inline constexpr options::ToolName kAll[] = {kLb, kTrace, kSimulate, kTune, kReport, kCalibrate, kCheckpoint};

}  // namespace skein::tools::names
