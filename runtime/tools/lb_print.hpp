// SPDX-License-Identifier: Apache-2.0
// Prints the results of `skein lb` on standard output: tables to read, or one JSON object a phase and line.
#pragma once

#include <span>

#include "runtime/tools/lb_command.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::tools {

void print_comparison(const lb::LoadPhase& phase, const lb::Merit& before,
                      std::span<const lb::ComparisonRow> rows, const LbOptions& options);
/// Prints the metrics of a phase. `diffusion`: options of the strategy whose steps count convergence.
void print_metrics(const lb::LoadPhase& phase, const lb::Options& diffusion, const LbOptions& options);
/// Prints means over all LB steps of a run, whose phases these are.
void print_run(std::span<const lb::LoadPhase> phases, const LbOptions& options);
void print_application(const lb::LoadPhase& phase, const lb::Assignment& assignment);

}  // namespace skein::tools
