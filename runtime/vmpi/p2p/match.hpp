// SPDX-License-Identifier: Apache-2.0
// The two queues of MPI's matching rules: receives that are posted and not yet matched, and messages that
// have arrived and are not yet received. Both are hashed by all that a pattern can name, so that a message
// costs the same however many others are outstanding.
//
// A receive with wildcards is hashed by its pattern as it stands. A message looks up its own envelope and the
// three forms that wildcards make of it; of the receives found, the one posted first takes it. A receive with
// wildcards takes the message that arrived first. When it would have to look at many messages for that, all
// messages are also listed by each form that wildcards leave of them, until none is left.
//
// A persistent send and a persistent receive that are tied (tie.hpp) meet by their tie and not by the queues.
// A tie owns the key of its receive: while it exists, nothing else with this key is in the queues.
//
// Moves of ranks do not disturb the queues: everything here is in the slot of the receiving rank, and sources
// are ranks, not PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/tie.hpp"
#include "runtime/vmpi/settings.hpp"

namespace skein::vmpi {

/// The identity of a message and its sender.
struct Envelope {
  std::int64_t context = 0;
  int source = 0;  ///< rank in the communicator
  int tag = 0;
  std::uint64_t bytes = 0;
  Request* send = nullptr;    ///< the sender's request: an address in its slot
  int sender = 0;             ///< world rank
  bool carries_data = false;  ///< the payload is with the envelope
  bool tell = false;  ///< the data is with the envelope, and the sender still awaits news of the match
  /// With --check, the code of the data's type (check/type_code.hpp); without it, the claim of a rank about
  /// its collective call (coll/meeting/claim.hpp). 0: none.
  std::uint16_t type = 0;
};

/// Returns the pattern without wildcards that takes this message.
inline Pattern key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }

inline bool matches(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context &&
         (pattern.source == envelope.source || pattern.source == MPI_ANY_SOURCE) &&
         (pattern.tag == envelope.tag || pattern.tag == MPI_ANY_TAG);
}

/// The parts of a pattern that are wildcards: MPI_ANY_TAG, MPI_ANY_SOURCE, or both.
enum class Wild : unsigned { none, tag, source, both };
inline constexpr std::size_t kWildForms = 4;
inline Wild wild_form(const Pattern& pattern) {
  return static_cast<Wild>((pattern.tag == MPI_ANY_TAG ? 1u : 0u) |
                           (pattern.source == MPI_ANY_SOURCE ? 2u : 0u));
}
/// Returns the pattern with these wildcards that takes messages of this key.
inline Pattern pattern_of(const Pattern& key, Wild wild) {
  const auto bits = static_cast<unsigned>(wild);
  return {key.context, bits & 2u ? MPI_ANY_SOURCE : key.source, bits & 1u ? MPI_ANY_TAG : key.tag};
}
inline bool same(const Pattern& a, const Pattern& b) {
  return a.context == b.context && a.source == b.source && a.tag == b.tag;
}

/// A message that no receive has taken yet.
struct Unexpected {
  struct Place {
    Unexpected* next;
    Unexpected* previous;
  };

  explicit Unexpected(const Envelope& its) : envelope(its) {}

  Envelope envelope;
  std::uint64_t order = 0;       // of arrival
  std::uint64_t charged = 0;     // bytes of the receiver's eager memory that it takes (flow_control.hpp)
  std::byte* payload = nullptr;  // if it carries data: behind this object in memory, or a block of its own
  Place in_order;
  Place in_bucket[kWildForms];  // by the form that wildcards leave; the forms with wildcards only while
                                // messages are listed for them
  MPI_Comm probed_on;           // set when a matched probe hands the message out
};

class MatchQueues {
 public:
  explicit MatchQueues(std::pmr::memory_resource& memory) : memory_(&memory) {}

  /// Removes and returns the receive that takes a message of this key: of the receives that match, the one
  /// posted first. Null if none matches.
  Request* match_posted(const Pattern& key);
  void post(Request& receive);
  /// Removes a posted receive (for a cancel). Returns false if it is not posted.
  bool withdraw(Request& receive);

