// SPDX-License-Identifier: Apache-2.0
// Active messages between the PEs of a node, through memory that they share: every PE has an inbox there, in
// which each other PE of its node has a ring (ring.hpp). A ring takes memory once somebody writes into it, so
// a PE's inbox grows with those that it hears from, not with the PEs of the node: a page or two at first, and
// the whole ring at once when its writer goes on, whom page faults would otherwise stop again and again in
// its first round.
//
// A message that finds no room waits with its sender, as do those behind it.
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
  /// descriptor channel open. If memory cannot be shared on one node, no rings open in the job, and a message
  /// says so.
  void open();
  /// Returns true if the rings are open: on all PEs of the job or on none.
  bool are_open() const { return memory_ != nullptr; }
  /// Returns true if messages for that PE go through rings: it is another PE of this node, and the rings are
  /// open.
  bool reach(int pe) const { return !targets_.empty() && targets_[static_cast<std::size_t>(pe)] != nullptr; }

  /// Sends two pieces as one message, as RingWriter::write() does; keeps it here while there is no room.
  /// Precondition: reach(pe).
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

  /// Calls `deliver(from_pe, word, bytes, size)` for at most `most` messages that have come, and sends those
  /// that had to wait. `deliver` may send. Returns true if there was any.
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

  /// Delivers one message to a caller that does nothing but wait for it: looks several times where cores are
  /// not short. Every ring gets its turn.
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

  /// Returns the bytes of messages to that PE that found no room so far. Precondition: reach(pe).
  std::size_t backlog(int pe) const { return targets_[static_cast<std::size_t>(pe)]->waiting_bytes; }

  /// Wakes that PE, if it sleeps and waking is wanted, so that it looks at what it watches. Precondition:
  /// reach(pe).
  void wake(int pe) {
    if (wakes_) targets_[static_cast<std::size_t>(pe)]->inbox->bell.ring();
  }
  /// Copies from what a rank on that PE sends, like memcpy(). That PE copies some of the pieces if it has
  /// nothing to do meanwhile and both have a core: so it must map both buffers at the same addresses.
  /// Precondition: reach(pe).
  void copy_from(int pe, std::byte* to, const std::byte* from, std::size_t bytes);
  /// Copies pieces for a copy that another PE makes from this PE's memory. Returns true if it copied any.
  bool help_to_copy() {
    if (!memory_ || own_->asked_by.load(std::memory_order_relaxed) == 0) return false;
    return help_who_asked();
  }

  /// Sleeps for `ns` nanoseconds, or until something comes or something watched happens. As waking costs a
  /// sender some 10 ns, it happens only where want_waking() said so.
  void sleep(std::int64_t ns);
  /// Sets whether PEs of the node wake each other. All of them say the same.
  void want_waking(bool wanted) { wakes_ = wanted; }
  /// Forgets all messages, and gives the memory back.
  void close();

 private:
  /// A sender looks for room for its waiting messages after so many bytes: each look costs a cache line that
  /// the reader writes, but without any the messages would lie until the sender polls again.
  static constexpr std::size_t bytes_between_looks = 4096;
  /// Messages of one source before it is the next one's turn.
  static constexpr int most_of_one = 32;
  /// Messages to a target before its whole ring gets memory: many PEs send each other a few at the start, and
  /// no more.
  static constexpr std::uint8_t messages_before_provided = 16;
  /// Looks at the rings by a PE that waits: one takes a nanosecond, the rest of a poll ten times as long.
  static constexpr std::size_t looks_of_who_waits = 8;

  /// An inbox. The rings follow it from the next page on, by the writer's place on the node.
  struct Inbox {
    alignas(kCellBytes) std::atomic<std::uint32_t> joined;  ///< number of writers
    Doorbell bell;                                          ///< of the PE whose inbox it is
    /// The PE whose copy this PE may help with: a place on the node, plus one; 0: nobody. Of two that ask at
    /// once one is helped.
    alignas(kCellBytes) std::atomic<std::uint32_t> asked_by;
    HelpedCopy copy;  ///< the copy that this PE makes
    /// The writers: places on the node, plus one; 0 where one is about to be written.
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
    std::uint8_t begun = 0;  // messages sent, counted up to messages_before_provided
    std::deque<Waiting> waiting;
    std::size_t waiting_bytes = 0;
    std::size_t bytes_since_look = 0;  // bytes sent since the last look for room for waiting messages
  };
  struct Source {
    int pe;
    RingReader reader;
  };

  /// Gives the target's ring its memory in time. Call it before each of the first messages_before_provided
  /// messages.
  void begin(Target& target);
  void join(Target& target);
  void meet_sources();
  /// Welcomes new writers, and sends what waited. Call it before a look for messages.
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
  /// Notes that so many more bytes are to go to a target for which messages wait. Returns true if none waits
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
  std::size_t latest_source_ = 0;                 // at which poll_one() looked last
  std::size_t waiting_ = 0;                       // messages that found no room so far
  bool wakes_ = false;
};

}  // namespace skein::net
