// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/exchange.hpp"

namespace skein::net {
namespace {

/// Returns the widths of the levels, from the PEs up to the children of the root.
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
      compared_(round),
      own_result_(std::make_unique_for_overwrite<std::byte[]>(longest_block)) {}

/// When this PE sees another enter round r, that one has seen all in round r - depth. So while this PE is in
/// round q, words of the rounds up to q - 3 depth may be overwritten.
void Exchange::compare_up_to(std::uint64_t end) {
  std::uint64_t round = std::max(compared_, round_ - std::min(round_ - first_, words_kept - depth - 1));
  for (; round < end; ++round) compare(round);
  compared_ = std::max(compared_, end);
}

void Exchange::compare(std::uint64_t round) {
  const std::uint64_t here = lanes_[place_].said[round % words_kept];
  for (std::size_t place = 0; place < pes_; ++place) {
    if (lanes_[place].entered.load(std::memory_order_acquire) <= round) continue;  // with enter()
    const std::uint64_t there = lanes_[place].said[round % words_kept];
    if (there != here) [[unlikely]]
      note_unlike(place, here, there);
  }
}

void Exchange::note_unlike(std::size_t place, std::uint64_t here, std::uint64_t there) {
  if (!unlike()) unlike_ = {place, here, there};
}

bool Exchange::look() {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t place = 0; place < pes_; ++place)
    least = std::min(least, lanes_[place].entered.load(std::memory_order_acquire));  // with enter()
  least = std::min(least, round_);
  entered_by_all_ = std::max(entered_by_all_, least);
  compare_up_to(least);
  return entered_by_all_ + depth >= round_ + 2;
}

}  // namespace skein::net
