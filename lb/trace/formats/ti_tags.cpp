// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/ti_tags.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_map>

namespace skein::trace {
namespace {

/// Finds the channels whose requests are waited for in another order than they were started.
std::vector<bool> find_unordered(const Trace& trace, const Messages& messages) {
  std::vector<bool> unordered(messages.channels().size());
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    std::unordered_map<std::uint64_t, std::uint32_t> channel_of;           // by request
    std::unordered_map<std::uint32_t, std::deque<std::uint64_t>> pending;  // requests by channel
    MpiStream events = messages.stream(object);
    while (const MpiStream::Step* const step = events.next()) {
      if (step->event->starts_request && step->channel) {
        const std::uint32_t channel = messages.index(*step->channel);
        channel_of[step->request] = channel;
        pending[channel].push_back(step->request);
      }
      std::vector<std::uint64_t> requests = step->requests;
      std::ranges::sort(requests);
      for (const std::uint64_t request : requests) {
        const auto found = channel_of.find(request);
        if (found == channel_of.end()) continue;
        std::deque<std::uint64_t>& queue = pending[found->second];
        if (queue.front() != request) unordered[found->second] = true;
        std::erase(queue, request);
        channel_of.erase(found);
      }
    }
  }
  return unordered;
}

}  // namespace

TiTags::TiTags(const Trace& trace, const Messages& messages, const Collectives& collectives) {
  const std::vector<bool> unordered = find_unordered(trace, messages);
  for (const Messages::Count& count : messages.channels())
    if (count.channel.communicator == 0) used_.insert(count.channel.tag);

  std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t> others;  // by communicator and tag
  tags_.resize(messages.channels().size());
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const auto& [channel, sends, receives] = messages.channels()[i];
    if (unordered[i]) {
      tags_[i] = {take(std::max(sends, receives)), true};
    } else if (channel.communicator == 0) {
      tags_[i].first = channel.tag;
    } else {
      const auto [found, is_new] = others.try_emplace({channel.communicator, channel.tag});
      if (is_new) found->second = take(1);
      tags_[i].first = found->second;
    }
  }
  for (const Communicator& communicator : trace.communicators())
    if (const std::uint64_t count = collectives.count(communicator.id))
      first_of_collectives_[communicator.id] = take(count);
}

std::int32_t TiTags::take(std::uint64_t count) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  while (true) {
    if (count > static_cast<std::uint64_t>(most) || next_ > most - static_cast<std::int64_t>(count))
      throw TraceError(
          "the trace has more tags and collectives than TI has tags: 2^31. Record fewer steps (--trace "
          "FILE:last=SECONDS)");
    const auto taken = used_.lower_bound(static_cast<std::int32_t>(next_));
    if (taken == used_.end() || *taken >= next_ + static_cast<std::int64_t>(count)) break;
    next_ = *taken + std::int64_t{1};
  }
  const auto first = static_cast<std::int32_t>(next_);
  next_ += static_cast<std::int64_t>(count);
  return first;
}

}  // namespace skein::trace
