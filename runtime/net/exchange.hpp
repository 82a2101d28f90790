// SPDX-License-Identifier: Apache-2.0
// Blocks of bytes that a few PEs of a node exchange in memory that they share: collectives are built from
// them.
//
// The PEs make *rounds*, all the same ones in the same order, each numbered by its own count. In a round a PE
// may post a block, which all the others can read in place until they leave the round; a PE waits only for
// those whose blocks it wants. So PEs run ahead of each other, but never by more than the blocks that memory
// has room for:
//
//     the block of round r lies in slot r mod depth of the PE's lane, with its length
//     entered of a PE = r + 1     it is in round r, and through with all before
//     mark of a slot  = r + 1     the block of round r is there
//     a PE posts in round r  =>  entered >= r - depth + 2 of all PEs: none reads round r - depth any more
//
// The blocks of all PEs can be combined in two ways. Each PE reads the blocks of all others: the fastest for
// a few PEs with a core each. Or the PEs *arrive* at the nodes of a tree, and the last one to arrive at a
// node combines the blocks of the node's PEs and goes up with the result: no PE waits on the way up, so PEs
// that share cores need one switch of processes each, and each block is read by only a few. Both ways combine
// the blocks in the order of the PEs' places, so that the result is the same bit by bit, whichever PE
// computes it.
//
// With each round a PE says a word that tells which call it takes the round for; all must say the same. Where
// all wait for all, the word is compared with the blocks, or by the sum at each node of the tree. In other
// rounds it is kept, and compared when there is no room, or all have come: no mistake of one PE goes
// unnoticed.
//
// Memory of zeros is an exchange whose first round is 0. For one thread of each process.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skein::net {

class Exchange {
 public:
  /// The number of rounds that a PE may be ahead of another, plus one.
  static constexpr std::uint64_t depth = 8;
  static constexpr std::size_t longest_short = 480;   ///< a block of at most this length is next to its mark
  static constexpr std::size_t longest_block = 8192;  ///< bytes
  /// The largest number of PEs, or of lower nodes, below a node of the tree.
  static constexpr std::size_t fan_in = 8;

  /// Returns the bytes of memory that an exchange of so many PEs takes.
  static std::size_t bytes_for(std::size_t pes);

  /// Makes the end of the PE at `place` among `pes`, at least two. `memory`: bytes_for(pes), aligned to 64,
  /// shared by all PEs. `round`: the first round; all earlier rounds of this memory had as many PEs.
  Exchange(std::byte* memory, std::size_t pes, std::size_t place, std::uint64_t round = 0);

  std::size_t pes() const { return pes_; }
  std::size_t place() const { return place_; }
  std::uint64_t round() const { return round_; }

  /// Sets the word that this PE says in the rounds that it enters from here on.
  void say(std::uint64_t word) { word_ = word; }
  /// A PE that has said another word in a round than this PE.
  struct Unlike {
    std::size_t place;
    std::uint64_t here, there;
  };
  /// Returns the first difference that was noticed, or null.
  const Unlike* unlike() const { return unlike_.here == unlike_.there ? nullptr : &unlike_; }

  /// Enters the next round: the first call of each round.
  void enter() {
    lanes_[place_].said[round_ % words_kept] = word_;
    // Release: this PE's reads in earlier rounds are done; with has_room().
    lanes_[place_].entered.store(round_ + 1, std::memory_order_release);
  }
  /// Returns true if a block may be posted in this round, by this PE or, after arrive(), at a node.
  bool has_room() { return round_ < first_ + depth || entered_by_all_ + depth >= round_ + 2 || look(); }
  /// Returns the memory for the block that this PE posts, aligned to 16. Precondition: has_room(), at most
  /// longest_block bytes.
  std::byte* own_block(std::size_t bytes) { return new_block(place_, bytes); }
  /// Announces that this PE's block of this round is complete. At most once in a round.
  void post() { mark(place_); }

  /// Returns true if the block of the PE at `place` of this round is there.
  bool has_come(std::size_t place) const {
    return lanes_[place].slots[slot()].mark.load(std::memory_order_acquire) == round_ + 1;  // with mark()
  }
  /// Returns true if the blocks of all PEs of this round are there.
  bool have_all_come() {
    while (missing_ < pes_ && has_come(missing_)) ++missing_;
    if (missing_ < pes_) return false;
    note_all_come();
    return true;
  }
  /// Returns the block of the PE at `place`. Precondition: has_come(place), or has_result().
  std::span<const std::byte> block(std::size_t place) {
    const std::uint64_t said = lanes_[place].slots[slot()].said;
    if (said != word_) [[unlikely]]
      note_unlike(place, word_, said);
    return block_at(place);
  }

