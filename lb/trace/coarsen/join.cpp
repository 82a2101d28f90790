// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/coarsen/join.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skein::trace::coarse {
namespace {

auto key_of(const Crossing& crossing) {
  return std::tuple(crossing.from, crossing.to, crossing.sent, crossing.completed);
}
auto key_of(const Call& call) { return std::tuple(call.level, call.communicator, call.kind, call.root); }

Joined joined_of(std::span<const Crossing> same, std::vector<SentWork>& sent_work) {
  Joined joined{same.front(), 0};
  Crossing& all = joined.all;
  for (const Crossing& one : same.subspan(1)) {
    all.posted = std::min(all.posted, one.posted);
    all.waited = std::max(all.waited, one.waited);
    all.order = std::min(all.order, one.order);
    all.bytes += one.bytes;
    if (one.first_work == kNone) continue;
    (all.first_work == kNone ? all.first_work : sent_work[all.last_work].next) = one.first_work;
    all.last_work = one.last_work;
  }
  // A long message may wait for its receive to start; and the sender must have started, too.
  all.waited = std::max(all.waited, all.sent + 1);
  if (all.posted != kNever) all.waited = std::max(all.waited, all.posted + 1);
  return joined;
}

/// Gives each message the first tag with which receives of a tag start in the order of its sends.
void number_tags(std::span<Joined> pair) {
  std::vector<Joined*> sends;
  for (Joined& one : pair) sends.push_back(&one);
  std::stable_sort(sends.begin(), sends.end(), [](const Joined* a, const Joined* b) {
    return std::tuple(a->all.sent, a->all.order) < std::tuple(b->all.sent, b->all.order);
  });
  std::vector<std::pair<Level, const Joined*>> last;  // started, by tag
  for (Joined* const one : sends) {
    const std::pair<Level, const Joined*> start(one->all.posted, one);
    std::size_t tag = 0;
    while (tag < last.size() && start < last[tag]) ++tag;
    if (tag == last.size()) last.push_back(start);
    last[tag] = start;
    one->tag = static_cast<std::int32_t>(tag);
  }
}

}  // namespace

std::vector<Joined> join_messages(Parts& parts) {
  std::vector<Crossing> crossings = std::exchange(parts.crossings, {});
  std::stable_sort(crossings.begin(), crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return key_of(a) < key_of(b); });
  std::vector<Joined> messages;
  std::size_t pair = 0;  // the first message of this sender and receiver
  for (std::size_t k = 0; k < crossings.size();) {
    std::size_t end = k;
    while (end < crossings.size() && key_of(crossings[end]) == key_of(crossings[k])) ++end;
    messages.push_back(joined_of(std::span(crossings).subspan(k, end - k), parts.sent_work));
    const bool pair_ends = end == crossings.size() || crossings[end].from != crossings[k].from ||
                           crossings[end].to != crossings[k].to;
    if (pair_ends) {
      number_tags(std::span(messages).subspan(pair));
      pair = messages.size();
    }
    k = end;
  }
  return messages;
}

std::vector<Call> join_calls(std::vector<Call> calls) {
  std::stable_sort(calls.begin(), calls.end(),
                   [](const Call& a, const Call& b) { return key_of(a) < key_of(b); });
  std::vector<Call> joined;
  for (Call& call : calls) {
    if (joined.empty() || key_of(joined.back()) != key_of(call)) {
      joined.push_back(std::move(call));
      continue;
    }
    Call& all = joined.back();
    for (std::size_t k = 0; k < all.bytes.size(); ++k) {
      all.bytes[k] += call.bytes[k];
      if (all.lists[k].empty())
        all.lists[k] = call.lists[k];
      else
        for (std::size_t m = 0; m < call.lists[k].size(); ++m) all.lists[k][m] += call.lists[k][m];
    }
  }
  return joined;
}

}  // namespace skein::trace::coarse
