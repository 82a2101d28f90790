// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/assembly.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/net/exchanges.hpp"
#include "runtime/net/node_calls.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/coll/joint/joint_operation.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {

PerRuntime<Assemblies> assemblies;

namespace {

void forget_all() {
  SKEIN_CHECK(std::ranges::none_of(assemblies->all,
                                   [](const auto& assembly) { return assembly && assembly->arrived > 0; }),
              "ranks have moved during a collective");
  *assemblies = {};
  if (own_pe == 0) net::NodeChannel::free_all();
  assemblies->generation = pe::location->placement_generation;
}

void forget_old_ones() {
  if (assemblies->generation != pe::location->placement_generation) forget_all();
}

void add_member(Assembly& assembly, const Comm& comm, int rank) {
  const int world_rank = comm.world_rank(rank), pe = pe::pe_of(world_rank);
  if (pe == own_pe) assembly.members.push_back(rank);
  int& leader = assembly.leader_on_pe[static_cast<std::size_t>(pe)];
  if (leader >= 0) return;
  leader = static_cast<int>(assembly.leader_group.world_ranks.size());
  assembly.leader_group.world_ranks.push_back(world_rank);
}

/// Finds whether an assembly on several nodes may exchange: it needs a channel, and the first PE of each node
/// as a member. With fewer than two members per PE and fewer than two PEs per node it gains nothing.
void find_nodes(Assembly& assembly) {
  std::vector<int> pes;
  for (const int leader : assembly.leader_group.world_ranks) pes.push_back(pe::pe_of(leader));
  const auto node_of = [](int pe) { return net::world.node_of[static_cast<std::size_t>(pe)]; };
  if (std::ranges::all_of(pes, [&](int pe) { return node_of(pe) == node_of(pes[0]); })) return;
  const auto nodes = static_cast<std::size_t>(net::world.nodes);
  const bool gains = pes.size() >= (assembly.meets ? nodes : 2 * nodes);
  assembly.may_exchange = gains && net::node_calls_are_open();
  if (!assembly.may_exchange) return;
  const NodePlaces& places = assembly.across.emplace(pes);
  assembly.may_exchange = places.have_all_first && places.fits(ShortReduction::longest, RoundKind::combined);
}

std::unique_ptr<Assembly> make_assembly(const Comm& comm) {
  auto assembly = std::make_unique<Assembly>();
  assembly->leader_on_pe.assign(static_cast<std::size_t>(net::world.pes), -1);
  for (int rank = 0; rank < comm.size(); ++rank) add_member(*assembly, comm, rank);
  assembly->leader_group.use_world_ranks();
  assembly->leaders.members = assembly->leader_group;
  assembly->fibers.resize(assembly->members.size());
  assembly->parts.resize(assembly->members.size());
  assembly->operands.resize(assembly->members.size());
  assembly->short_reduction.brought.resize(assembly->members.size());
  assembly->leaders.id = comm.id;
  assembly->meets = comm.size() >= 2 * assembly->leader_group.size;
  assembly->may_exchange = net::exchanges_are_open() && !assembly->alone();
  if (assembly->may_exchange) find_nodes(*assembly);
  assembly->leaders.rank = assembly->leader_on_pe[static_cast<std::size_t>(own_pe)];
  return assembly;
}

/// Returns the index of a new assembly; 0 if its members never meet, unless `for_few`.
std::uint32_t make_index(const Comm& comm, bool for_few) {
  auto assembly = make_assembly(comm);
  if (!assembly->meets && !assembly->may_exchange && !for_few) return 0;
  if (assemblies->unused.empty()) {
    assemblies->unused.push_back(static_cast<std::uint32_t>(assemblies->all.size()));
    assemblies->all.emplace_back();
  }
  const std::uint32_t index = assemblies->unused.back();
  assemblies->unused.pop_back();
  assemblies->all[index] = std::move(assembly);
  assemblies->index_of.emplace(key_of(comm), index);
  return index;
}

}  // namespace

Assembly::Assembly()
    : leaders(std::pmr::new_delete_resource()), leader_group(std::pmr::new_delete_resource()) {
  leaders.group = &leader_group;
}

Assembly::~Assembly() = default;

Assembly* known_assembly(const AssemblyKey& key) {
  forget_old_ones();
  const auto found = assemblies->index_of.find(key);
  return found != assemblies->index_of.end() ? assemblies->all[found->second].get() : nullptr;
}

void find_assembly(Comm& comm, bool for_few) {
  forget_old_ones();
  if (comm.remote) {  // an assembly would combine the data of one group
    comm.assembly = {assemblies->generation, 0, 0};
    return;
  }
  const auto found = assemblies->index_of.find(key_of(comm));
  const std::uint32_t index = found != assemblies->index_of.end() ? found->second : make_index(comm, for_few);
  comm.assembly = {assemblies->generation, index, 0};
  if (index == 0) return;
  Assembly& assembly = *assemblies->all[index];
  const auto member = std::ranges::lower_bound(assembly.members, comm.rank);
  comm.assembly.member = static_cast<std::uint32_t>(member - assembly.members.begin());
  ++assembly.users;
}

