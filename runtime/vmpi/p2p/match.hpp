// SPDX-License-Identifier: Apache-2.0
// The two queues of MPI's matching rules: receives posted and not yet matched, messages arrived and not yet
// received. Both are hashed by all that a pattern may name, so that a message costs the same however many
// others are outstanding.
//
// A receive with wildcards is hashed by its pattern as it stands; a message looks for its own envelope and
// for what wildcards make of it, and a running number decides between what it finds. Of messages, wildcards
// take the first in the order of arrival; when one has to look at many for that, they are listed by what
// wildcards leave of them as well, until none is left.
//
// A persistent send and a persistent receive that are tied (tie.hpp) go by their tie and not by the queues. A
// tie owns the key of its receive: while it is there, nothing else of this key is in the queues.
//
// Not to be confused by movement: everything here is in the slot of the receiving rank, and sources are
// ranks, not PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/tie.hpp"
#include "runtime/vmpi/settings.hpp"

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
  /// With --check what it is of (check/type_code.hpp), without what a rank says of its collective call
  /// (coll/meeting/claim.hpp). 0: nothing.
  std::uint16_t type = 0;
};

/// What the receive names that takes this message alone.
inline Pattern key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }

inline bool matches(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context &&
         (pattern.source == envelope.source || pattern.source == MPI_ANY_SOURCE) &&
         (pattern.tag == envelope.tag || pattern.tag == MPI_ANY_TAG);
}

/// Which parts of a pattern are wildcards: MPI_ANY_TAG, MPI_ANY_SOURCE, or both.
enum class Wild : unsigned { none, tag, source, both };
inline constexpr std::size_t kWildForms = 4;
inline Wild wild_form(const Pattern& pattern) {
  return static_cast<Wild>((pattern.tag == MPI_ANY_TAG ? 1u : 0u) |
                           (pattern.source == MPI_ANY_SOURCE ? 2u : 0u));
}
/// What a receive names that takes a message of this key and has these wildcards.
inline Pattern pattern_of(const Pattern& key, Wild wild) {
  const auto bits = static_cast<unsigned>(wild);
  return {key.context, bits & 2u ? MPI_ANY_SOURCE : key.source, bits & 1u ? MPI_ANY_TAG : key.tag};
}
inline bool same(const Pattern& a, const Pattern& b) {
  return a.context == b.context && a.source == b.source && a.tag == b.tag;
}

/// A message without a receive yet.
struct Unexpected {
  struct Place {
    Unexpected* next;
    Unexpected* previous;
  };

  explicit Unexpected(const Envelope& its) : envelope(its) {}

  Envelope envelope;
  std::uint64_t order = 0;       // of arrival
  std::uint64_t charged = 0;     // what it takes of its receiver's eager memory (flow_control.hpp)
  std::byte* payload = nullptr;  // if it carries data: behind it in memory, or a block of its own
  Place in_order;
  Place in_bucket[kWildForms];  // by what wildcards leave; with wildcards: while there are such lists
  MPI_Comm probed_on;           // once a matched probe has given it out
};

class MatchQueues {
 public:
  explicit MatchQueues(std::pmr::memory_resource& memory) : memory_(&memory) {}

  /// Removes and returns the receive that a message of this key belongs to: of those that match, the one
  /// posted first.
  Request* match_posted(const Pattern& key);
  void post(Request& receive);
  /// Takes a posted receive out again (cancel). False when it is not posted.
  bool withdraw(Request& receive);

  /// How many are there, those of ties among them; looks at each tie.
  std::size_t posted() const { return posted_.count + tied(TieState::receive_started); }
  std::size_t unexpected() const {
    return unexpected_.count + tied(TieState::send_started) + tied(TieState::data_kept);
  }

  /// The message that a receive of this pattern takes: of those that match, the one arrived first. It stays
  /// queued.
  Unexpected* find_unexpected(const Pattern& pattern);
  /// The message of the send that `sent` describes, if no receive has taken it yet.
  ///
  /// A sender may use the address of a request that is done with again. Of equal envelopes the newest is the
  /// one meant: they match the same receives, so the older ones are taken first.
  Unexpected* find_sent(const Envelope& sent) const;
  /// Queues a message that carries its data; it has room for the payload, which the caller fills.
  Unexpected* add_unexpected(Envelope envelope);
  /// Queues a message that does not.
  Unexpected* add_without_data(const Envelope& envelope);
  /// Gives a message that came without its data room for it, which the caller fills.
  void add_payload(Unexpected& message);
  void remove_unexpected(Unexpected* message);  ///< out of the queues; the memory stays
  void free_unexpected(Unexpected* message);

  /// What flow_control.hpp is about.
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  bool has_room() const { return kept_bytes_ <= settings.eager_memory; }
  /// Charges a queued message whose data is here, or may come without its receiver.
  void charge(Unexpected& message) {
    message.charged = sizeof(Unexpected) + message.envelope.bytes;
    kept_bytes_ += message.charged;
  }
  /// From here on has_room_again() looks.
  void await_room() { room_below_ = settings.eager_memory / 2 + 1; }
  /// Whether half of it is free again, once.
  bool has_room_again() {
    if (kept_bytes_ >= room_below_) [[likely]]
      return false;
    room_below_ = 0;
    return true;
  }

