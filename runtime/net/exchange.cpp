// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/exchange.hpp"

namespace skein::net {
namespace {

/// By level, from the PEs up to what the root has below it.
std::vector<std::size_t> widths_of(std::size_t pes) {
  std::vector<std::size_t> widths;
  for (std::size_t width = pes; width > 1; width = (width + Exchange::fan_in - 1) / Exchange::fan_in)
    widths.push_back(width);
  return widths;
}

std::size_t lanes_of(std::size_t pes) {
  std::size_t lanes = 1;  // the root
  for (const std::size_t width : widths_of(pes)) lanes += width;
  return lanes;
}

}  // namespace

std::size_t Exchange::bytes_for(std::size_t pes) {
  return lanes_of(pes) * (sizeof(Lane) + depth * sizeof(LongBlock));
}

Exchange::Exchange(std::byte* memory, std::size_t pes, std::size_t place, std::uint64_t round)
    : lanes_(reinterpret_cast<Lane*>(memory)),
      long_blocks_(reinterpret_cast<LongBlock*>(memory + lanes_of(pes) * sizeof(Lane))),
      pes_(pes),
      place_(place),
      widths_(widths_of(pes)),
      lane_count_(lanes_of(pes)),
      first_(round),
      round_(round),
      entered_by_all_(round),
      own_result_(std::make_unique_for_overwrite<std::byte[]>(longest_block)) {}

bool Exchange::look() {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t place = 0; place < pes_; ++place)
    least = std::min(least, lanes_[place].entered.load(std::memory_order_acquire));  // with enter()
  entered_by_all_ = std::max(entered_by_all_, least);
  return entered_by_all_ + depth >= round_ + 2;
}

}  // namespace skein::net
