// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/unmet.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/coll/meeting/assembly.hpp"
#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {
namespace {

/// Calls `visit(state)` for each rank on this PE that has not ended.
template <class Visit>
void for_each_rank_here(const Visit& visit) {
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id) {
    if (!pe::is_here(static_cast<int>(id))) continue;
    Rank& rank = rank_in_slot(static_cast<int>(id));
    if (!rank.done) visit(*rank.mpi);
  }
}

/// Calls `visit(comm)` for each communicator whose members may assemble.
template <class Visit>
void for_each_comm(RankState& state, const Visit& visit) {
  if (state.world) visit(*state.world);
  state.comms.for_each([&](Comm& comm) {
    if (!comm.remote) visit(comm);
  });
}

/// Returns the number of collectives that this rank has left and others may look for at an assembly.
std::uint64_t left_on(const Comm& comm) { return std::min(comm.left_collectives, comm.most_assembled); }

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns the number of collectives that this rank has left times a number of the rank: a hash for all but
/// the first rank, whose number makes the sum over the members 0.
std::uint64_t unmet_on(const Comm& comm) {
  const AssemblyKey key = key_of(comm);
  const std::uint64_t seed =
      mixed(mixed(static_cast<std::uint64_t>(key.id)) ^ static_cast<std::uint64_t>(key.first));
  const auto drawn = [&](int rank) { return mixed(seed ^ static_cast<std::uint64_t>(rank)); };
  if (comm.rank > 0) return left_on(comm) * drawn(comm.rank);
  std::uint64_t others = 0;
  for (int rank = 1; rank < comm.size(); ++rank) others += drawn(rank);
  return left_on(comm) * (0 - others);
}

/// The numbers of collectives that the members of a communicator have left. A member that has freed it adds
/// nothing, nor does one that has yet to make it, which would not know that it is to be kept apart.
struct Left {
  AssemblyKey key;
  std::uint64_t least, most;
  int members, told;

  void add(const Left& others) {
    least = std::min(least, others.least);
    most = std::max(most, others.most);
    told += others.told;
  }
  bool differ() const { return told == members && least < most; }
};
using LeftByAll = std::map<AssemblyKey, Left>;

void add(LeftByAll& all, const Left& left) {
  if (const auto [at, is_new] = all.try_emplace(left.key, left); !is_new) at->second.add(left);
}

LeftByAll left_here() {
  LeftByAll here;
  for_each_rank_here([&](RankState& state) {
    for_each_comm(state, [&](const Comm& comm) {
      add(here, {key_of(comm), left_on(comm), left_on(comm), comm.size(), 1});
    });
  });
  return here;
}

LeftByAll left_by_all(const LeftByAll& here) {
  std::vector<Left> told;
  for (const auto& [key, left] : here) told.push_back(left);
  LeftByAll all;
  net::gather_blocks(std::as_bytes(std::span(told)), net::kOnAllPes).for_each([&](std::size_t, auto block) {
    for (std::size_t at = 0; at < block.size(); at += sizeof(Left)) {
      Left left;
      memcpy(&left, block.data() + at, sizeof left);
      add(all, left);
    }
  });
  return all;
}

}  // namespace

std::uint64_t unmet_collectives() {
  std::uint64_t unmet = 0;
  for_each_rank_here(
      [&](RankState& state) { for_each_comm(state, [&](const Comm& comm) { unmet += unmet_on(comm); }); });
  return unmet;
}

void keep_unmet_apart() {
  const LeftByAll all = left_by_all(left_here());
  for_each_rank_here([&](RankState& state) {
    for_each_comm(state, [&](Comm& comm) {
      const Left& left = all.at(key_of(comm));
      if (left.differ()) comm.most_assembled = std::min(comm.most_assembled, left.most);
    });
  });
}

}  // namespace skein::vmpi