  /// Return the numbers of posted receives and of waiting messages, tied ones included. Look at each tie.
  std::size_t posted() const { return posted_.count + tied(TieState::receive_started); }
  std::size_t unexpected() const {
    return unexpected_.count + tied(TieState::send_started) + tied(TieState::data_kept);
  }

  /// Returns the message that a receive of this pattern takes: of the messages that match, the one that
  /// arrived first. It stays queued. Null if none matches.
  Unexpected* find_unexpected(const Pattern& pattern);
  /// Returns the message of the send that `sent` describes, or null if a receive has taken it.
  ///
  /// A sender may reuse the address of a request. Of messages with equal envelopes the newest is meant: all
  /// of them match the same receives, which take the older ones first.
  Unexpected* find_sent(const Envelope& sent) const;
  /// Queues a message that carries its data, with room for the payload, which the caller fills.
  Unexpected* add_unexpected(Envelope envelope);
  /// Queues a message that comes without its data.
  Unexpected* add_without_data(const Envelope& envelope);
  /// Adds room for the payload to a message that came without its data; the caller fills it.
  void add_payload(Unexpected& message);
  void remove_unexpected(Unexpected* message);  ///< takes it out of the queues; its memory stays
  void free_unexpected(Unexpected* message);

  /// Returns the bytes charged for messages that are kept here (flow_control.hpp).
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  bool has_room() const { return kept_bytes_ <= settings.eager_memory; }
  /// Charges a queued message whose data is here, or may arrive before its receive.
  void charge(Unexpected& message) {
    message.charged = sizeof(Unexpected) + message.envelope.bytes;
    kept_bytes_ += message.charged;
  }
  /// Makes has_room_again() report, once, that half of the eager memory is free.
  void await_room() { room_below_ = settings.eager_memory / 2 + 1; }
  /// Returns true, once after await_room(), when half of the eager memory is free again.
  bool has_room_again() {
    if (kept_bytes_ >= room_below_) [[likely]]
      return false;
    room_below_ = 0;
    return true;
  }

  /// Returns true if no message and no receive of this key waits here, no tie owns it, and no receive with
  /// wildcards is posted: so the key may be tied (tie.hpp).
  bool is_clear_for(const Pattern& key) const;
  /// Adds a tie, which owns the key of its receive from here on. Precondition: is_clear_for() this key.
  void add(const Tie& tie);
  /// Undoes a tie of this rank. A send or receive that waits in it gets its old place in the queues.
  void untie(Tie& tie);
  /// Returns the number in the order of arrival for a message that arrives now.
  std::uint64_t next_order() { return ++next_order_; }
  std::pmr::memory_resource& memory() { return *memory_; }

  std::size_t unexpected_count() const { return unexpected_.count; }
  /// Returns the message that arrived first, for reports; `in_order` links the others.
  const Unexpected* oldest_unexpected() const { return arrived_.head; }

 private:
  /// A doubly linked list of nodes; Access::links() gives the links of a node.
  template <class Access>
  struct List {
    using Node = typename Access::Node;
    Node* head = nullptr;
    Node* tail = nullptr;
    void append(Node& node) {
      Access::links(node).next = nullptr;
      Access::links(node).previous = tail;
      (tail ? Access::links(*tail).next : head) = &node;
      tail = &node;
    }
    /// Inserts a node behind all with a smaller order. `order(node)` gives the order of a node.
    template <class Order>
    void insert(Node& node, Order order) {
      Node* before = tail;
      while (before && order(*before) > order(node)) before = Access::links(*before).previous;
      Node* const next = before ? Access::links(*before).next : head;
      Access::links(node).next = next;
      Access::links(node).previous = before;
      (before ? Access::links(*before).next : head) = &node;
      (next ? Access::links(*next).previous : tail) = &node;
    }
    void remove(Node& node) {
      Node *const next = Access::links(node).next, *const previous = Access::links(node).previous;
      (previous ? Access::links(*previous).next : head) = next;
      (next ? Access::links(*next).previous : tail) = previous;
    }
  };

