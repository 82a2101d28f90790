// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/match.hpp"

#include <memory>
#include <new>

namespace skein::vmpi {
namespace {

constexpr std::size_t first_buckets = 8;

}  // namespace

bool MatchQueues::withdraw(Request& receive) {
  if (posted_.count == 0) return false;
  List<Request>& list = receive.pattern.source == MPI_ANY_SOURCE ? from_any_ : posted_.of(receive);
  for (Request* node = list.head; node; node = node->listed.next) {
    if (node != &receive) continue;
    list.remove(receive);
    --posted_.count;
    return true;
  }
  return false;
}

Unexpected* MatchQueues::find_from_any(const Pattern& pattern) const {
  Unexpected* node = oldest_;
  while (node && !matches(pattern, node->envelope)) node = node->newer;
  return node;
}

Unexpected* MatchQueues::find_sent(const Envelope& sent) const {
  for (Unexpected* node = newest_; node; node = node->older) {
    const Envelope& envelope = node->envelope;
    if (envelope.send == sent.send && envelope.sender == sent.sender && envelope.context == sent.context &&
        envelope.source == sent.source && envelope.tag == sent.tag)
      return node;
  }
  return nullptr;
}

Unexpected* MatchQueues::add_unexpected(Envelope envelope) {
  void* const memory = memory_->allocate(sizeof(Unexpected) + envelope.bytes, 16);
  auto* const message = new (memory) Unexpected{.envelope = envelope};
  message->payload = reinterpret_cast<std::byte*>(message + 1);
  append(*message);
  return message;
}

void MatchQueues::remove_unexpected(Unexpected* message) {
  unexpected_.of(*message).remove(*message);
  (message->older ? message->older->newer : oldest_) = message->newer;
  (message->newer ? message->newer->older : newest_) = message->older;
  --unexpected_.count;
}

void MatchQueues::add_payload(Unexpected& message) {
  message.payload = static_cast<std::byte*>(memory_->allocate(message.envelope.bytes, 16));
  message.envelope.carries_data = true;
}

void MatchQueues::free_unexpected(Unexpected* message) {
  if (message->payload == reinterpret_cast<std::byte*>(message + 1)) {
    memory_->deallocate(message, 0, 16);
    return;
  }
  if (message->payload) memory_->deallocate(message->payload, message->envelope.bytes, 16);
  message->next = unused_;
  unused_ = message;
}

// Within a list the order survives: old lists are appended to disjoint new ones.
template <class Node>
void MatchQueues::grow(Buckets<Node>& buckets) {
  const Buckets<Node> old = buckets;
  const std::size_t before = old.lists ? old.mask + 1 : 0, after = before ? 2 * before : first_buckets;
  buckets.lists =
      static_cast<List<Node>*>(memory_->allocate(after * sizeof(List<Node>), alignof(List<Node>)));
  buckets.mask = after - 1;
  std::uninitialized_value_construct_n(buckets.lists, after);
  for (std::size_t i = 0; i < before; ++i) {
    for (Node* node = old.lists[i].head; node;) {
      Node* const next = links(*node).next;
      buckets.of(*node).append(*node);
      node = next;
    }
  }
  if (old.lists) memory_->deallocate(old.lists, before * sizeof(List<Node>), alignof(List<Node>));
}
template void MatchQueues::grow(Buckets<Request>&);
template void MatchQueues::grow(Buckets<Unexpected>&);

}  // namespace skein::vmpi
