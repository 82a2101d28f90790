// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/wildcards.hpp"

#include "lb/trace/cancel.hpp"

namespace skein::simulate {

std::optional<Wildcards::Source> Wildcards::source_of(std::uint32_t request) {
  for (;;) {
    if (const auto found = found_.find(request); found != found_.end()) {
      const Source source = found->second;
      found_.erase(found);
      return source;
    }
    const trace::Event* const event = at_end_ ? nullptr : ahead_.next();
    if (!event) {
      at_end_ = true;
      return std::nullopt;
    }
    if (event->starts_request) ++started_;
    if (event->kind != trace::EventKind::matched || event->list.empty() || trace::is_cancel(*event)) continue;
    const auto which = started_ - 1 - static_cast<std::uint32_t>(event->list[0]);
    found_.emplace(which, Source{event->partner, event->tag});
  }
}

}  // namespace skein::simulate