  /// Lists of nodes, hashed by the nodes' keys: no lists, or a power of two of them. A node that comes while
  /// there is no other stays outside the lists until a second one comes: ranks that wait in blocking calls
  /// have one.
  ///   lone  =>  count == 1, and the lists are empty
  template <class Access>
  struct Buckets {
    using Node = typename Access::Node;
    Node* lone = nullptr;
    List<Access>* lists = nullptr;
    unsigned bits = 0;      // of the number of lists
    std::size_t count = 0;  // of nodes

    std::size_t size() const { return lists ? std::size_t{1} << bits : 0; }
    /// Returns the list of a key. Contexts are small multiples, or have the number of a rank in their high
    /// half (agree_on_id()); tags may differ in any bits. The factors are odd and without pattern.
    List<Access>& of(const Pattern& key) const {
      const auto context = static_cast<std::uint64_t>(key.context);
      const std::uint64_t mixed = (context ^ context >> 30) * 0x9e3779b97f4a7c15 +
                                  static_cast<unsigned>(key.source) * 0xc2b2ae3d27d4eb4f +
                                  static_cast<unsigned>(key.tag) * 0x165667b19e3779f9;
      return lists[mixed >> (64 - bits)];
    }
    /// Returns the first node of the list that has exactly this pattern.
    static Node* first(const List<Access>& list, const Pattern& key) {
      Node* node = list.head;
      while (node && !same(Access::key(*node), key)) node = Access::links(*node).next;
      return node;
    }
    /// Returns the first node with exactly this pattern, or null. Precondition: count > 0.
    Node* find(const Pattern& key) const {
      if (lone) return same(Access::key(*lone), key) ? lone : nullptr;
      return first(of(key), key);
    }
    void append(Node& node, std::pmr::memory_resource& memory) {
      if (is_first(node)) return;
      make_room(memory);
      of(Access::key(node)).append(node);
    }
    template <class Order>
    void insert(Node& node, Order order, std::pmr::memory_resource& memory) {
      if (is_first(node)) return;
      make_room(memory);
      of(Access::key(node)).insert(node, order);
    }
    void remove(Node& node) {
      --count;
      if (lone)
        lone = nullptr;
      else
        of(Access::key(node)).remove(node);
    }
    bool is_first(Node& node) {
      if (count > 0) return false;
      lone = &node;
      count = 1;
      return true;
    }
    /// Prepares the lists for one more node, and counts it.
    void make_room(std::pmr::memory_resource& memory) {
      if (!lists || count >= size() * nodes_per_bucket) [[unlikely]]
        grow(memory);
      if (lone) of(Access::key(*lone)).append(*lone);
      lone = nullptr;
      ++count;
    }
    void grow(std::pmr::memory_resource& memory);
  };
  static constexpr std::size_t nodes_per_bucket = 2;  // about; above that, the number of lists doubles

  struct Posted {
    using Node = Request;
    static Request::Listed& links(Request& node) { return node.listed; }
    static const Pattern& key(const Request& node) { return node.pattern; }
  };
  template <Wild wild>
  struct Waiting {
    using Node = Unexpected;
    static Unexpected::Place& links(Unexpected& node) {
      return node.in_bucket[static_cast<std::size_t>(wild)];
    }
    static Pattern key(const Unexpected& node) { return pattern_of(key_of(node.envelope), wild); }
  };
  struct Tied {
    using Node = Tie;
    static Tie::Place& links(Tie& node) { return node.in_bucket; }
    static const Pattern& key(const Tie& node) { return node.key; }
  };
  struct Made {
    using Node = Tie;
    static Tie::Place& links(Tie& node) { return node.in_order; }
  };
  struct Arrived {
    using Node = Unexpected;
    static Unexpected::Place& links(Unexpected& node) { return node.in_order; }
  };

