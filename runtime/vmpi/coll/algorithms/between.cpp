// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/algorithms/between.hpp"

#include "runtime/vmpi/coll/algorithms/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInBarrierBetween =
    "in MPI_Barrier of an intercommunicator, for rank %d of the other group";
constexpr const char* kInBcastBetween =
    "in MPI_Bcast of an intercommunicator, for rank %d of the other group";
constexpr const char* kInGatherBetween =
    "in a gather of an intercommunicator, for rank %d of the other group";
constexpr const char* kInScatterBetween =
    "in a scatter of an intercommunicator, for rank %d of the other group";
constexpr const char* kInAllgatherBetween =
    "in an allgather of an intercommunicator, for rank %d of the other group";
constexpr const char* kInAlltoallBetween =
    "in an alltoall of an intercommunicator, for rank %d of the other group";
constexpr const char* kInReductionBetween =
    "in a reduction of an intercommunicator, for rank %d of the other group";

/// Returns true on the first rank of each group, which speaks for it.
bool leads(const Comm& comm) { return comm.rank == 0; }

Blocks byte_blocks(std::byte* bytes, const Numbers& counts, const Numbers& displacements) {
  return {bytes, predefined_datatype(MPI_BYTE), 0, counts, displacements, nullptr};
}

/// The pieces of the own group in the order of its ranks, packed, at its first rank.
class Collected {
 public:
  Collected(Channel& channel, Comm& comm, int tag, const Data& mine, bool equal)
      : ranks_(static_cast<std::size_t>(comm.local->size())),
        numbers_(channel.state(), leads(comm) ? 2 * ranks_ * sizeof(std::int64_t) : 0) {
    auto* const counts = reinterpret_cast<std::int64_t*>(numbers_.data());
    auto* const starts = counts + ranks_;
    const auto own = static_cast<std::int64_t>(mine.bytes);
    if (!equal) {
      const Blocks sizes{counts, predefined_datatype(MPI_INT64_T), 1, {}, {}, nullptr};
      channel.note(run_gather(*comm.local, tag, byte_data(const_cast<std::int64_t*>(&own), sizeof own), sizes,
                              0, false));
    }
    for (std::size_t i = 0; leads(comm) && i < ranks_; ++i) {
      if (equal) counts[i] = own;
      starts[i] = static_cast<std::int64_t>(bytes_);
      bytes_ += static_cast<std::size_t>(counts[i]);
    }
    pieces_.emplace(channel.state(), bytes_);
    channel.note(run_gatherv(*comm.local, tag, mine, byte_blocks(pieces_->data(), counts, starts), 0, false));
  }
  /// Returns all pieces on the first rank, and nothing on the others.
  Data all() const { return byte_data(pieces_->data(), bytes_); }

 private:
  std::size_t ranks_;
  Scratch numbers_;
  std::size_t bytes_ = 0;
  std::optional<Scratch> pieces_;
};

/// Exchanges data between the first ranks, and gives the received data to all ranks.
void exchange_and_share(Channel& channel, Comm& comm, int tag, const Data& outgoing, const Data& incoming) {
  if (leads(comm)) channel.exchange(0, outgoing, 0, incoming);
  channel.note(run_bcast(*comm.local, tag, incoming, 0));
}

}  // namespace

int barrier_between(Comm& comm, int tag) {
  Channel channel(comm, tag, kInBarrierBetween);
  channel.note(run_barrier(*comm.local, tag));
  exchange_and_share(channel, comm, tag, byte_data(nullptr, 0), byte_data(nullptr, 0));
  return channel.error();
}

int bcast_between(Comm& comm, int tag, const Data& data, int root) {
  if (root == MPI_PROC_NULL) return MPI_SUCCESS;
  Channel channel(comm, tag, kInBcastBetween);
  if (root == MPI_ROOT) {
    channel.send(0, data);
    return channel.error();
  }
  if (leads(comm)) channel.receive(root, data);
  channel.note(run_bcast(*comm.local, tag, data, 0));
  return channel.error();
}

int gather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, int root) {
  if (root == MPI_PROC_NULL) return MPI_SUCCESS;
  Channel channel(comm, tag, kInGatherBetween);
  if (root != MPI_ROOT) {
    channel.send(root, mine);
    return channel.error();
  }
  Batch batch(channel, static_cast<std::size_t>(comm.size()));
  for (int i = 0; i < comm.size(); ++i) batch.receive(i, all[i]);
  batch.wait();
  return channel.error();
}

