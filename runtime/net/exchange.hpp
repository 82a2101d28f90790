// SPDX-License-Identifier: Apache-2.0
// Blocks of bytes that a few PEs of a node exchange, in memory that they share: what collectives are made of.
//
// The PEs make *rounds*, all the same ones in the same order, each numbered by its own count. In a round a PE
// may post a block, which all the others can read, where it lies, until they are through with the round; it
// need wait for nobody but those whose blocks it wants. So PEs run ahead of each other, but never by more
// than the blocks that memory has room for:
//
//     the block of round r lies in slot r mod depth of the PE's lane, with its length
//     entered of a PE = r + 1     it is in round r, and through with all before
//     mark of a slot  = r + 1     the block of round r is there
//     a PE posts in round r  =>  entered >= r - depth + 2 of all PEs: none reads round r - depth any more
//
// What all PEs have can be combined in two ways. Each reads the blocks of all others: the fastest for a few
// PEs with a core each. Or they *arrive* at the nodes of a tree, and whoever arrives last at a node combines
// what the node's PEs have and goes up with it: no PE waits on the way up, so PEs that share cores need one
// switch of processes each, and no block is read by more than a few. Either way blocks are combined in the
// order of their places, so that it is the same, bit by bit, whoever does it.
//
// With each round a PE says a word, the same on all: what it takes the round to be. Where all wait for all,
// it is compared with the blocks, or by the sum at each node of the tree. Of other rounds it is kept, and
// compared when there is no room, or all have come: one PE's mistake does not go by in silence.
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
  /// How many rounds a PE may be ahead of another, and one more.
  static constexpr std::uint64_t depth = 8;
  static constexpr std::size_t longest_short = 480;   ///< a block that long is next to its mark
  static constexpr std::size_t longest_block = 8192;  ///< bytes
  /// PEs, or nodes, that have a node of the tree.
  static constexpr std::size_t fan_in = 8;

  /// What an exchange of so many PEs takes.
  static std::size_t bytes_for(std::size_t pes);

  /// The end of the PE at this place among `pes`, at least two. `memory`: bytes_for(pes), aligned to 64; the
  /// same for all. `round`: the first one; in all earlier ones of this memory there were as many PEs.
  Exchange(std::byte* memory, std::size_t pes, std::size_t place, std::uint64_t round = 0);

  std::size_t pes() const { return pes_; }
  std::size_t place() const { return place_; }
  std::uint64_t round() const { return round_; }

  /// What this PE says of the rounds that it enters from here on.
  void say(std::uint64_t word) { word_ = word; }
  /// A PE that has said another word of a round than this one.
  struct Unlike {
    std::size_t place;
    std::uint64_t here, there;
  };
  /// The first that was noticed, or null.
  const Unlike* unlike() const { return unlike_.here == unlike_.there ? nullptr : &unlike_; }

  /// First in each round.
  void enter() {
    lanes_[place_].said[round_ % words_kept] = word_;
    // Release: what was read in the rounds before has been; with has_room().
    lanes_[place_].entered.store(round_ + 1, std::memory_order_release);
  }
  /// Whether a block may be posted in this round, by this PE or, after arrive(), at a node.
  bool has_room() { return round_ < first_ + depth || entered_by_all_ + depth >= round_ + 2 || look(); }
  /// Where the block that this PE posts is to be. Aligned to 16. Precondition: has_room(), at most
  /// longest_block bytes.
  std::byte* own_block(std::size_t bytes) { return new_block(place_, bytes); }
  /// The block of this round is complete. Once in a round, or not at all.
  void post() { mark(place_); }

  /// Whether that PE's block of this round is there.
  bool has_come(std::size_t place) const {
    return lanes_[place].slots[slot()].mark.load(std::memory_order_acquire) == round_ + 1;  // with mark()
  }
  /// Whether those of all PEs are.
  bool have_all_come() {
    while (missing_ < pes_ && has_come(missing_)) ++missing_;
    if (missing_ < pes_) return false;
    note_all_come();
    return true;
  }
  /// That block. Precondition: has_come(place), or has_result().
  std::span<const std::byte> block(std::size_t place) {
    const std::uint64_t said = lanes_[place].slots[slot()].said;
    if (said != word_) [[unlikely]]
      note_unlike(place, word_, said);
    return block_at(place);
  }

  /// In the place of post(), on all PEs, and each has a block. Whoever comes last at a node calls
  /// `combine(to, blocks, count)` there, if `bytes` is not 0, which then is what all blocks have:
  /// `blocks(i)`, i < count, is the block of the node's i-th PE, or lower node. True on the PE that was the
  /// last of all; the others have the result once has_result().
  template <class Combine>
  bool arrive(std::size_t bytes, const Combine& combine) {
    // One that arrives, and above that what it says.
    const std::uint64_t one = (word_ * 0x9e3779b97f4a7c15 & ~std::uint64_t{0xff}) + 1;
    std::size_t below = 0, child = place_;  // the first lane of the level, and which of it
    for (const std::size_t width : widths_) {
      const std::size_t node = child / fan_in, first = below + node * fan_in;
      const std::size_t children = std::min(fan_in, width - node * fan_in);
      below += width;
      Lane& lane = lanes_[below + node];
      std::atomic<std::uint64_t>& arrived = lane.arrived[slot()];
      // Acquire and release: the last one reads what the others have written.
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
  /// This PE has seen that the blocks of all are there.
  void note_all_come() { entered_by_all_ = round_ + 1; }
  /// Precondition: has_result(), of more than 0 bytes.
  std::span<const std::byte> result() const { return block_at(root()); }

  /// Room for longest_block bytes that this PE alone sees, aligned to 16: for what it makes of others'
  /// blocks.
  std::byte* own_result() { return own_result_.get(); }

  /// Last in each round: nothing of it is read any more.
  void leave() {
    if (entered_by_all_ > round_) {
      if (compared_ < round_) compare_up_to(round_);
      compared_ = round_ + 1;
    }
    ++round_;
    missing_ = 0;
  }

 private:
  /// Words of so many rounds: no PE is as far ahead as to write over those that compare_up_to() reads.
  static constexpr std::uint64_t words_kept = 4 * depth;
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> mark;
    std::uint64_t bytes;  // of the block
    std::uint64_t said;   // by the PE whose it is
    alignas(16) std::byte block[longest_short];
  };
  static_assert(sizeof(Slot) == 512 && offsetof(Slot, block) % 16 == 0);
  struct LongBlock {
    alignas(64) std::byte bytes[longest_block];
  };
  /// What a PE, or a node of the tree, shows the others.
  struct alignas(64) Lane {
    std::atomic<std::uint64_t> entered;                     // of a PE
    alignas(64) std::atomic<std::uint64_t> arrived[depth];  // of a node: how many, and their words, by slot
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
  /// Whether there is room, seen anew.
  bool look();

  /// What all have said of the rounds before `end`, all of whom have entered these.
  void compare_up_to(std::uint64_t end);
  /// Compares what those say who have entered that one.
  void compare(std::uint64_t round);
  [[gnu::cold]] void note_unlike(std::size_t place, std::uint64_t here, std::uint64_t there);

  Lane* lanes_;  // of the PEs by place, then of the nodes from the lowest level up
  LongBlock* long_blocks_;
  std::size_t pes_, place_;
  std::vector<std::size_t> widths_;  // lanes at each level of the tree but the root
  std::size_t lane_count_;
  std::uint64_t first_, round_;
  std::uint64_t entered_by_all_ = 0;  // as known here: no PE's is less
  std::size_t missing_ = 0;           // in this round: the first place whose block was not seen yet
  std::uint64_t word_ = 0;
  std::uint64_t compared_ = 0;  // all rounds before were, or are gone
  Unlike unlike_{};
  std::unique_ptr<std::byte[]> own_result_;
};

}  // namespace skein::net
