// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/exchanges.hpp"

#include <sys/mman.h>

#include <map>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/shared_memory.hpp"

namespace skein::net {
namespace {

/// Bytes of address space for each PE, of which little becomes memory: an exchange of two PEs takes 5 pages
/// once it is used for short blocks.
constexpr std::size_t kBytesOfPe = std::size_t{64} << 20;

/// The header in front of an exchange.
struct alignas(64) Head {
  std::atomic<std::uint32_t> joined;  ///< PEs that have not left
  std::atomic<std::uint64_t> rounds;  ///< rounds made, once all PEs have left
};

struct Area {
  std::byte* memory = nullptr;  // of the node
  std::size_t bytes = 0;
  std::size_t used = 0;  // of this PE's part; all of it if no part is left
  std::map<std::size_t, std::vector<std::uint64_t>>
      of;  // exchanges that this PE has given out, by number of PEs
};
Area area;

Head& head_at(std::uint64_t at) { return *reinterpret_cast<Head*>(area.memory + at); }

ExchangeAddress give_out(std::uint64_t at, std::size_t pes) {
  Head& head = head_at(at);
  head.joined.store(static_cast<std::uint32_t>(pes), std::memory_order_relaxed);  // before others are told
  return {at, head.rounds.load(std::memory_order_relaxed)};
}

}  // namespace

void open_exchanges() {
  SKEIN_CHECK(!area.memory, "the memory of exchanges is there already");
  const std::size_t pes = world.node_pes.size();
  area = {};
  area.bytes = pes * kBytesOfPe;
  area.memory = share_memory(area.bytes, "PEs of a node make collectives by messages");
  // No exchange is at address 0.
  area.used = world.node_pe == 0 ? sizeof(Head) : 0;
}

bool exchanges_are_open() { return area.memory != nullptr; }

void close_exchanges() {
  if (area.memory) munmap(area.memory, area.bytes);
  area = {};
}

ExchangeAddress new_exchange(std::size_t pes) {
  std::vector<std::uint64_t>& given_out = area.of[pes];
  for (const std::uint64_t at : given_out)
    if (head_at(at).joined.load(std::memory_order_acquire) == 0)
      return give_out(at, pes);  // with the destructor of JoinedExchange
  const std::size_t bytes = sizeof(Head) + Exchange::bytes_for(pes);
  if (bytes > kBytesOfPe - area.used) return {};
  const std::uint64_t at = static_cast<std::uint64_t>(world.node_pe) * kBytesOfPe + area.used;
  area.used += bytes;
  given_out.push_back(at);
  return give_out(at, pes);
}

JoinedExchange::JoinedExchange(const ExchangeAddress& address, std::size_t pes, std::size_t place)
    : Exchange(area.memory + address.at + sizeof(Head), pes, place, address.first_round), at_(address.at) {}

JoinedExchange::~JoinedExchange() {
  Head& head = head_at(at_);
  // All have made equally many rounds; in a job whose members did not, the largest number counts.
  std::uint64_t rounds = head.rounds.load(std::memory_order_relaxed);
  while (rounds < round() && !head.rounds.compare_exchange_weak(rounds, round(), std::memory_order_relaxed)) {
  }
  head.joined.fetch_sub(1, std::memory_order_release);  // with new_exchange()
}

}  // namespace skein::net