  /// What tie.hpp is about. Whether nothing waits here that a message or a receive of this key could meet,
  /// and no receive with wildcards is posted.
  bool is_clear_for(const Pattern& key) const;
  /// Takes the tie in; from here on it owns the key of its receive. Precondition: is_clear_for() that.
  void add(const Tie& tie);
  /// Undoes a tie that is here: what waits in it waits in the queues afterwards, in its old place.
  void untie(Tie& tie);
  /// The number of a message that arrives now.
  std::uint64_t next_order() { return ++next_order_; }
  std::pmr::memory_resource& memory() { return *memory_; }

  std::size_t unexpected_count() const { return unexpected_.count; }
  /// In order of arrival, for reports.
  const Unexpected* oldest_unexpected() const { return arrived_.head; }

 private:
  /// A list of nodes, linked by what Access::links() says.
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
    /// Behind all that come before it. `order`: of a node.
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

  /// Lists by what is hashed: none, or a power of two of them. A node that comes where there is no other is
  /// in no list until there is one: ranks that wait in blocking calls have one.
  ///   lone  =>  count == 1, and the lists are empty
  template <class Access>
  struct Buckets {
    using Node = typename Access::Node;
    Node* lone = nullptr;
    List<Access>* lists = nullptr;
    unsigned bits = 0;      // of the number of lists
    std::size_t count = 0;  // of nodes

    std::size_t size() const { return lists ? std::size_t{1} << bits : 0; }
    /// Contexts are small multiples, or have the number of a rank in their high half (agree_on_id()); tags
    /// may have their numbers in any bits. The factors are odd and without pattern.
    List<Access>& of(const Pattern& key) const {
      const auto context = static_cast<std::uint64_t>(key.context);
      const std::uint64_t mixed = (context ^ context >> 30) * 0x9e3779b97f4a7c15 +
                                  static_cast<unsigned>(key.source) * 0xc2b2ae3d27d4eb4f +
                                  static_cast<unsigned>(key.tag) * 0x165667b19e3779f9;
      return lists[mixed >> (64 - bits)];
    }
    /// The first one that has exactly this pattern.
    static Node* first(const List<Access>& list, const Pattern& key) {
      Node* node = list.head;
      while (node && !same(Access::key(*node), key)) node = Access::links(*node).next;
      return node;
    }
    /// Precondition: there is any.
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
    /// For one more.
    void make_room(std::pmr::memory_resource& memory) {
      if (!lists || count >= size() * nodes_per_bucket) [[unlikely]]
        grow(memory);
      if (lone) of(Access::key(*lone)).append(*lone);
      lone = nullptr;
      ++count;
    }
    void grow(std::pmr::memory_resource& memory);
  };
  static constexpr std::size_t nodes_per_bucket = 2;  // about; above that there are twice as many lists

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

  /// Takes out the receive posted first, among `exact`, which may be null, and those with wildcards.
  Request* match_wildcard(const Pattern& key, Request* exact);
  void take_out(Request& receive);
  Unexpected* find_by_wildcard(const Pattern& pattern);
  void list_for_wildcards(Unexpected& message);
  void* room_without_data();
  void append(Unexpected& message);
  /// Queues a message that arrived earlier than others that are here.
  void put_in_place(Unexpected& message);
  /// A message, a receive or a probe of this pattern comes that belongs to no tie: undoes those which own
  /// such keys, and what would make it look at very many.
  [[gnu::cold]] void leave_to_queues(const Pattern& pattern);
  std::size_t tied(TieState state) const;

  std::uint64_t next_order_ = 0;
  Buckets<Posted> posted_;
  Buckets<Tied> ties_;
  std::pmr::memory_resource* memory_;
  std::uint32_t posted_wild_[kWildForms] = {};  // receives with these wildcards
  std::uint32_t wildcards_ = 0;                 // with any
  bool listed_for_wildcards_ = false;
  Buckets<Waiting<Wild::none>> unexpected_;
  /// All messages while listed_for_wildcards_, else empty.
  Buckets<Waiting<Wild::tag>> from_source_;
  Buckets<Waiting<Wild::source>> with_tag_;
  Buckets<Waiting<Wild::both>> of_context_;
  List<Arrived> arrived_;
  Unexpected* unused_ = nullptr;  // linked by in_order.next
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t room_below_ = 0;  // of kept_bytes_, where somebody awaits room
  List<Made> made_;               // all ties
};

// What each message goes through is inline, so that envelopes stay in registers: they are written member by
// member, and a processor that reads them back in wider pieces has to wait.

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

/// Such a message is as large as any other, so its memory is kept: sends that are pending within a PE come
/// and go once a message.
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