void report_mismatch(const Comm& comm) {
  end_job_plainly(*current_rank(), 1,
                  "mismatched collectives on communicator %s of %d: its rank %d makes another call than "
                  "ranks that came before it, or with another count; --check says which",
                  comm.name.c_str(), comm.size(), comm.rank);
}

namespace {

/// Returns a member that has arrived and waits there. Precondition: there is one.
int somebody_there(const Assembly& assembly) {
  for (std::size_t i = 0; i < assembly.fibers.size(); ++i)
    if (const Fiber* const fiber = assembly.fibers[i];
        fiber && fiber != current_fiber() && fiber->waits_for.format == assembly.purpose)
      return assembly.members[i];
  return -1;
}

}  // namespace

void report_other(const Assembly& assembly, const Comm& comm, const char* purpose, int root,
                  std::size_t bytes, Kernel kernel) {
  report_unlike(comm, comm.rank,
                {.root = root, .bytes = bytes, .reduction = number_of(kernel), .purpose = purpose},
                somebody_there(assembly),
                {.root = assembly.root,
                 .bytes = assembly.operand_bytes,
                 .reduction = number_of(assembly.operand_kernel),
                 .purpose = assembly.purpose});
}

void note_other_length_for(Assembly& assembly, const Comm& comm, std::size_t member, int from,
                           std::size_t bytes, std::size_t room) {
  assembly.parts[member]->error = bytes < room ? MPI_ERR_COUNT : MPI_ERR_TRUNCATE;
  note_truncated(state_of(comm.world_rank(assembly.members[member])),
                 {nullptr, comm.collective_context(), from, bytes, room});
}

int index_of(const Assembly& assembly, int rank) {
  const auto found = std::ranges::lower_bound(assembly.members, rank);
  return found != assembly.members.end() && *found == rank
             ? static_cast<int>(found - assembly.members.begin())
             : -1;
}

const MemberPlaces& places_of(Assembly& assembly, const Comm& comm) {
  if (assembly.places) return *assembly.places;
  MemberPlaces& places = assembly.places.emplace();
  places.members_of.resize(static_cast<std::size_t>(assembly.leader_group.size));
  places.runs_of.resize(places.members_of.size());
  places.share_memory = true;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int pe = pe::pe_of(comm.world_rank(rank));
    const int leader = assembly.leader_on_pe[static_cast<std::size_t>(pe)];
    std::vector<int>& members = places.members_of[static_cast<std::size_t>(leader)];
    if (members.empty()) places.share_memory = places.share_memory && shares_arena_with(pe);
    members.push_back(rank);
    if (!places.runs.empty() && places.runs.back().leader == leader) {
      ++places.runs.back().length;
    } else {
      places.runs.push_back({leader, rank, 1});
      ++places.runs_of[static_cast<std::size_t>(leader)];
    }
  }
  places.most_runs = std::ranges::max(places.runs_of);
  for (const std::vector<int>& members : places.members_of) {
    places.most_members = std::max(places.most_members, members.size());
    const std::size_t elsewhere = static_cast<std::size_t>(comm.size()) - members.size();
    places.most_pairs = std::max(places.most_pairs, members.size() * elsewhere);
  }
  return places;
}

namespace {
/// Below this size (bytes) the work takes less than a microsecond, and is not worth reading a clock.
constexpr std::size_t kFewestBytesShared = 16 * 1024;

std::uint64_t busy_now(const load::Meter& meter) { return meter.busy_ticks + (ticks() - meter.resumed_at); }
}  // namespace

SharedWork::SharedWork(const Assembly& assembly, std::size_t bytes)
    : assembly_(bytes >= kFewestBytesShared && looks_at_each_switch() ? &assembly : nullptr) {
  if (assembly_) busy_before_ = busy_now(current_rank()->meter);
}

SharedWork::~SharedWork() {
  if (!assembly_) return;
  load::Meter& mine = current_rank()->meter;
  const std::uint64_t share = (busy_now(mine) - busy_before_) / assembly_->fibers.size();
  for (Fiber* const fiber : assembly_->fibers)
    if (fiber != current_fiber()) fiber->rank->meter.busy_ticks += share;
  // The time since the rank got the processor is added when it loses it.
  mine.busy_ticks -= share * (assembly_->fibers.size() - 1);
}

void dismiss(Assembly& assembly) {
  assembly.arrived = 0;
  make_others_ready(assembly.fibers);
}

void forget_assembly(Comm& comm) {
  if (comm.assembly.generation != pe::location->placement_generation || comm.assembly.index == 0) return;
  std::unique_ptr<Assembly>& assembly = assemblies->all[comm.assembly.index];
  if (--assembly->users > 0) return;
  assemblies->index_of.erase(key_of(comm));
  assemblies->unused.push_back(comm.assembly.index);
  assembly.reset();
}

}  // namespace skein::vmpi