int scatter_between(Comm& comm, int tag, const Blocks& all, const Data& mine, int root) {
  if (root == MPI_PROC_NULL) return MPI_SUCCESS;
  Channel channel(comm, tag, kInScatterBetween);
  if (root != MPI_ROOT) {
    channel.receive(root, mine);
    return channel.error();
  }
  Batch batch(channel, static_cast<std::size_t>(comm.size()));
  for (int i = 0; i < comm.size(); ++i) batch.send(i, all[i]);
  batch.wait();
  return channel.error();
}

int allgather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, bool equal) {
  Channel channel(comm, tag, kInAllgatherBetween);
  const Collected own(channel, comm, tag, mine, equal);
  const std::size_t total = all.total(comm.size());
  const Scratch others(channel.state(), total);
  exchange_and_share(channel, comm, tag, own.all(), byte_data(others.data(), total));
  std::size_t at = 0;
  for (int i = 0; i < comm.size(); ++i) {
    const Data piece = all[i];
    piece.unpack(0, others.data() + at, piece.bytes);
    at += piece.bytes;
  }
  return channel.error();
}

/// Starts all messages at once: the order in which the ranks of the other group reach their messages is
/// unknown.
int alltoall_between(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming) {
  Channel channel(comm, tag, kInAlltoallBetween);
  const int ranks = comm.size();
  Batch batch(channel, 2 * static_cast<std::size_t>(ranks));
  for (int i = 0; i < ranks; ++i) batch.receive(i, incoming[i]);
  for (int i = 0; i < ranks; ++i) {
    const int to = (comm.rank + i) % ranks;  // starts elsewhere on each rank
    batch.send(to, outgoing[to]);
  }
  batch.wait();
  return channel.error();
}

int reduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                   std::int64_t count, int root) {
  if (root == MPI_PROC_NULL || reduction.bytes(count) == 0) return MPI_SUCCESS;
  Channel channel(comm, tag, kInReductionBetween);
  if (root == MPI_ROOT) {
    channel.receive(0, reduction.elements(result, 0, count));
    return channel.error();
  }
  const Vector whole(channel.state(), reduction, leads(comm) ? count : 0);
  channel.note(run_reduce(*comm.local, tag, reduction, input, whole.base(), count, 0));
  if (leads(comm)) channel.send(root, reduction.elements(whole.base(), 0, count));
  return channel.error();
}

int allreduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                      std::int64_t count) {
  if (reduction.bytes(count) == 0) return MPI_SUCCESS;
  Channel channel(comm, tag, kInReductionBetween);
  const Vector whole(channel.state(), reduction, leads(comm) ? count : 0);
  channel.note(run_reduce(*comm.local, tag, reduction, input, whole.base(), count, 0));
  exchange_and_share(channel, comm, tag, reduction.elements(whole.base(), 0, count),
                     reduction.elements(result, 0, count));
  return channel.error();
}

int reduce_scatter_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                           const Numbers& counts, std::int64_t count) {
  Channel channel(comm, tag, kInReductionBetween);
  Comm& local = *comm.local;
  const Scratch numbers(channel.state(), 2 * static_cast<std::size_t>(local.size()) * sizeof(std::int64_t));
  auto* const pieces = reinterpret_cast<std::int64_t*>(numbers.data());
  auto* const starts = pieces + local.size();
  std::int64_t total = 0;
  for (int i = 0; i < local.size(); ++i) {
    pieces[i] = counts.null() ? count : counts[i];
    starts[i] = total;
    total += pieces[i];
  }
  if (reduction.bytes(total) == 0) return MPI_SUCCESS;
  const std::int64_t room = leads(comm) ? total : 0;
  const Vector own(channel.state(), reduction, room), others(channel.state(), reduction, room);
  channel.note(run_reduce(local, tag, reduction, input, own.base(), total, 0));
  if (leads(comm))
    channel.exchange(0, reduction.elements(own.base(), 0, total), 0,
                     reduction.elements(others.base(), 0, total));
  const Blocks parts{others.base(), reduction.type, 0, pieces, starts, nullptr};
  channel.note(run_scatterv(local, tag, parts, reduction.elements(result, 0, pieces[local.rank]), 0, false));
  return channel.error();
}

}  // namespace skein::vmpi
