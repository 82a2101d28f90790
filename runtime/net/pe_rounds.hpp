// SPDX-License-Identifier: Apache-2.0
// Short collective calls of all PEs through memory that they share (exchange.hpp), in place of calls of the
// MPI underneath: for pe_collectives.cpp alone. They take the time of a cache line or two from core to core,
// at most an eighth of that MPI's.
//
// They need all PEs on one node, few of them, and a core for each: each PE reads the blocks of all others,
// and spins while it waits.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

#include "runtime/net/exchanges.hpp"
#include "runtime/net/nodes.hpp"

namespace skein::net {

class PeRounds {
 public:
  /// Opens the rounds, where they can be had. Collective, with the exchanges open.
  void open();
  void close();
  /// Returns true if blocks of so many bytes go through rounds. The same on all PEs.
  bool fits(std::size_t bytes) const { return exchange_ && bytes <= Exchange::longest_block; }

  /// Makes a round in which each PE brings a block: `read(block_of)` reads that of each PE by `block_of(pe)`.
  /// A PE that waits longer than others usually need calls `wait` again and again.
  template <class Read, class Wait>
  void among_all(std::span<const std::byte> mine, const Read& read, const Wait& wait) {
    exchange_->enter();
    post(mine, wait);
    wait_until([this] { return exchange_->have_all_come(); }, wait);
    read([this](std::size_t pe) { return exchange_->block(pe); });
    exchange_->leave();
  }
  /// Makes a round in which nobody brings anything.
  template <class Wait>
  void meet(const Wait& wait) {
    among_all(
        {}, [](const auto&) {}, wait);
  }
  /// Makes a round in which PE `root` brings `data`, which the others get.
  template <class Wait>
  void from_one(int root, std::span<std::byte> data, const Wait& wait) {
    const auto place = static_cast<std::size_t>(root);
    exchange_->enter();
    if (root == world.pe) {
      post(data, wait);
    } else {
      wait_until([&] { return exchange_->has_come(place); }, wait);
      if (!data.empty()) memcpy(data.data(), exchange_->block(place).data(), data.size());
    }
    exchange_->leave();
  }

 private:
  template <class Wait>
  void post(std::span<const std::byte> block, const Wait& wait) {
    wait_until([this] { return exchange_->has_room(); }, wait);
    std::byte* const place = exchange_->own_block(block.size());
    if (!block.empty()) memcpy(place, block.data(), block.size());
    exchange_->post();
  }
  template <class Has, class Wait>
  void wait_until(const Has& has, const Wait& wait) {
    constexpr int looks = 64;  // about a microsecond
    for (int i = 0; i < looks; ++i) {
      if (has()) return;
      __builtin_ia32_pause();
    }
    for (unsigned waits = 0; !has(); ++waits) {
      if (waits % waits_between_progress == 0) progress();
      wait();
    }
  }
  /// Lets the MPI underneath progress: others may wait for a call of it that is over here.
  static void progress();
  static constexpr unsigned waits_between_progress = 64;

  std::optional<JoinedExchange> exchange_;
};

}  // namespace skein::net
