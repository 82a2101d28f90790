// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/match.hpp"

#include <memory>
#include <new>

namespace skein::vmpi {
namespace {

constexpr unsigned kFirstBits = 3;
/// The number of messages that a wildcard may look at before all are listed for wildcards.
constexpr int kMostLookedAt = 16;

}  // namespace

Request* MatchQueues::match_wildcard(const Pattern& key, Request* exact) {
  Request* first = exact;
  for (const Wild wild : {Wild::tag, Wild::source, Wild::both}) {
    if (posted_wild_[static_cast<std::size_t>(wild)] == 0) continue;
    Request* const found = posted_.find(pattern_of(key, wild));
    if (found && (!first || found->listed.order < first->listed.order)) first = found;
  }
  if (first) take_out(*first);
  return first;
}

void MatchQueues::take_out(Request& receive) {
  posted_.remove(receive);
  if (const Wild wild = wild_form(receive.pattern); wild != Wild::none) {
    --posted_wild_[static_cast<std::size_t>(wild)];
    --wildcards_;
  }
}

bool MatchQueues::withdraw(Request& receive) {
  if (posted_.count == 0) return false;
  Request* node = posted_.lone;
  if (!node) node = posted_.of(receive.pattern).head;
  while (node && node != &receive) node = posted_.lone ? nullptr : node->listed.next;
  if (node) take_out(receive);
  return node != nullptr;
}

Unexpected* MatchQueues::find_by_wildcard(const Pattern& pattern) {
  if (!listed_for_wildcards_) {
    Unexpected* node = arrived_.head;
    for (int looked_at = 0; looked_at < kMostLookedAt; ++looked_at) {
      if (!node || matches(pattern, node->envelope)) return node;
      node = node->in_order.next;
    }
    listed_for_wildcards_ = true;
    for (node = arrived_.head; node; node = node->in_order.next) list_for_wildcards(*node);
  }
  switch (wild_form(pattern)) {
    case Wild::tag:
      return from_source_.find(pattern);
    case Wild::source:
      return with_tag_.find(pattern);
    default:
      return of_context_.find(pattern);
  }
}

void MatchQueues::list_for_wildcards(Unexpected& message) {
  from_source_.append(message, *memory_);
  with_tag_.append(message, *memory_);
  of_context_.append(message, *memory_);
}

Unexpected* MatchQueues::find_sent(const Envelope& sent) const {
  if (unexpected_.count == 0) return nullptr;
  const auto is_it = [&](const Unexpected& message) {
    const Envelope& envelope = message.envelope;
    return envelope.send == sent.send && envelope.sender == sent.sender && envelope.context == sent.context &&
           envelope.source == sent.source && envelope.tag == sent.tag;
  };
  if (Unexpected* const lone = unexpected_.lone) return is_it(*lone) ? lone : nullptr;
  for (Unexpected* node = unexpected_.of(key_of(sent)).tail; node;
       node = node->in_bucket[static_cast<std::size_t>(Wild::none)].previous)
    if (is_it(*node)) return node;
  return nullptr;
}

void MatchQueues::put_in_place(Unexpected& message) {
  const auto order = [](const Unexpected& each) { return each.order; };
  unexpected_.append(message, *memory_);  // the only one of its key
  arrived_.insert(message, order);
  if (!listed_for_wildcards_) return;
  from_source_.insert(message, order, *memory_);
  with_tag_.insert(message, order, *memory_);
  of_context_.insert(message, order, *memory_);
}

Unexpected* MatchQueues::add_unexpected(Envelope envelope) {
  void* const memory = memory_->allocate(sizeof(Unexpected) + envelope.bytes, 16);
  auto* const message = new (memory) Unexpected(envelope);
  message->payload = reinterpret_cast<std::byte*>(message + 1);
  charge(*message);
  append(*message);
  return message;
}

void MatchQueues::remove_unexpected(Unexpected* message) {
  unexpected_.remove(*message);
  arrived_.remove(*message);
  if (!listed_for_wildcards_) return;
  from_source_.remove(*message);
  with_tag_.remove(*message);
  of_context_.remove(*message);
  listed_for_wildcards_ = unexpected_.count > 0;
}

void MatchQueues::add_payload(Unexpected& message) {
  message.payload = static_cast<std::byte*>(memory_->allocate(message.envelope.bytes, 16));
  message.envelope.carries_data = true;
}

void MatchQueues::free_unexpected(Unexpected* message) {
  kept_bytes_ -= message->charged;
  if (message->payload == reinterpret_cast<std::byte*>(message + 1)) {
    memory_->deallocate(message, 0, 16);
    return;
  }
  if (message->payload) memory_->deallocate(message->payload, message->envelope.bytes, 16);
  message->in_order.next = unused_;
  unused_ = message;
}

/// Doubles the lists. The order within lists survives: old lists are appended to disjoint new ones.
template <class Access>
void MatchQueues::Buckets<Access>::grow(std::pmr::memory_resource& memory) {
  using Lists = List<Access>;
  const Buckets old = *this;
  bits = lists ? bits + 1 : kFirstBits;
  lists = static_cast<Lists*>(memory.allocate((std::size_t{1} << bits) * sizeof(Lists), alignof(Lists)));
  std::uninitialized_value_construct_n(lists, size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    for (Node* node = old.lists[i].head; node;) {
      Node* const next = Access::links(*node).next;
      of(Access::key(*node)).append(*node);
      node = next;
    }
  }
  if (old.lists) memory.deallocate(old.lists, old.size() * sizeof(Lists), alignof(Lists));
}
template void MatchQueues::Buckets<MatchQueues::Posted>::grow(std::pmr::memory_resource&);
template void MatchQueues::Buckets<MatchQueues::Tied>::grow(std::pmr::memory_resource&);
template void MatchQueues::Buckets<MatchQueues::Waiting<Wild::none>>::grow(std::pmr::memory_resource&);

}  // namespace skein::vmpi
