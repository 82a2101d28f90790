// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_collectives.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "runtime/base/check.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/idle_wait.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/pe_rounds.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

struct Collectives {
  /// Bytes in a round at most: the MPI underneath counts in int.
  std::size_t longest_round = std::size_t{1} << 30;
  void (*look_on)(std::uint64_t call) = nullptr;
  std::uint64_t calls = 0;
  PeRounds rounds;
};
Collectives collectives;

int count_of(std::size_t bytes) {
  SKEIN_CHECK(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()), "%zu bytes in one call",
              bytes);
  return static_cast<int>(bytes);
}

/// Makes a collective call of the MPI underneath: by `call`, which waits, or by `begin`, which does not.
/// MPI's own waiting spins, MPICH's for the whole of its slice: where PEs share cores, the core is left to
/// those that are waited for.
template <class Call, class Begin, class... Arguments>
void collective(Call call, Begin begin, Arguments... arguments) {
  ++collectives.calls;
  if (!world.shares_cores() && !collectives.look_on) {
    SKEIN_MPI_CALL(call(arguments...));
    return;
  }
  MPI_Request request;
  SKEIN_MPI_CALL(begin(arguments..., &request));
  IdleWait wait;
  wait.set_pes_per_core(world.pes_per_core);
  for (int complete = 0;; wait.wait()) {
    SKEIN_MPI_CALL(MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    if (complete) return;
    if (collectives.look_on) collectives.look_on(collectives.calls);
  }
}

bool is_given(int root) { return root == kOnAllPes || root == world.pe; }

void count_gather(std::size_t mine, std::size_t all, int root) {
  count_collective(root == kOnAllPes ? Collective::gather_on_all : Collective::gather, 0,
                   is_given(root) ? all : mine);
}

/// Gathers blocks of these sizes, one behind the other, on PE `root` or on all.
void gather_round(std::span<const std::byte> mine, const std::vector<std::uint64_t>& sizes, std::byte* all,
                  int root) {
  std::vector<int> counts(sizes.size()), offsets(sizes.size());
  std::ranges::transform(sizes, counts.begin(), count_of);
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  const int own = count_of(mine.size());
  count_gather(mine.size(), static_cast<std::size_t>(offsets.back() + counts.back()), root);
  if (root == kOnAllPes)
    collective(MPI_Allgatherv, MPI_Iallgatherv, mine.data(), own, MPI_BYTE, all, counts.data(),
               offsets.data(), MPI_BYTE, mpi_process.pes);
  else
    collective(MPI_Gatherv, MPI_Igatherv, mine.data(), own, MPI_BYTE, all, counts.data(), offsets.data(),
               MPI_BYTE, root, mpi_process.pes);
}

/// Makes a call that does not poll through a round.
template <class Round>
void in_round(const Round& round) {
  ++collectives.calls;
  IdleWait idle_wait;
  round([&] {
    if (collectives.look_on) collectives.look_on(collectives.calls);
    idle_wait.wait();
  });
}
/// Makes a round, and calls `serve` while it waits.
template <class Round>
void in_round(bool (*serve)(), const Round& round) {
  ++collectives.calls;
  round([&] {
    if (collectives.look_on) collectives.look_on(collectives.calls);
    if (!serve()) idle();
  });
  end_idle_wait();
}

/// Replaces `values` with those of all PEs combined by `op` in the order of the PEs. `serve`: for calls that
/// poll.
template <class T, class Op, class... Serve>
void combine_in_round(std::span<T> values, Op op, Serve... serve) {
  const auto read = [&](const auto& block_of) {
    for (std::size_t pe = 0; pe < static_cast<std::size_t>(world.pes); ++pe) {
      const T* const its = reinterpret_cast<const T*>(block_of(pe).data());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = pe == 0 ? its[i] : op(values[i], its[i]);
    }
  };
  in_round(serve...,
           [&](const auto& wait) { collectives.rounds.among_all(std::as_bytes(values), read, wait); });
}

/// Gathers the sizes of all PEs' blocks on all PEs; and the blocks on those that are given them, if all fit
/// in one round. Returns true if they fit.
bool gather_in_round(std::span<const std::byte> mine, int root, PeBlocks& all) {
  constexpr std::size_t most = Exchange::longest_block - sizeof(std::uint64_t);
  const std::uint64_t size = mine.size();
  std::vector<std::byte> block(sizeof size + (size <= most ? size : 0));
  memcpy(block.data(), &size, sizeof size);
  if (block.size() > sizeof size) memcpy(&block[sizeof size], mine.data(), size);
  bool fits = true;
  const auto read = [&](const auto& block_of) {
    for (std::size_t pe = 0; pe < all.sizes.size(); ++pe) {
      memcpy(&all.sizes[pe], block_of(pe).data(), sizeof size);
      fits &= all.sizes[pe] <= most;
    }
    if (!fits || !is_given(root)) return;
    for (std::size_t pe = 0; pe < all.sizes.size(); ++pe) {
      const auto its = block_of(pe).subspan(sizeof size);
      all.bytes.insert(all.bytes.end(), its.begin(), its.end());
    }
  };
  in_round([&](const auto& wait) { collectives.rounds.among_all(block, read, wait); });
  return fits;
}

/// Gathers blocks whose sizes all PEs know on those that are given them: in one call of the MPI underneath,
/// or in rounds, each of which takes a share of every block.
std::vector<std::byte> gather_sized(std::span<const std::byte> mine, const std::vector<std::uint64_t>& sizes,
                                    int root) {
  const std::size_t pes = sizes.size();
  std::vector<std::uint64_t> offsets(pes);
  std::exclusive_scan(sizes.begin(), sizes.end(), offsets.begin(), std::uint64_t{0});
  const std::uint64_t total = offsets.back() + sizes.back();
  const bool gets = is_given(root);
  std::vector<std::byte> all(gets ? total : 0);
  if (total <= collectives.longest_round) {
    gather_round(mine, sizes, all.data(), root);
    return all;
  }
  const std::size_t share = std::max<std::size_t>(1, collectives.longest_round / pes);
  std::vector<std::byte> some(gets ? share * pes : 0);
  std::vector<std::uint64_t> shares(pes);
  for (std::uint64_t at = 0; at < std::ranges::max(sizes); at += share) {
    const auto share_of = [&](std::uint64_t size) {
      return size > at ? std::min<std::uint64_t>(share, size - at) : 0;
    };
    std::ranges::transform(sizes, shares.begin(), share_of);
    const std::uint64_t own = share_of(mine.size());
    gather_round(own > 0 ? mine.subspan(at, own) : std::span<const std::byte>(), shares, some.data(), root);
    const std::byte* next = some.data();
    for (std::size_t pe = 0; gets && pe < pes; next += shares[pe++])
      if (shares[pe] > 0) memcpy(&all[offsets[pe] + at], next, shares[pe]);
  }
  return all;
}

void wait_serving(MPI_Request request, bool (*serve)()) {
  ++collectives.calls;
  for (int complete = 0;;) {
    SKEIN_MPI_CALL(MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    if (complete) return end_idle_wait();
    if (collectives.look_on) collectives.look_on(collectives.calls);
    if (!serve()) idle();
  }
}

}  // namespace

void open_rounds() { collectives.rounds.open(); }
void close_rounds() { collectives.rounds.close(); }

void look_while_waiting(void (*look)(std::uint64_t call)) { collectives.look_on = look; }

void set_longest_round(std::size_t bytes) { collectives.longest_round = bytes; }

void broadcast(void* data, std::size_t bytes, int root) {
  count_collective(Collective::broadcast, bytes);
  const std::span all(static_cast<std::byte*>(data), bytes);
  if (collectives.rounds.fits(bytes))
    return in_round([&](const auto& wait) { collectives.rounds.from_one(root, all, wait); });
  for (std::size_t at = 0; at < bytes; at += collectives.longest_round)
    collective(MPI_Bcast, MPI_Ibcast, &all[at], count_of(std::min(collectives.longest_round, bytes - at)),
               MPI_BYTE, root, mpi_process.pes);
}

void broadcast_block(std::vector<std::byte>& block, int root) {
  std::uint64_t bytes = block.size();
  broadcast(&bytes, sizeof bytes, root);
  block.resize(bytes);
  broadcast(block.data(), bytes, root);
}

std::string broadcast_text(std::string_view text, int root) {
  const auto bytes = std::as_bytes(std::span(text));
  std::vector<std::byte> block(bytes.begin(), bytes.end());
  broadcast_block(block, root);
  return {reinterpret_cast<const char*>(block.data()), block.size()};
}

void all_gather(const void* mine, std::size_t bytes, void* all) {
  count_collective(Collective::gather_on_all, 0, bytes * static_cast<std::size_t>(world.pes));
  if (collectives.rounds.fits(bytes)) {
    const auto read = [&](const auto& block_of) {
      for (std::size_t pe = 0; bytes > 0 && pe < static_cast<std::size_t>(world.pes); ++pe)
        memcpy(static_cast<std::byte*>(all) + pe * bytes, block_of(pe).data(), bytes);
    };
    return in_round([&](const auto& wait) {
      collectives.rounds.among_all({static_cast<const std::byte*>(mine), bytes}, read, wait);
    });
  }
  collective(MPI_Allgather, MPI_Iallgather, mine, count_of(bytes), MPI_BYTE, all, count_of(bytes), MPI_BYTE,
             mpi_process.pes);
}

std::vector<std::byte> all_gather_blocks(std::span<const std::byte> mine) {
  return gather_blocks(mine, kOnAllPes).bytes;
}

PeBlocks gather_blocks(std::span<const std::byte> mine, int root) {
  const std::uint64_t bytes = mine.size();
  PeBlocks all{{}, std::vector<std::uint64_t>(static_cast<std::size_t>(world.pes))};
  bool complete = false;
  if (collectives.rounds.fits(0)) {
    count_collective(Collective::gather_on_all, 0, all.sizes.size() * sizeof bytes);
    complete = gather_in_round(mine, root, all);
  } else {
    all_gather(&bytes, sizeof bytes, all.sizes.data());
  }
  if (complete)
    count_gather(bytes, std::accumulate(all.sizes.begin(), all.sizes.end(), std::uint64_t{0}), root);
  else
    all.bytes = gather_sized(mine, all.sizes, root);
  if (!is_given(root)) all.sizes.clear();
  return all;
}

void max_of_all(std::span<double> values) {
  count_collective(Collective::reduction, values.size_bytes());
  if (collectives.rounds.fits(values.size_bytes()))
    return combine_in_round(values, [](double a, double b) { return std::max(a, b); });
  collective(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
             MPI_DOUBLE, MPI_MAX, mpi_process.pes);
}

void sum_of_all(std::span<double> values) {
  count_collective(Collective::reduction, values.size_bytes());
  if (collectives.rounds.fits(values.size_bytes())) return combine_in_round(values, std::plus());
  // An all-reduction may add up in another order on each PE.
  const int count = static_cast<int>(values.size());
  const void* const mine = world.pe == 0 ? MPI_IN_PLACE : values.data();
  collective(MPI_Reduce, MPI_Ireduce, mine, values.data(), count, MPI_DOUBLE, MPI_SUM, 0, mpi_process.pes);
  broadcast(values.data(), values.size_bytes(), 0);
}

void sum_polling(std::span<std::uint64_t> values, bool (*serve)()) {
  count_collective(Collective::reduction, values.size_bytes());
  if (collectives.rounds.fits(values.size_bytes())) return combine_in_round(values, std::plus(), serve);
  MPI_Request request;
  SKEIN_MPI_CALL(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                                MPI_SUM, mpi_process.pes, &request));
  wait_serving(request, serve);
}

void barrier(bool (*serve)()) {
  count_collective(Collective::barrier, 0);
  if (collectives.rounds.fits(0))
    return in_round(serve, [](const auto& wait) { collectives.rounds.meet(wait); });
  MPI_Request request;
  SKEIN_MPI_CALL(MPI_Ibarrier(mpi_process.pes, &request));
  wait_serving(request, serve);
}

void barrier() {
  count_collective(Collective::barrier, 0);
  if (collectives.rounds.fits(0)) return in_round([](const auto& wait) { collectives.rounds.meet(wait); });
  collective(MPI_Barrier, MPI_Ibarrier, mpi_process.pes);
}

void agree_on(const std::string& failure) {
  // The first PE that has failed is the largest of these.
  double first[] = {failure.empty() ? 0.0 : world.pes - world.pe};
  max_of_all(first);
  if (first[0] == 0) return;
  throw Error(broadcast_text(failure, world.pes - static_cast<int>(first[0])));
}

}  // namespace skein::net
