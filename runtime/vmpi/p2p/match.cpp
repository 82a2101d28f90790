// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/match.hpp"

#include <new>

namespace skein::vmpi {
namespace {

constexpr std::size_t first_buckets = 8;
constexpr std::size_t nodes_per_bucket = 4;  // above that the table doubles

bool tag_matches(const Pattern& pattern, int tag) { return pattern.tag == tag || pattern.tag == MPI_ANY_TAG; }

bool matches(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context &&
         (pattern.source == envelope.source || pattern.source == MPI_ANY_SOURCE) &&
         tag_matches(pattern, envelope.tag);
}

const Request* first_match(const Request* node, const Envelope& envelope) {
  while (node && !matches(node->pattern, envelope)) node = node->next;
  return node;
}

}  // namespace

template <class Node>
void MatchQueues::List<Node>::append(Node& node) {
  node.next = nullptr;
  node.previous = tail;
  (tail ? tail->next : head) = &node;
  tail = &node;
}

template <class Node>
void MatchQueues::List<Node>::remove(Node& node) {
  (node.previous ? node.previous->next : head) = node.next;
  (node.next ? node.next->previous : tail) = node.previous;
  node.next = node.previous = nullptr;
}

Request* MatchQueues::match_posted(const Envelope& envelope) {
  if (posted_count_ == 0) return nullptr;
  List<Request>& bucket = posted_[hash(envelope.context, envelope.source) & (posted_.size() - 1)];
  auto* exact = const_cast<Request*>(first_match(bucket.head, envelope));
  auto* wildcard = const_cast<Request*>(first_match(from_any_.head, envelope));
  Request* found = !exact || (wildcard && wildcard->order < exact->order) ? wildcard : exact;
  if (!found) return nullptr;
  (found == wildcard ? from_any_ : bucket).remove(*found);
  --posted_count_;
  return found;
}

void MatchQueues::post(Request& receive) {
  if (posted_count_ >= posted_.size() * nodes_per_bucket || posted_.empty()) grow_posted();
  receive.order = ++next_order_;
  const Pattern& pattern = receive.pattern;
  if (pattern.source == MPI_ANY_SOURCE)
    from_any_.append(receive);
  else
    posted_[hash(pattern.context, pattern.source) & (posted_.size() - 1)].append(receive);
  ++posted_count_;
}

bool MatchQueues::withdraw(Request& receive) {
  if (posted_count_ == 0) return false;
  const Pattern& pattern = receive.pattern;
  List<Request>& list = pattern.source == MPI_ANY_SOURCE
                            ? from_any_
                            : posted_[hash(pattern.context, pattern.source) & (posted_.size() - 1)];
  for (Request* node = list.head; node; node = node->next) {
    if (node != &receive) continue;
    list.remove(receive);
    --posted_count_;
    return true;
  }
  return false;
}

Unexpected* MatchQueues::find_unexpected(const Pattern& pattern) const {
  if (unexpected_count_ == 0) return nullptr;
  if (pattern.source == MPI_ANY_SOURCE) {
    for (Unexpected* node = oldest_; node; node = node->newer)
      if (matches(pattern, node->envelope)) return node;
    return nullptr;
  }
  const List<Unexpected>& bucket =
      unexpected_[hash(pattern.context, pattern.source) & (unexpected_.size() - 1)];
  for (Unexpected* node = bucket.head; node; node = node->next)
    if (matches(pattern, node->envelope)) return node;
  return nullptr;
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
  if (unexpected_count_ >= unexpected_.size() * nodes_per_bucket || unexpected_.empty()) grow_unexpected();
  Unexpected* const message = new_unexpected(envelope);
  unexpected_[hash(envelope.context, envelope.source) & (unexpected_.size() - 1)].append(*message);
  message->older = newest_;
  (newest_ ? newest_->newer : oldest_) = message;
  newest_ = message;
  ++unexpected_count_;
  return message;
}

void MatchQueues::remove_unexpected(Unexpected* message) {
  const Envelope& envelope = message->envelope;
  unexpected_[hash(envelope.context, envelope.source) & (unexpected_.size() - 1)].remove(*message);
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
  for (List<Request>& bucket : old) {
    for (Request* node = bucket.head; node;) {
      Request* const next = node->next;
      posted_[hash(node->pattern.context, node->pattern.source) & (posted_.size() - 1)].append(*node);
      node = next;
    }
  }
}

void MatchQueues::grow_unexpected() {
  unexpected_.assign(unexpected_.empty() ? first_buckets : unexpected_.size() * 2, {});
  for (Unexpected* node = oldest_; node; node = node->newer)
    unexpected_[hash(node->envelope.context, node->envelope.source) & (unexpected_.size() - 1)].append(*node);
}

}  // namespace skein::vmpi
