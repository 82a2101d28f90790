// SPDX-License-Identifier: Apache-2.0
// Active messages between the PEs of a node, through memory that they share: every PE has an inbox there, in
// which each other PE of its node has a ring (ring.hpp). A ring takes memory once somebody writes into it, so
// a PE's inbox grows with those that it hears of, not with the PEs of the node: a page or two at first, and
// all of it at once when its writer goes on, whom new pages would stop again and again in its first round.
//
// What finds no room waits here, with its sender, and what follows behind it.
//
// For the PE's one thread, with the process's heap in force; nothing switches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/net/doorbell.hpp"
#include "runtime/net/helped_copy.hpp"
#include "runtime/net/ring.hpp"

namespace skein::net {

class NodeRings {
 public:
  static constexpr std::size_t cells = 1024;

  /// Makes the memory of this node, and finds the inboxes of its PEs in it. Collective, once, with the
  /// descriptor channel open. Where memory cannot be shared the rings of no PE open, which is told.
  void open();
  /// Whether the rings are open: on all PEs of the job or on none.
  bool are_open() const { return memory_ != nullptr; }
  /// Whether messages for that PE go this way: it is another one of this node, and the rings are open.
  bool reach(int pe) const { return !targets_.empty() && targets_[static_cast<std::size_t>(pe)] != nullptr; }

  /// Precondition: reach(pe). Otherwise as RingWriter::write(), but that it always takes what it is given.
  void send(int pe, std::uint32_t word, const void* first, std::size_t first_bytes, const void* second,
            std::size_t second_bytes) {
    Target& target = *targets_[static_cast<std::size_t>(pe)];
    if (target.begun < messages_before_provided) [[unlikely]]
      begin(target);
    const bool is_next = target.waiting.empty() || catches_up(target, first_bytes + second_bytes);
    if (!is_next || !target.writer.write(word, first, first_bytes, second, second_bytes)) [[unlikely]]
      keep(target, word, first, first_bytes, second, second_bytes);
    if (wakes_) target.inbox->bell.ring();
  }

  /// Calls `deliver(from_pe, word, bytes, size)` for messages that have come, `most` of them at most, and
  /// sends what had to wait. `deliver` may send. Returns whether there was any.
  template <class Deliver>
  bool poll(int most, const Deliver& deliver) {
    if (!memory_) return false;
    see_to_others();
    bool any = false;
    for (Source& source : sources_) {
      for (int n = most < most_of_one ? most : most_of_one; n > 0; --n, --most) {
        const RingReader::Message message = source.reader.peek();
        if (!message) break;
        deliver(source.pe, message.word, message.bytes, message.size);
        source.reader.pop(message);
        any = true;
      }
    }
    return any;
  }

  /// Delivers one message, for whoever does nothing but wait for it: looks several times where cores are not
  /// short. Every ring gets its turn.
  template <class Deliver>
  bool poll_one(const Deliver& deliver) {
    if (!memory_) return false;
    see_to_others();
    const std::size_t sources = sources_.size();
    for (std::size_t looks = sources == 0 ? 0 : std::max(sources, wakes_ ? 0 : looks_of_who_waits); looks > 0;
         --looks) {
      if (++latest_source_ >= sources) latest_source_ = 0;
      Source& source = sources_[latest_source_];
      const RingReader::Message message = source.reader.peek();
      if (!message) continue;
      deliver(source.pe, message.word, message.bytes, message.size);
      source.reader.pop(message);
      return true;
    }
    return false;
  }

  /// Precondition: reach(pe). Bytes of messages that found no room so far.
  std::size_t backlog(int pe) const { return targets_[static_cast<std::size_t>(pe)]->waiting_bytes; }

