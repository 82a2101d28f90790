// SPDX-License-Identifier: Apache-2.0
// What the objects of a trace wait in: which call, for whom, for how many bytes.
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

  /// The events of one object in turn; its call took from `begin_ns` to `end_ns`.
  void add(ObjectIndex object, const trace::Event& event, std::uint64_t begin_ns, std::uint64_t end_ns);
  void end_object() { started_.clear(); }
  void finish(Run& run);

 private:
  /// A request, as it is named where it is waited for.
  struct StartedRequest {
    trace::EventKind kind = trace::EventKind::wait;
    std::int32_t partner = trace::kAny;
    std::uint64_t bytes = 0;
  };
  std::string text_of(const trace::Event& event) const;
  std::string with_partner(trace::EventKind kind, std::int32_t partner, std::uint64_t bytes) const;
  /// The request that so many others were started after; null: before the recording began.
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
