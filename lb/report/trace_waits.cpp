// SPDX-License-Identifier: Apache-2.0
#include "trace_waits.hpp"

#include <algorithm>

#include "lb/trace/formats/naming.hpp"

namespace skein::report {
namespace {

using trace::EventKind;

constexpr std::size_t kMostWaits = 300'000;
constexpr std::size_t kMostTexts = 50'000;  // further texts name only the call
constexpr std::size_t kMostNamedRequests = 3;

}  // namespace

TraceWaits::TraceWaits(const trace::Trace& trace) : trace_(trace), spans_(kMostWaits, 0, false) {}

void TraceWaits::add(ObjectIndex object, const trace::Event& event, std::uint64_t begin_ns,
                     std::uint64_t end_ns) {
  if (end_ns > begin_ns) spans_.add({object, number_of(text_of(event)), begin_ns, end_ns});
  if (event.starts_request) started_.push_back({event.kind, event.partner, event.bytes});
  if (event.kind == EventKind::matched && event.list.size() == 1 && event.list[0] < started_.size()) {
    StartedRequest& request = started_[started_.size() - 1 - event.list[0]];
    request.partner = event.partner;
    request.bytes = event.bytes;
  }
}

std::string TraceWaits::with_partner(EventKind kind, std::int32_t partner, std::uint64_t bytes) const {
  std::string text;
  if (partner >= 0 && kind != EventKind::collective)
    text.append(kind == EventKind::send ? " to " : " from ")
        .append(trace::called(trace_, static_cast<trace::ObjectIndex>(partner)));
  if (bytes > 0) text.append(text.empty() ? " of " : ", ").append(std::to_string(bytes)).append(" B");
  return text;
}

std::string TraceWaits::text_of(const trace::Event& event) const {
  std::string text = trace::called(trace_, event);
  if (event.kind != EventKind::wait)
    return event.kind == EventKind::sync ? text
                                         : text.append(with_partner(event.kind, event.partner, event.bytes));
  for (std::size_t i = 0; i < std::min(event.list.size(), kMostNamedRequests); ++i)
    if (const StartedRequest* const request = started(event.list[i]))
      text.append(i ? ";" : "").append(with_partner(request->kind, request->partner, request->bytes));
  if (event.list.size() > kMostNamedRequests)
    text.append("; and ").append(std::to_string(event.list.size() - kMostNamedRequests)).append(" more");
  return text;
}

std::uint32_t TraceWaits::number_of(std::string text) {
  if (texts_.size() >= kMostTexts && !numbers_.contains(text))
    text.erase(std::min(text.size(), text.find(' ')));
  const auto [found, is_new] =
      numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(found->first);
  return found->second;
}

void TraceWaits::finish(Run& run) {
  spans_.finish();
  run.waits = spans_.take_spans();
  run.wait_names = std::move(texts_);
}

}  // namespace skein::report
