// SPDX-License-Identifier: Apache-2.0
// Processes that decide together (skein/lb/parallel.hpp).
#pragma once
#include <mpi.h>

#include "skein/lb/parallel.hpp"

namespace skein::mpmd {

class DecidingTeam final : public lb::Team {
 public:
  /// Collective over `deciders`; on a communicator of its own.
  explicit DecidingTeam(MPI_Comm deciders);
  ~DecidingTeam() override;
  DecidingTeam(const DecidingTeam&) = delete;
  DecidingTeam& operator=(const DecidingTeam&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  Blocks exchange(const Blocks& out) override;
  void sum(std::span<double> values) override;
  const void* communicator() const override { return &communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::size_t rank_ = 0, size_ = 1;
};

}  // namespace skein::mpmd
