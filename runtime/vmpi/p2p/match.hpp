// SPDX-License-Identifier: Apache-2.0
// The two queues of MPI's matching rules: receives posted and not yet matched, messages arrived and not yet
// received. Both are hashed by (context, source), so that thousands of outstanding operations stay cheap;
// receives from any source have a list of their own, and a running number decides between the two.
//
// Not to be confused by movement: everything here is in the slot of the receiving rank, and sources are
// ranks, not PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// What identifies a message and its sender.
struct Envelope {
  std::int64_t context = 0;
  int source = 0;  ///< rank in the communicator
  int tag = 0;
  std::uint64_t bytes = 0;
  Request* send = nullptr;    ///< the sender's request: an address in its slot
  int sender = 0;             ///< world rank
  bool carries_data = false;  ///< the payload is with the envelope
  bool tell = false;          ///< it did, and the sender waits for the match all the same
};

inline bool matches(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context &&
         (pattern.source == envelope.source || pattern.source == MPI_ANY_SOURCE) &&
         (pattern.tag == envelope.tag || pattern.tag == MPI_ANY_TAG);
}

/// A message without a receive yet.
struct Unexpected {
  Envelope envelope;
  Unexpected* next = nullptr;  // in the bucket
  Unexpected* previous = nullptr;
  Unexpected* newer = nullptr;  // in order of arrival
  Unexpected* older = nullptr;

  std::byte* payload = nullptr;  // if it carries data: behind it in memory, or a block of its own
};

class MatchQueues {
 public:
  explicit MatchQueues(std::pmr::memory_resource& memory) : memory_(&memory) {}

  /// Removes and returns the receive that this message belongs to: of those that match, the one posted first.
  Request* match_posted(const Envelope& envelope);
  void post(Request& receive);
  /// Takes a posted receive out again (cancel). False when it is not posted.
  bool withdraw(Request& receive);

  /// The message that a receive of this pattern takes: of those that match, the one arrived first. It stays
  /// queued.
  Unexpected* find_unexpected(const Pattern& pattern) const;
  /// The message of the send that `sent` describes, if no receive has taken it yet.
  //
  // A sender may use the address of a request that is done with again. Of equal envelopes the newest is the
  // one meant: they match the same receives, so the older ones are taken first.
  Unexpected* find_sent(const Envelope& sent) const;
  /// Queues a message that carries its data; it has room for the payload, which the caller fills.
  Unexpected* add_unexpected(Envelope envelope);
  /// Queues a message that does not.
  Unexpected* add_without_data(const Envelope& envelope);
  /// Gives a message that came without its data room for it, which the caller fills.
  void add_payload(Unexpected& message);
  void remove_unexpected(Unexpected* message);  ///< out of the queues; the memory stays
  void free_unexpected(Unexpected* message);

  std::size_t unexpected_count() const { return unexpected_.count; }
  /// In order of arrival, for reports.
  const Unexpected* oldest_unexpected() const { return oldest_; }

 private:
  static Unexpected& links(Unexpected& node) { return node; }
  static Request::Listed& links(Request& node) { return node.listed; }
  static const Envelope& key(const Unexpected& node) { return node.envelope; }
  static const Pattern& key(const Request& node) { return node.pattern; }

  template <class Node>
  struct List {
    Node* head = nullptr;
    Node* tail = nullptr;
    void append(Node& node) {
      links(node).next = nullptr;
      links(node).previous = tail;
      (tail ? links(*tail).next : head) = &node;
      tail = &node;
    }
    void remove(Node& node) {
      Node *const next = links(node).next, *const previous = links(node).previous;
      (previous ? links(*previous).next : head) = next;
      (next ? links(*next).previous : tail) = previous;
    }
  };

  /// Lists by what is hashed: none, or a power of two of them.
  template <class Node>
  struct Buckets {
    List<Node>* lists = nullptr;
    std::size_t mask = 0;   // how many lists there are, less one
    std::size_t count = 0;  // of nodes, also of those that are in none of the lists

    // Contexts are small multiples, or have the number of a rank in their high half (agree_on_id()); sources
    // are mostly neighbours: as they stand they spread well enough.
    List<Node>& of(std::int64_t context, int source) const {
      const auto number = static_cast<std::uint64_t>(context);
      return lists[((number ^ number >> 30) + static_cast<unsigned>(source)) & mask];
    }
    List<Node>& of(const Node& node) const { return of(key(node).context, key(node).source); }
  };
  /// Makes room for one node more.
  template <class Node>
  void reserve(Buckets<Node>& buckets) {
    if (!buckets.lists || buckets.count > buckets.mask * nodes_per_bucket) [[unlikely]]
      grow(buckets);
  }
  template <class Node>
  void grow(Buckets<Node>& buckets);
  static constexpr std::size_t nodes_per_bucket = 4;  // about; above that there are twice as many lists

  Unexpected* find_from_any(const Pattern& pattern) const;
  void append(Unexpected& message);

  std::pmr::memory_resource* memory_;
  Buckets<Request> posted_;
  Buckets<Unexpected> unexpected_;
  List<Request> from_any_;
  Unexpected* unused_ = nullptr;  // linked by `next`
  Unexpected* oldest_ = nullptr;
  Unexpected* newest_ = nullptr;
  std::uint64_t next_order_ = 0;
};

// What each message goes through is inline, so that envelopes and patterns stay in registers: they are
// written member by member, and a processor that reads them back in wider pieces has to wait.

[[gnu::always_inline]] inline Request* MatchQueues::match_posted(const Envelope& envelope) {
  if (posted_.count == 0) return nullptr;
  const auto first_match = [&](Request* node) {
    while (node && !matches(node->pattern, envelope)) node = node->listed.next;
    return node;
  };
  List<Request>* list = &posted_.of(envelope.context, envelope.source);
  Request* found = first_match(list->head);
  if (from_any_.head) [[unlikely]] {
    Request* const wildcard = first_match(from_any_.head);
    if (wildcard && (!found || wildcard->listed.order < found->listed.order)) {
      found = wildcard;
      list = &from_any_;
    }
  }
  if (!found) return nullptr;
  list->remove(*found);
  --posted_.count;
  return found;
}

inline void MatchQueues::post(Request& receive) {
  reserve(posted_);
  receive.listed.order = ++next_order_;
  (receive.pattern.source == MPI_ANY_SOURCE ? from_any_ : posted_.of(receive)).append(receive);
  ++posted_.count;
}

inline Unexpected* MatchQueues::find_unexpected(const Pattern& pattern) const {
  if (unexpected_.count == 0) return nullptr;
  if (pattern.source == MPI_ANY_SOURCE) return find_from_any(pattern);
  Unexpected* node = unexpected_.of(pattern.context, pattern.source).head;
  while (node && !matches(pattern, node->envelope)) node = node->next;
  return node;
}

inline void MatchQueues::append(Unexpected& message) {
  reserve(unexpected_);
  unexpected_.of(message).append(message);
  message.older = newest_;
  message.newer = nullptr;
  (newest_ ? newest_->newer : oldest_) = &message;
  newest_ = &message;
  ++unexpected_.count;
}

// Such a message is as large as any other, so its memory is kept: sends that are pending within a PE come and
// go once a message.
[[gnu::always_inline]] inline Unexpected* MatchQueues::add_without_data(const Envelope& envelope) {
  void* memory = unused_;
  if (memory) [[likely]]
    unused_ = unused_->next;
  else
    memory = memory_->allocate(sizeof(Unexpected), 16);
  auto* const message = new (memory) Unexpected{.envelope = envelope};
  append(*message);
  return message;
}

}  // namespace skein::vmpi
