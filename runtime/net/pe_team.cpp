// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_team.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/net/lengths.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

constexpr int kBlockTag = 1;

class PeTeam final : public lb::Team {
 public:
  explicit PeTeam(MPI_Comm communicator) : communicator_(communicator) {
    int rank = 0, size = 1;
    SKEIN_MPI_CALL(MPI_Comm_rank(communicator_, &rank));
    SKEIN_MPI_CALL(MPI_Comm_size(communicator_, &size));
    rank_ = static_cast<std::size_t>(rank);
    size_ = static_cast<std::size_t>(size);
  }
  /// The team may outlast the MPI underneath.
  ~PeTeam() override {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Comm_free(&communicator_);
  }

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  const void* communicator() const override { return &communicator_; }

  Blocks exchange(const Blocks& out) override {
    std::vector<std::uint64_t> sent(size_), received(size_);
    for (std::size_t p = 0; p < size_; ++p) sent[p] = out[p].size();
    SKEIN_MPI_CALL(
        MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, communicator_));
    Blocks in(size_);
    in[rank_] = out[rank_];
    std::vector<MPI_Request> requests;
    const auto begin = [&](std::size_t process, std::size_t bytes, auto begin_piece) {
      for (std::size_t at = 0; process != rank_ && at < bytes; at += kLongestPiece) {
        requests.push_back(MPI_REQUEST_NULL);
        begin_piece(at, static_cast<int>(std::min(kLongestPiece, bytes - at)), static_cast<int>(process));
      }
    };
    for (std::size_t p = 0; p < size_; ++p) {
      if (p != rank_) in[p].resize(received[p]);
      begin(p, received[p], [&](std::size_t at, int bytes, int process) {
        SKEIN_MPI_CALL(
            MPI_Irecv(&in[p][at], bytes, MPI_BYTE, process, kBlockTag, communicator_, &requests.back()));
      });
      begin(p, sent[p], [&](std::size_t at, int bytes, int process) {
        SKEIN_MPI_CALL(
            MPI_Isend(&out[p][at], bytes, MPI_BYTE, process, kBlockTag, communicator_, &requests.back()));
      });
    }
    SKEIN_MPI_CALL(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    return in;
  }

  /// An all-reduction may add up in another order on each process.
  void sum(std::span<double> values) override {
    const int count = static_cast<int>(values.size());
    const void* const mine = rank_ == 0 ? MPI_IN_PLACE : values.data();
    SKEIN_MPI_CALL(MPI_Reduce(mine, values.data(), count, MPI_DOUBLE, MPI_SUM, 0, communicator_));
    SKEIN_MPI_CALL(MPI_Bcast(values.data(), count, MPI_DOUBLE, 0, communicator_));
  }

 private:
  MPI_Comm communicator_;
  std::size_t rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<lb::Team> make_team(int first) {
  MPI_Comm communicator = MPI_COMM_NULL;
  const bool member = world.pe >= first;
  SKEIN_MPI_CALL(MPI_Comm_split(mpi_process.pes, member ? 0 : MPI_UNDEFINED, world.pe, &communicator));
  return member ? std::make_unique<PeTeam>(communicator) : nullptr;
}

}  // namespace skein::net
