// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_rounds.hpp"

#include <mpi.h>

#include "runtime/net/mpi_process.hpp"

namespace skein::net {
namespace {

constexpr int kTagOfNoMessage = 4;

}  // namespace

void PeRounds::open() {
  const auto pes = static_cast<std::size_t>(world.pes);
  if (!exchanges_are_open() || world.nodes > 1 || pes > Exchange::fan_in || world.shares_cores()) return;
  ExchangeAddress address;
  if (world.pe == 0) address = new_exchange(pes);
  SKEIN_MPI_CALL(MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, mpi_process.pes));
  if (address.at != ExchangeAddress::none)
    exchange_.emplace(address, pes, static_cast<std::size_t>(world.pe));
}

void PeRounds::close() { exchange_.reset(); }

void PeRounds::progress() {
  int there = 0;
  SKEIN_MPI_CALL(MPI_Iprobe(MPI_ANY_SOURCE, kTagOfNoMessage, mpi_process.pes, &there, MPI_STATUS_IGNORE));
}

}  // namespace skein::net