  /// Precondition: reach(pe). That PE looks at what it watches, if it sleeps and waking is wanted.
  void wake(int pe) {
    if (wakes_) targets_[static_cast<std::size_t>(pe)]->inbox->bell.ring();
  }
  /// Precondition: reach(pe). memcpy() from what a rank there sends. That PE takes pieces of it if it has
  /// nothing to do meanwhile and both have a core: so it must map both at the same addresses.
  void copy_from(int pe, std::byte* to, const std::byte* from, std::size_t bytes);
  /// Takes pieces of a copy that another PE was about to make from here. Returns whether it did.
  bool help_to_copy() {
    if (!memory_ || own_->asked_by.load(std::memory_order_relaxed) == 0) return false;
    return help_who_asked();
  }

  /// Sleeps so long, ns, or until something comes, or happens that is watched; that it wakes who sleeps costs
  /// a sender some 10 ns, so it is to be wanted.
  void sleep(std::int64_t ns);
  /// Whether PEs of the node wake each other. All of them say the same.
  void want_waking(bool wanted) { wakes_ = wanted; }
  /// Forgets them, and gives the memory back.
  void close();

 private:
  /// Who sends on and on looks for room for what waits, too, but not each time: the look costs a line of the
  /// cache that the reader writes. Else all that finds no room would lie until the sender polls again.
  static constexpr std::size_t bytes_between_looks = 4096;
  /// So many messages of one source before the next one's turn.
  static constexpr int most_of_one = 32;
  /// Many PEs send each other a few at the start, and no more.
  static constexpr std::uint8_t messages_before_provided = 16;
  /// A look takes a nanosecond, all else that a poll looks at ten times as long.
  static constexpr std::size_t looks_of_who_waits = 8;

  /// An inbox. Behind it, from the next page on, are the rings, by the writer's place on the node.
  struct Inbox {
    alignas(kCellBytes) std::atomic<std::uint32_t> joined;  ///< how many write here
    Doorbell bell;                                          ///< of the PE whose inbox it is
    /// Who makes a copy that this PE may help with: a place on the node, plus one; 0: nobody. Of two that ask
    /// at once one is helped.
    alignas(kCellBytes) std::atomic<std::uint32_t> asked_by;
    HelpedCopy copy;  ///< that this PE makes
    /// Who these are: places on the node, plus one; 0 where one is about to be written.
    alignas(kCellBytes) std::atomic<std::uint16_t> writers[];
  };

  struct Waiting {
    std::uint32_t word;
    std::vector<std::byte> bytes;
  };
  struct Target {
    Inbox* inbox;
    RingHead* ring;
    RingWriter writer;
    std::uint8_t begun = 0;  // messages sent, as far as that is counted
    std::deque<Waiting> waiting;
    std::size_t waiting_bytes = 0;
    std::size_t bytes_since_look = 0;  // for room for what waits, by who sends more
  };
  struct Source {
    int pe;
    RingReader reader;
  };

  /// Before each of the first messages_before_provided messages.
  void begin(Target& target);
  void join(Target& target);
  void meet_sources();
  /// Before a look for messages.
  void see_to_others() {
    if (waiting_ > 0) [[unlikely]]
      send_waiting();
    if (own_->joined.load(std::memory_order_acquire) != sources_.size()) [[unlikely]]  // with join()
      meet_sources();
  }
  bool help_who_asked();
  void keep(Target& target, std::uint32_t word, const void* first, std::size_t first_bytes,
            const void* second, std::size_t second_bytes);
  void send_waiting();
  void send_waiting(Target& target);
  /// So many bytes more are to be sent to a target for which something waits. Returns whether nothing waits
  /// any more.
  bool catches_up(Target& target, std::size_t bytes);
  bool has_come();
  Inbox* inbox_of(std::size_t node_pe) const;
  RingHead& ring_of(std::size_t node_pe, std::size_t writer) const;

  std::byte* memory_ = nullptr;  // of the node
  std::size_t bytes_ = 0;
  Inbox* own_ = nullptr;
  std::vector<std::unique_ptr<Target>> targets_;  // by PE of the job
  std::vector<Source> sources_;                   // in the order in which they joined
  std::size_t latest_source_ = 0;                 // that poll_one() looked at
  std::size_t waiting_ = 0;                       // messages that found no room so far
  bool wakes_ = false;
};

}  // namespace skein::net