  /// Takes the place of post() in rounds to which all PEs bring a block. The last PE to arrive at a node
  /// calls `combine(to, blocks, count)`, unless `bytes`, the length of all blocks, is 0: `blocks(i)`, i <
  /// count, is the block of the node's i-th PE or lower node. Returns true on the PE that was the last of
  /// all; the others have the result once has_result().
  template <class Combine>
  bool arrive(std::size_t bytes, const Combine& combine) {
    // The low byte counts one arrival; the upper bytes carry the word that this PE says.
    const std::uint64_t one = (word_ * 0x9e3779b97f4a7c15 & ~std::uint64_t{0xff}) + 1;
    std::size_t below = 0, child = place_;  // the first lane of the level, and the index in it
    for (const std::size_t width : widths_) {
      const std::size_t node = child / fan_in, first = below + node * fan_in;
      const std::size_t children = std::min(fan_in, width - node * fan_in);
      below += width;
      Lane& lane = lanes_[below + node];
      std::atomic<std::uint64_t>& arrived = lane.arrived[slot()];
      // Acquire and release: the last PE reads what the others have written.
      const std::uint64_t all = arrived.fetch_add(one, std::memory_order_acq_rel) + one;
      if ((all & 0xff) < children) return false;
      if (all != children * one) [[unlikely]]
        compare(round_);
      arrived.store(0, std::memory_order_relaxed);  // seen by all before the round that uses it again
      if (bytes > 0)
        combine(
            new_block(below + node, bytes), [&](std::size_t i) { return block_at(first + i); }, children);
      child = node;
    }
    mark(root());
    return true;
  }
  bool has_result() {
    if (!has_come(root())) return false;
    note_all_come();
    return true;
  }
  /// Notes that this PE has seen the blocks of all.
  void note_all_come() { entered_by_all_ = round_ + 1; }
  /// Returns the combined block. Precondition: has_result(), of more than 0 bytes.
  std::span<const std::byte> result() const { return block_at(root()); }

  /// Returns memory of longest_block bytes, private to this PE and aligned to 16, for the result that it
  /// computes from others' blocks.
  std::byte* own_result() { return own_result_.get(); }

  /// Leaves the round: the last call of each round, after which nothing of it is read.
  void leave() {
    if (entered_by_all_ > round_) {
      if (compared_ < round_) compare_up_to(round_);
      compared_ = round_ + 1;
    }
    ++round_;
    missing_ = 0;
  }

 private:
  /// The number of rounds whose words are kept: no PE is so far ahead that it overwrites those that
  /// compare_up_to() reads.
  static constexpr std::uint64_t words_kept = 4 * depth;
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> mark;
    std::uint64_t bytes;  // of the block
    std::uint64_t said;   // by the PE that posted the block
    alignas(16) std::byte block[longest_short];
  };
  static_assert(sizeof(Slot) == 512 && offsetof(Slot, block) % 16 == 0);
  struct LongBlock {
    alignas(64) std::byte bytes[longest_block];
  };
  /// The state that a PE, or a node of the tree, shows the others.
  struct alignas(64) Lane {
    std::atomic<std::uint64_t> entered;                     // of a PE
    alignas(64) std::atomic<std::uint64_t> arrived[depth];  // of a node: arrivals, sum of words, by slot
    std::uint64_t said[words_kept];                         // of a PE, by round
    Slot slots[depth];
  };

  std::size_t slot() const { return round_ % depth; }
  std::size_t root() const { return lane_count_ - 1; }
  std::byte* place_of(std::size_t lane, std::size_t bytes) const {
    return bytes <= longest_short ? lanes_[lane].slots[slot()].block
                                  : long_blocks_[lane * depth + slot()].bytes;
  }
  std::byte* new_block(std::size_t lane, std::size_t bytes) {
    lanes_[lane].slots[slot()].bytes = bytes;
    lanes_[lane].slots[slot()].said = word_;
    return place_of(lane, bytes);
  }
  std::span<const std::byte> block_at(std::size_t lane) const {
    const std::size_t bytes = lanes_[lane].slots[slot()].bytes;
    return {place_of(lane, bytes), bytes};
  }
  void mark(std::size_t lane) {
    lanes_[lane].slots[slot()].mark.store(round_ + 1, std::memory_order_release);  // with has_come()
  }
  /// Returns true if there is room, after reading the counters of all PEs again.
  bool look();

  /// Compares the words that all have said in the rounds before `end`, which all PEs have entered.
  void compare_up_to(std::uint64_t end);
  /// Compares the words of the PEs that have entered that round.
  void compare(std::uint64_t round);
  [[gnu::cold]] void note_unlike(std::size_t place, std::uint64_t here, std::uint64_t there);

  Lane* lanes_;  // of the PEs by place, then of the nodes from the lowest level up
  LongBlock* long_blocks_;
  std::size_t pes_, place_;
  std::vector<std::size_t> widths_;  // lanes at each level of the tree but the root
  std::size_t lane_count_;
  std::uint64_t first_, round_;
  std::uint64_t entered_by_all_ = 0;  // as known here: no PE's counter is less
  std::size_t missing_ = 0;           // the first place whose block of this round was not seen yet
  std::uint64_t word_ = 0;
  std::uint64_t compared_ = 0;  // all rounds before this one were compared, or their words are gone
  Unlike unlike_{};
  std::unique_ptr<std::byte[]> own_result_;
};

}  // namespace skein::net
