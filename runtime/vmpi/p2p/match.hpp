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
#include <vector>

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

/// Of the message that a send request describes; its data have still to be looked for.
Envelope envelope_of(Request& send);

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
  explicit MatchQueues(std::pmr::memory_resource& memory)
      : memory_(&memory), posted_(&memory), unexpected_(&memory) {}

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
  /// Queues a message. If it carries data, it has room for the payload, which the caller fills.
  Unexpected* add_unexpected(const Envelope& envelope);
  /// Gives a message that came without its data room for it, which the caller fills.
  void add_payload(Unexpected& message);
  void remove_unexpected(Unexpected* message);  ///< out of the queues; the memory stays
  void free_unexpected(Unexpected* message);

  std::size_t posted_count() const { return posted_count_; }
  std::size_t unexpected_count() const { return unexpected_count_; }
  /// In order of arrival, for reports.
  const Unexpected* oldest_unexpected() const { return oldest_; }

 private:
  template <class Node>
  struct List {
    Node* head = nullptr;
    Node* tail = nullptr;
    void append(Node& node) {
      node.next = nullptr;
      node.previous = tail;
      (tail ? tail->next : head) = &node;
      tail = &node;
    }
    void remove(Node& node) {
      (node.previous ? node.previous->next : head) = node.next;
      (node.next ? node.next->previous : tail) = node.previous;
    }
  };
  static constexpr std::size_t nodes_per_bucket = 4;  // above that a table doubles
  static std::size_t hash(std::int64_t context, int source) {
    // Of a context the low half counts and the high half names a rank (agree_on_id()).
    const auto folded = static_cast<unsigned>(context) ^ static_cast<unsigned>(context >> 32) * 0xc2b2ae35u;
    return static_cast<std::size_t>(folded * 0x9e3779b1u ^ static_cast<unsigned>(source) * 0x85ebca6bu);
  }
  template <class Node>
  static List<Node>& bucket(std::pmr::vector<List<Node>>& table, std::int64_t context, int source) {
    return table[hash(context, source) & (table.size() - 1)];
  }
  Unexpected* find_from_any(const Pattern& pattern) const;
  Unexpected* new_unexpected(const Envelope& envelope);
  void grow_posted();
  void grow_unexpected();

  std::pmr::memory_resource* memory_;
  std::pmr::vector<List<Request>> posted_;  // buckets, a power of two of them
  std::pmr::vector<List<Unexpected>> unexpected_;
  List<Request> from_any_;
  Unexpected* unused_ = nullptr;  // linked by `next`
  Unexpected* oldest_ = nullptr;
  Unexpected* newest_ = nullptr;
  std::uint64_t next_order_ = 0;
  std::size_t posted_count_ = 0;
  std::size_t unexpected_count_ = 0;
};

// What each message goes through is inline, so that envelopes and patterns stay in registers: they are
// written member by member, and a processor that reads them back in wider pieces has to wait.

[[gnu::always_inline]] inline Request* MatchQueues::match_posted(const Envelope& envelope) {
  if (posted_count_ == 0) return nullptr;
  const auto first_match = [&](Request* node) {
    while (node && !matches(node->pattern, envelope)) node = node->next;
    return node;
  };
  List<Request>* list = &bucket(posted_, envelope.context, envelope.source);
  Request* found = first_match(list->head);
  if (from_any_.head) [[unlikely]] {
    Request* const wildcard = first_match(from_any_.head);
    if (wildcard && (!found || wildcard->order < found->order)) {
      found = wildcard;
      list = &from_any_;
    }
  }
  if (!found) return nullptr;
  list->remove(*found);
  --posted_count_;
  return found;
}

inline void MatchQueues::post(Request& receive) {
  if (posted_count_ >= posted_.size() * nodes_per_bucket) [[unlikely]]
    grow_posted();
  receive.order = ++next_order_;
  const Pattern& pattern = receive.pattern;
  (pattern.source == MPI_ANY_SOURCE ? from_any_ : bucket(posted_, pattern.context, pattern.source))
      .append(receive);
  ++posted_count_;
}

inline Unexpected* MatchQueues::find_unexpected(const Pattern& pattern) const {
  if (unexpected_count_ == 0) return nullptr;
  if (pattern.source == MPI_ANY_SOURCE) return find_from_any(pattern);
  const std::size_t at = hash(pattern.context, pattern.source) & (unexpected_.size() - 1);
  Unexpected* node = unexpected_[at].head;
  while (node && !matches(pattern, node->envelope)) node = node->next;
  return node;
}

}  // namespace skein::vmpi
