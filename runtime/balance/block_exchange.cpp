// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/block_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/balance/steps.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

net::Handler on_packet;
const net::MessageKind packet_message("exchanged-block", on_packet, net::Counted::no);

void on_packet(int from_pe, const std::byte* message, std::size_t bytes) {
  std::uint32_t its_parity = 0;
  memcpy(&its_parity, message, sizeof its_parity);
  Blocks& blocks = steps->exchange.arrived[its_parity];
  blocks.resize(static_cast<std::size_t>(net::world.pes));
  std::vector<std::byte>& block = blocks[static_cast<std::size_t>(from_pe)];
  block.insert(block.end(), message + sizeof its_parity, message + bytes);
  ++steps->exchange.packets_received;
}

void send_block(int pe, std::span<const std::byte> block) {
  constexpr std::size_t piece = net::kLongestMessage - sizeof steps->exchange.parity;
  for (std::size_t at = 0; at < block.size(); at += piece) {
    const auto part = block.subspan(at, std::min(piece, block.size() - at));
    net::send(pe, packet_message, {&steps->exchange.parity, sizeof steps->exchange.parity},
              {part.data(), part.size()});
    ++steps->exchange.packets_sent;
  }
}

/// Waits until as many packets have come as were sent. Every PE has sent all packets of this exchange before
/// the first sum, so the number of those sent stays constant.
void wait_for_all_packets() {
  std::array<std::uint64_t, 2> counts;
  do {
    while (net::poll()) {  // a PE alone waits for nobody, but must receive its own messages
    }
    counts = {steps->exchange.packets_sent, steps->exchange.packets_received};
    net::sum_polling(counts);
  } while (counts[0] != counts[1]);
}

}  // namespace

Blocks exchange_blocks(const Blocks& out) {
  for (std::size_t pe = 0; pe < out.size(); ++pe) send_block(static_cast<int>(pe), out[pe]);
  wait_for_all_packets();
  Blocks in = std::exchange(steps->exchange.arrived[steps->exchange.parity], {});
  in.resize(out.size());
  steps->exchange.parity ^= 1;
  return in;
}

}  // namespace skein::balance