  /// Removes and returns the receive posted first among `exact`, which may be null, and the receives with
  /// wildcards that match `key`.
  Request* match_wildcard(const Pattern& key, Request* exact);
  void take_out(Request& receive);
  Unexpected* find_by_wildcard(const Pattern& pattern);
  void list_for_wildcards(Unexpected& message);
  void* room_without_data();
  void append(Unexpected& message);
  /// Queues a message that arrived earlier than others in the queues.
  void put_in_place(Unexpected& message);
  /// Undoes the ties whose keys a message, receive or probe of this pattern could meet. With wildcards and
  /// very many ties, undoes others as well, so that the search stays short.
  [[gnu::cold]] void leave_to_queues(const Pattern& pattern);
  std::size_t tied(TieState state) const;

  std::uint64_t next_order_ = 0;
  Buckets<Posted> posted_;
  Buckets<Tied> ties_;
  std::pmr::memory_resource* memory_;
  std::uint32_t posted_wild_[kWildForms] = {};  // number of posted receives with these wildcards
  std::uint32_t wildcards_ = 0;                 // number of posted receives with any wildcard
  bool listed_for_wildcards_ = false;
  Buckets<Waiting<Wild::none>> unexpected_;
  /// Hold all messages while listed_for_wildcards_, else nothing.
  Buckets<Waiting<Wild::tag>> from_source_;
  Buckets<Waiting<Wild::source>> with_tag_;
  Buckets<Waiting<Wild::both>> of_context_;
  List<Arrived> arrived_;
  Unexpected* unused_ = nullptr;  // linked by in_order.next
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t room_below_ = 0;  // bound of kept_bytes_ that somebody awaits; 0: nobody does
  List<Made> made_;               // all ties
};

// The functions that each message passes are inline, so that envelopes stay in registers: they are written
// member by member, and a processor that reads them back in wider pieces has to wait.

[[gnu::always_inline]] inline Request* MatchQueues::match_posted(const Pattern& key) {
  if (ties_.count > 0) [[unlikely]]
    leave_to_queues(key);
  if (posted_.count == 0) return nullptr;
  if (Request* const lone = posted_.lone) {
    Request* const found = same(lone->pattern, key) ? lone : nullptr;
    if (wildcards_ > 0) [[unlikely]]
      return match_wildcard(key, found);
    if (found) posted_.remove(*found);
    return found;
  }
  auto& list = posted_.of(key);
  Request* const found = posted_.first(list, key);
  if (wildcards_ > 0) [[unlikely]]
    return match_wildcard(key, found);
  if (!found) return nullptr;
  list.remove(*found);
  --posted_.count;
  return found;
}

inline void MatchQueues::post(Request& receive) {
  receive.listed.order = ++next_order_;
  if (const Wild wild = wild_form(receive.pattern); wild != Wild::none) {
    ++posted_wild_[static_cast<std::size_t>(wild)];
    ++wildcards_;
  }
  posted_.append(receive, *memory_);
}

inline Unexpected* MatchQueues::find_unexpected(const Pattern& pattern) {
  if (ties_.count > 0) [[unlikely]]
    leave_to_queues(pattern);
  if (unexpected_.count == 0) return nullptr;
  return wild_form(pattern) == Wild::none ? unexpected_.find(pattern) : find_by_wildcard(pattern);
}

inline void MatchQueues::append(Unexpected& message) {
  message.order = next_order();
  unexpected_.append(message, *memory_);
  arrived_.append(message);
  if (listed_for_wildcards_) [[unlikely]]
    list_for_wildcards(message);
}

/// Returns memory for a message without data. Freed messages of this kind are reused, as all have one size:
/// sends that are pending within a PE come and go once a message.
[[gnu::always_inline]] inline void* MatchQueues::room_without_data() {
  void* const memory = unused_;
  if (!memory) [[unlikely]]
    return memory_->allocate(sizeof(Unexpected), 16);
  unused_ = unused_->in_order.next;
  return memory;
}

[[gnu::always_inline]] inline Unexpected* MatchQueues::add_without_data(const Envelope& envelope) {
  auto* const message = new (room_without_data()) Unexpected(envelope);
  append(*message);
  return message;
}

}  // namespace skein::vmpi
