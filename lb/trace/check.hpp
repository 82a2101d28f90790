// SPDX-License-Identifier: Apache-2.0
// The findings of a check. Each check has its own, and keeps the first of them.
#pragma once
#include <string>

#include "skein/lb/trace_check.hpp"

namespace skein::trace {

class Findings {
 public:
  Findings(CheckResult& result, std::size_t most) : result_(result), most_(most) {}

  void error(ObjectIndex object, std::uint64_t event, const std::string& what) {
    add(Finding::Weight::error, object, event, what);
  }
  void note(ObjectIndex object, std::uint64_t event, const std::string& what) {
    add(Finding::Weight::note, object, event, what);
  }
  /// Returns true if the next finding is listed; if not, its place need not be found.
  bool lists() const { return listed_ < most_; }

 private:
  void add(Finding::Weight weight, ObjectIndex object, std::uint64_t event, const std::string& what) {
    ++(weight == Finding::Weight::error ? result_.errors : result_.notes);
    if (listed_++ >= most_) return;
    result_.findings.push_back(
        {weight, object, event,
         "object " + std::to_string(object) + ", event " + std::to_string(event) + ": " + what});
  }

  CheckResult& result_;
  std::size_t most_, listed_ = 0;
};

/// The checks, a file each. Each reads the trace by itself: it is in memory and takes some ns an event.
void check_streams(const Trace& trace, Findings findings);      // ends, requests, regions
void check_messages(const Trace& trace, Findings findings);     // sends and receives
void check_collectives(const Trace& trace, Findings findings);  // and sync points
void check_executions(const Trace& trace, Findings findings);   // of native programs

}  // namespace skein::trace
