// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/mpmd/team.hpp"

#include <vector>

#include "runtime/advisor/wire.hpp"

namespace skein::mpmd {

namespace wire = advisor::wire;

namespace {
constexpr int kBlock = 1;
}

DecidingTeam::DecidingTeam(MPI_Comm deciders) {
  PMPI_Comm_dup(deciders, &communicator_);
  int rank = 0, size = 1;
  PMPI_Comm_rank(communicator_, &rank);
  PMPI_Comm_size(communicator_, &size);
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
}

DecidingTeam::~DecidingTeam() { PMPI_Comm_free(&communicator_); }

/// Lengths first, since messages come in whole blocks.
lb::Team::Blocks DecidingTeam::exchange(const Blocks& out) {
  std::vector<std::uint64_t> sent(size_), coming(size_);
  for (std::size_t p = 0; p < size_; ++p) sent[p] = out[p].size();
  PMPI_Alltoall(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, communicator_);
  Blocks in(size_);
  in[rank_] = out[rank_];
  std::vector<wire::Sending> sendings;
  std::size_t missing = 0;
  for (std::size_t p = 0; p < size_; ++p) {
    if (p == rank_) continue;
    if (sent[p] > 0) sendings.emplace_back(communicator_, static_cast<int>(p), kBlock, out[p]);
    missing += coming[p] > 0;
  }
  while (missing > 0) {
    for (std::size_t p = 0; p < size_; ++p) {
      if (p == rank_ || coming[p] == in[p].size()) continue;
      auto received = wire::receive_if_any(communicator_, static_cast<int>(p), kBlock);
      if (!received) continue;
      in[p] = std::move(received->bytes);
      in[p].resize(coming[p]);
      --missing;
    }
  }
  for (wire::Sending& one : sendings) one.wait();
  return in;
}

/// An all-reduction may add up in another order on each process.
void DecidingTeam::sum(std::span<double> values) {
  const int count = static_cast<int>(values.size());
  const void* const mine = rank_ == 0 ? MPI_IN_PLACE : values.data();
  PMPI_Reduce(mine, values.data(), count, MPI_DOUBLE, MPI_SUM, 0, communicator_);
  PMPI_Bcast(values.data(), count, MPI_DOUBLE, 0, communicator_);
}

}  // namespace skein::mpmd
