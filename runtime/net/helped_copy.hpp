// SPDX-License-Identifier: Apache-2.0
// A long copy between two processes that share memory, of which either may make a part: the one that begins
// it copies piece by piece from the first on, the other, if it has nothing else to do, from the last on,
// until all pieces are taken. The owner waits for the helper only while that copies a piece that it has
// taken.
//
//     claims = round, pieces taken from the end, pieces taken from the begin
//     both numbers together >= pieces         nothing is left
//     both numbers = none, or round = 0       nothing is, whatever is written about the next copy meanwhile
//     helped = pieces of this round that the helper has copied <= those taken from the end
//     a copy is over  =>  helped = those taken from the end
//
// A helper reads the description of the copy first, then takes a piece only if neither the numbers nor the
// round have changed: so the description belongs to that round. Memory of zeros is a copy that is over. One
// process begins copies; any number may help.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skein::net {

/// `Atomic`: std::atomic, or a test's replacement. `least_piece`: bytes.
template <template <class> class Atomic, std::size_t least_piece>
class alignas(64) CopyWithHelp {
 public:
  /// Copies like memcpy(). Calls `begun()` once others may help.
  template <class Begun>
  void copy(std::byte* to, const std::byte* from, std::size_t bytes, const Begun& begun) {
    const std::size_t piece = std::max(least_piece, (bytes / most_pieces + 64) / 64 * 64);
    const std::uint64_t pieces = (bytes + piece - 1) / piece;
    // Release: a process that reads a new value of these also sees that nothing is left of the copy before;
    // with help().
    to_.store(to, std::memory_order_release);
    from_.store(from, std::memory_order_release);
    bytes_.store(bytes, std::memory_order_release);
    piece_.store(piece, std::memory_order_release);
    helped_.store(0, std::memory_order_relaxed);
    ++round_;
    // Release: all five; with help().
    claims_.store(std::uint64_t{round_} << 32, std::memory_order_release);
    begun();
    std::uint64_t taken;
    for (;;) {
      taken = claims_.fetch_add(1, std::memory_order_relaxed);
      const std::uint64_t mine = from_begin(taken);
      if (mine + from_end(taken) >= pieces) break;
      const std::size_t at = mine * piece;
      memcpy(to + at, from + at, std::min(piece, bytes - at));
    }
    while (helped_.load(std::memory_order_acquire) < from_end(taken)) __builtin_ia32_pause();  // with help()
    claims_.store(std::uint64_t{round_} << 32 | none, std::memory_order_relaxed);
  }

  /// Takes pieces of the copy until none is left, unless its owner has copied more than half. Returns true if
  /// it took any.
  ///
  /// A helper's writes go to its own core's cache, from which the next copy has to fetch them: two processes
  /// that send to each other at the same time, of which one ends a little before the other, would lose.
  bool help() {
    bool any = false;
    std::uint64_t taken = claims_.load(std::memory_order_acquire);  // with copy()
    while (taken >> 32 != 0) {
      std::byte* const to = to_.load(std::memory_order_acquire);
      const std::byte* const from = from_.load(std::memory_order_acquire);
      const std::size_t bytes = bytes_.load(std::memory_order_acquire);
      const std::size_t piece = piece_.load(std::memory_order_acquire);
      const std::uint64_t pieces = (bytes + piece - 1) / piece;
      if (from_begin(taken) + from_end(taken) >= pieces) return any;
      if (!any && 2 * from_begin(taken) > pieces) return false;
      // Acquire: another round may have begun.
      if (!claims_.compare_exchange_weak(taken, taken + one_from_end, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
        continue;
      const std::size_t at = (pieces - 1 - from_end(taken)) * piece;
      memcpy(to + at, from + at, std::min(piece, bytes - at));
      any = true;
      helped_.fetch_add(1, std::memory_order_release);
      taken = claims_.load(std::memory_order_acquire);
    }
    return any;
  }

 private:
  static constexpr std::uint64_t most_pieces = 1 << 14;
  static constexpr std::uint64_t none = 0xffff'ffff;
  static constexpr std::uint64_t one_from_end = 1 << 16;
  static std::uint64_t from_begin(std::uint64_t claims) { return claims & 0xffff; }
  static std::uint64_t from_end(std::uint64_t claims) { return claims >> 16 & 0xffff; }

  Atomic<std::uint64_t> claims_;
  Atomic<std::byte*> to_;
  Atomic<const std::byte*> from_;
  Atomic<std::size_t> bytes_, piece_;
  std::uint32_t round_;  // counted by the process that begins copies
  alignas(64) Atomic<std::uint64_t> helped_;
};

/// The shortest piece: each piece begins slowly, so that a copy in pieces of 32 KiB takes 4 to 9 % longer.
inline constexpr std::size_t kLeastHelpedPiece = std::size_t{128} << 10;
using HelpedCopy = CopyWithHelp<std::atomic, kLeastHelpedPiece>;

}  // namespace skein::net
