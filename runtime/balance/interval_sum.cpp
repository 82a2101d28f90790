// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/interval_sum.hpp"

#include <cstring>
#include <vector>

#include "runtime/balance/block_exchange.hpp"
#include "runtime/net/joined.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

/// Sends each PE the times of objects that it would have used: of objects that the program placed there, or
/// that the last step took from there.
void exchange_elsewhere(IntervalShare& mine) {
  using Elsewhere = IntervalShare::Elsewhere;
  Blocks out(static_cast<std::size_t>(net::world.pes));
  for (const Elsewhere& part : mine.take_elsewhere()) {
    std::vector<std::byte>& block = out[static_cast<std::size_t>(part.pe)];
    block.resize(sizeof part);
    memcpy(block.data(), &part, sizeof part);
  }
  for (const std::vector<std::byte>& block : exchange_blocks(out)) {
    if (block.empty()) continue;
    Elsewhere part;
    memcpy(&part, block.data(), sizeof part);
    mine.add_elsewhere(part);
  }
}

}  // namespace

Interval sum_over_pes(IntervalShare mine, std::uint64_t index, std::uint64_t points) {
  if (each_pe_is_told()) {
    std::vector<double> sums = mine.numbers();
    net::sum_of_all(sums);
    return Interval(index, points, sums);
  }
  exchange_elsewhere(mine);
  lb::IntervalExtremes all = mine.extremes();
  net::add_on_all(all);
  return Interval(index, points, all);
}

}  // namespace skein::balance
