// SPDX-License-Identifier: Apache-2.0
// Finds the node of a PE without a division: it is needed several times for each message.
#pragma once
#include <cstdint>
#include <limits>

#include "skein/lb/platform.hpp"

namespace skein::simulate {

/// Computes Platform::node_of(). For n and d of 32 bits, d > 1, floor(n / d) == floor(n * c / 2^64) with c =
/// floor((2^64 - 1) / d) + 1 (D. Lemire et al., "Faster remainder by direct computation", SPE 49(6), 2019).
/// For d == 1, c is 2^64 and overflows to 0, so n is added.
class Nodes {
 public:
  explicit Nodes(const Platform& platform)
      : factor_(std::numeric_limits<std::uint64_t>::max() / platform.pes_per_node + 1),
        alone_(platform.pes_per_node == 1 ? ~PeIndex{0} : 0),
        pes_per_node_(platform.pes_per_node),
        count_(platform.node_of(platform.pe_count() - 1) + 1) {}

  std::uint32_t of(PeIndex pe) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>(static_cast<Wide>(factor_) * pe >> 64) + (pe & alone_);
  }
  bool is_one(PeIndex a, PeIndex b) const { return of(a) == of(b); }
  std::uint32_t count() const { return count_; }
  PeIndex first_of(std::uint32_t node) const { return node * pes_per_node_; }

 private:
  std::uint64_t factor_;
  PeIndex alone_;
  std::uint32_t pes_per_node_, count_;
};

}  // namespace skein::simulate
