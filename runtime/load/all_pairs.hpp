// SPDX-License-Identifier: Apache-2.0
// The messages of a rank in a collective in which everybody sends to everybody, for the log of messages.
// Logged one by one, such a collective would make an edge of each pair of ranks, on every PE. So some
// partners stand for all: each rank has its own, drawn by a hash, the same in every call. They make a random
// graph of even degree, whose cuts are those of the complete graph but for some percent (D. Spielman, S.-H.
// Teng, "Spectral sparsification of graphs", SIAM Journal on Computing 40, 2011), so a strategy finds,
// correctly, that the collective favours no placement over another. A rank that sends to few logs just these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/load/traffic_log.hpp"

namespace skein::load {

class AllPairs {
 public:
  static constexpr std::size_t most_partners = 32;

  /// `from`: world rank, like `to`.
  explicit AllPairs(int from) : from_(from) {}
  /// Adds a message; ignores one without bytes, which needs nobody near.
  void add(int to, std::uint64_t bytes);
  /// Logs as many messages and bytes as were added.
  void log(TrafficLog& traffic) const;

 private:
  struct Partner {
    std::uint64_t order;
    int to;
    std::uint64_t bytes;
  };
  int from_;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t chosen_ = 0;
  std::array<Partner, most_partners> partners_;  // the partners of lowest order so far, a heap
};

}  // namespace skein::load
