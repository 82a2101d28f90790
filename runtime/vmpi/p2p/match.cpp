// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/match.hpp"

#include <new>

namespace skein::vmpi {
namespace {

constexpr std::size_t first_buckets = 8;

}  // namespace

bool MatchQueues::withdraw(Request& receive) {
  if (posted_count_ == 0) return false;
  const Pattern& pattern = receive.pattern;
  List<Request>& list =
      pattern.source == MPI_ANY_SOURCE ? from_any_ : bucket(posted_, pattern.context, pattern.source);
  for (Request* node = list.head; node; node = node->next) {
    if (node != &receive) continue;
    list.remove(receive);
    --posted_count_;
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

Unexpected* MatchQueues::add_unexpected(const Envelope& envelope) {
  if (unexpected_count_ >= unexpected_.size() * nodes_per_bucket) grow_unexpected();
  Unexpected* const message = new_unexpected(envelope);
  bucket(unexpected_, envelope.context, envelope.source).append(*message);
  message->older = newest_;
  (newest_ ? newest_->newer : oldest_) = message;
  newest_ = message;
  ++unexpected_count_;
  return message;
}

void MatchQueues::remove_unexpected(Unexpected* message) {
  const Envelope& envelope = message->envelope;
  bucket(unexpected_, envelope.context, envelope.source).remove(*message);
  (message->older ? message->older->newer : oldest_) = message->newer;
  (message->newer ? message->newer->older : newest_) = message->older;
  --unexpected_count_;
}

// A message without data is as large as any other such, so its memory is kept: sends that are pending within
// a PE come and go once a message.
Unexpected* MatchQueues::new_unexpected(const Envelope& envelope) {
  if (envelope.carries_data) {
    void* const memory = memory_->allocate(sizeof(Unexpected) + envelope.bytes, 16);
    auto* const message = new (memory) Unexpected{.envelope = envelope};
    message->payload = reinterpret_cast<std::byte*>(message + 1);
    return message;
  }
  void* memory = unused_;
  if (unused_)
    unused_ = unused_->next;
  else
    memory = memory_->allocate(sizeof(Unexpected), 16);
  return new (memory) Unexpected{.envelope = envelope};
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

void MatchQueues::grow_posted() {
  std::pmr::vector<List<Request>> old(std::move(posted_));
  posted_.assign(old.empty() ? first_buckets : old.size() * 2, {});
  // Within a bucket the order of posting survives: old buckets are appended to disjoint new ones.
  for (const List<Request>& chain : old) {
    for (Request* node = chain.head; node;) {
      Request* const next = node->next;
      bucket(posted_, node->pattern.context, node->pattern.source).append(*node);
      node = next;
    }
  }
}

void MatchQueues::grow_unexpected() {
  unexpected_.assign(unexpected_.empty() ? first_buckets : unexpected_.size() * 2, {});
  for (Unexpected* node = oldest_; node; node = node->newer)
    bucket(unexpected_, node->envelope.context, node->envelope.source).append(*node);
}

}  // namespace skein::vmpi
