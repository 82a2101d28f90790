// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/named_parts.hpp"

#include <algorithm>

namespace skein::trace {

std::optional<NamedParts::RegionBorder> NamedParts::enter(std::uint64_t name) {
  if (name >= of_object_.size()) return {};
  Sums& sums = of_object_[name];
  if (sums.times++ == 0) seen_.push_back(name);
  if (sums.inside++ > 0) return {};
  open_.push_back(name);
  return RegionBorder{name, true};
}

std::optional<NamedParts::RegionBorder> NamedParts::leave(std::uint64_t name) {
  if (name >= of_object_.size()) return {};
  Sums& sums = of_object_[name];
  if (sums.inside == 0 || --sums.inside > 0) return {};
  std::erase(open_, name);
  return RegionBorder{name, false};
}

std::optional<NamedParts::RegionBorder> NamedParts::add(const Event& event) {
  for (const std::uint64_t name : open_) {
    of_object_[name].compute_ns += event.burst_ns;
    of_object_[name].call_ns += event.call_ns;
  }
  switch (event.kind) {
    case EventKind::region_begin:
      return enter(event.list[0]);
    case EventKind::region_end:
      return leave(event.list[0]);
    case EventKind::execute:
      return enter(static_cast<std::uint64_t>(event.tag));
    case EventKind::finish:
      return open_.empty() ? std::nullopt : leave(open_.back());
    default:
      return {};
  }
}

void NamedParts::end_object(ObjectIndex object) {
  for (const std::uint64_t name : seen_) {
    Sums& sums = of_object_[name];
    NamedPart& part = parts_[name];
    if (part.objects++ == 0 || sums.compute_ns > part.most_ns) {
      part.most_ns = sums.compute_ns;
      part.most_of = object;
    }
    part.times += sums.times;
    part.compute_ns += sums.compute_ns;
    part.call_ns += sums.call_ns;
    sums = {};
  }
  seen_.clear();
  open_.clear();
}

std::vector<NamedPart> NamedParts::take(const Trace& trace) const {
  std::vector<NamedPart> occurring;
  for (std::size_t name = 0; name < parts_.size(); ++name) {
    if (parts_[name].times == 0) continue;
    occurring.push_back(parts_[name]);
    occurring.back().name = trace.names()[name];
  }
  std::ranges::stable_sort(occurring, std::ranges::greater{}, &NamedPart::compute_ns);
  return occurring;
}

}  // namespace skein::trace
