// SPDX-License-Identifier: Apache-2.0
// The waits of a trace's objects: the call, its partner and its bytes.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "skein/lb/report.hpp"
#include "skein/lb/trace.hpp"
#include "spans.hpp"

namespace skein::report {

class TraceWaits {
 public:
  explicit TraceWaits(const trace::Trace& trace);

  /// Adds events of one object in turn, with the times of their calls; then its end.
  void add(ObjectIndex object, const trace::Event& event, std::uint64_t begin_ns, std::uint64_t end_ns);
  void end_object() { started_.clear(); }
  void finish(Run& run);

 private:
  /// A request, described for the call that waits for it.
  struct StartedRequest {
    trace::EventKind kind = trace::EventKind::wait;
    std::int32_t partner = trace::kAny;
    std::uint64_t bytes = 0;
  };
  std::string text_of(const trace::Event& event) const;
  std::string with_partner(trace::EventKind kind, std::int32_t partner, std::uint64_t bytes) const;
  /// Returns the request after which `ago` others were started; null if it is older than the recording.
  const StartedRequest* started(std::uint64_t ago) const {
    return ago < started_.size() ? &started_[started_.size() - 1 - ago] : nullptr;
  }
  std::uint32_t number_of(std::string text);

  const trace::Trace& trace_;
  Spans spans_;
  std::vector<StartedRequest> started_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace skein::report
