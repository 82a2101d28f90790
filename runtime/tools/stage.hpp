// SPDX-License-Identifier: Apache-2.0
// The common part of commands that simulate: the machine, and how a job runs on it. Each option is declared
// here once for all of them.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/options/option_walk.hpp"
#include "runtime/options/setters.hpp"
#include "skein/lb/pe_speeds.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::tools {

/// Returns what the user is to do about a run without sync points.
std::string how_to_have_points(const trace::Header& header);

/// The text about LB steps with StepRecord::behind, after "at so many of these steps elements had not come:
/// they".
inline constexpr const char* kEarlyStepsAre =
    "waited for messages of others that had stopped, and in the recorded run went on. So there are more "
    "steps than in a run: record with a strategy and --lb-period 1";

/// The simulated job and machine, except what a tuning explores.
struct Stage {
  std::string platform;     ///< a file or a name; empty: not given
  std::string recorded_on;  ///< a file or a name; empty: recorded on the simulated platform
  std::uint64_t memory_bytes = 0;
  std::uint64_t points = 0;  ///< the run ends at this sync point; 0: as far as it goes
  lb::PeSpeeds pe_speeds{lb::PeSpeeds::From::measured};
  simulate::Policy policy;  ///< without its speeds
};

/// Returns the policy with the requested speeds; a file of them may name `pes` PEs. Throws.
simulate::Policy policy_of(const Stage& stage, std::size_t pes);

/// A recorded run as it is played.
struct PlayedRun {
  trace::Trace trace;
  std::uint64_t points = 0;       ///< sync points that all objects pass
  std::uint64_t told_points = 0;  ///< `points`, and the one at which a part of a run ends
  std::string remark;             ///< what is left out or in, and why; how it was disturbed; empty: nothing
};

/// Reads the trace, and selects the requested part that is whole: of a run that did not come to its end, what
/// all objects have recorded. Subtracts from its bursts what PEs of `recorded_on` take from each other; null:
/// this is not simulated. Throws if nothing is whole.
PlayedRun read_run(const std::string& file, const Stage& stage,
                   const simulate::Platform* recorded_on = nullptr);

/// Returns a text that says whose nodes are used if there are more PEs than the platform has. Empty: it has
/// enough.
std::string added_pes(const simulate::Platform& platform, std::uint32_t pes);

/// Returns the named platform, with the limit of memory. Throws; if none was named, the message lists the
/// platforms.
simulate::Platform platform_of(const Stage& stage);
/// Returns the platform that recorded: if none is named, the simulated one, as its file describes it.
simulate::Platform recorded_on(const Stage& stage, const simulate::Platform& simulated);

void set_load_model(Stage& stage, std::string_view text);
void set_pe_speed(Stage& stage, std::string_view text);
void set_placement(Stage& stage, std::string_view text);

/// Parses a number of sync points; returns 0 for "auto".
std::uint64_t parse_period(std::string_view text);

inline constexpr std::uint64_t kMostSimulatedPes = 1'000'000;

/// The stage options of commands whose options are a Target derived from Stage.
template <class Target>
struct StageOptions {
  using Option = options::OptionOf<Target>;
  using View = std::string_view;

  static constexpr Option platform{{"The machine", 0, "--platform", "", "FILE|NAME", "",
                                    "Names the machine to simulate: a file that `skein calibrate` wrote, or "
                                    "the name of a platform that comes with Skein."},
                                   options::set_text<&Target::platform>};
  static constexpr Option recorded_on{
      {"The machine", 0, "--recorded-on", "", "FILE|NAME", "",
       "Names the platform of the recording machine. Its `contention` has lengthened the recorded bursts and "
       "is taken out of them. Default: that of --platform."},
      options::set_text<&Target::recorded_on>};
  static constexpr Option engine{
      {"The machine", 0, "--engine", "", "fast|simgrid", "fast",
       "Chooses the model by which messages delay each other. fast: nodes send and receive one message after "
       "the other, and links divide time into windows. simgrid: messages are flows that share links, "
       "computed by SimGrid if it is installed; slower."},
      [](const Option& option, Target& o, View text) {
        o.policy.engine = static_cast<simulate::NetworkEngine>(options::parse_choice(text, option.value));
      }};
  static constexpr Option memory{{"The machine", 0, "--lb-memory", "", "BYTES", "",
                                  "Limits the memory that all ranks of a PE use together, as in skein run. "
                                  "Default: the limit of the platform."},
                                 [](const Option&, Target& o, View text) {
                                   o.memory_bytes = options::parse_size(text, 1, std::size_t{1} << 60);
                                 }};
  static constexpr Option load_model{{"Load balancing", 0, "--lb-model", "", "NAME[:KEY=VALUE,...]", "last",
                                      "Chooses the prediction of a rank's next load, as in skein run."},
                                     options::set_value<set_load_model>};
  static constexpr Option pe_speed{
      {"Load balancing", 0, "--pe-speed", "", "uniform|measured|FILE", "measured",
       "Sets the PE speeds that strategies use, as in skein run. measured: those of the platform at the "
       "start, less the share of other processes (speeds, changes, background). FILE: a text with a PE and "
       "its speed on each line."},
      options::set_value<set_pe_speed>};
  static constexpr Option placement{
      {"The job", 0, "--map", "", "block|round-robin|recorded", "block",
       "Sets the PE on which each rank starts. recorded: as in the recorded run, with the same number of "
       "PEs. block: as in skein run; for a native program as recorded, and on another number of PEs the "
       "objects of one PE stay together."},
      options::set_value<set_placement>};
  static constexpr Option wildcards{{"The job", 0, "--wildcards", "", "recorded|arrival", "recorded",
                                     "Chooses the message that a nonblocking receive from any source gets. "
                                     "recorded: the same as in the recorded run. arrival: the first to "
                                     "arrive. A blocking receive always gets the same message as in the "
                                     "recorded run, since a trace does not show that any source would do."},
                                    [](const Option& option, Target& o, View text) {
                                      o.policy.wildcards_as_recorded =
                                          options::parse_choice(text, option.value) == 0;
                                    }};
  static constexpr Option points{
      {"The job", 0, "--points", "", "K", "", "Plays the run only up to its K-th sync point."},
      options::set_count<&Target::points, 1, UINT64_MAX>};
  static constexpr Option seed{
      {"The job", 0, "--seed", "", "S", "1",
       "Sets the seed of all random numbers: of strategies and of the platform's noise."},
      [](const Option&, Target& o, View text) { o.policy.seed = options::parse_count(text, 0, UINT64_MAX); }};
};

}  // namespace skein::tools
