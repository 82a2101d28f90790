// SPDX-License-Identifier: Apache-2.0
// The user's configuration of LB steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "skein/lb/load_model.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/pe_speeds.hpp"
#include "skein/lb/schedule.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::balance {

/// Tells if the process ends with the job. That of a native program continues: it returns from skein::run().
enum class AfterJob : bool { process_ends, process_goes_on };

struct StepConfig {
  std::optional<lb::Selection> strategy;     ///< the one that decides
  std::optional<lb::AutoOptions> automatic;  ///< in place of `strategy`: the model chooses one at each step
  lb::Period period;    ///< which sync points are steps; automatic: skein/lb/period.hpp says
  bool agrees = false;  ///< all agree on the next step when it is due (agreed_steps.hpp)
  /// If set, all agree on steps with this period from where the objects come to sync points that are not
  /// their own.
  std::optional<lb::Period> agrees_later;
  std::uint64_t seed = 0;
  lb::LoadModel load_model;  ///< what the strategy sees as loads
  lb::Mode mode;             ///< who decides, and who waits for it
  bool learns_mode = false;  ///< the job begins inline, and learns from its steps whether to be lazy
  std::string dump_file;     ///< empty: no dump; else PE 0 writes the snapshot of each step there
  lb::PeSpeeds pe_speeds;
  std::uint64_t memory_bytes = 0;  ///< limit for the objects of a PE together; 0: no limit
  std::string report_file;         ///< empty: no report; else PE 0 writes a JSON object for each step there
  bool records = false;            ///< there is a trace
  std::string command;             ///< what the user typed, for the report
  std::string program;             ///< the program in it, with its arguments
  const char* cannot_move = nullptr;  ///< why no object can move in this job, or null

  bool balances() const { return strategy || automatic; }  ///< if false, steps only measure
  bool has_steps() const { return balances() || !dump_file.empty() || !report_file.empty(); }
  /// Returns true if messages are to be logged: for the dump, a strategy that looks at the graph, or the
  /// model of --lb auto, which weighs what they cost.
  bool wants_graph() const {
    const bool decides_by_it = automatic || (strategy && strategy->uses_graph());
    return !dump_file.empty() || (decides_by_it && !cannot_move);
  }
};

}  // namespace skein::balance
