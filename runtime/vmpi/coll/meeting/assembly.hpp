// SPDX-License-Identifier: Apache-2.0
// Where the members of a communicator that are on this PE assemble in a blocking collective, so that only one
// message per PE, not one per rank, has to travel.
//
// An assembly is memory of the process, unlike everything else that belongs to ranks. That is allowed
// because nobody can be at one while ranks move: a rank inside a blocking collective is at no sync point, nor
// does it stop in a wait; and where some have left one that others have yet to come to nobody moves
// (unmet.hpp).
//
//   arrived == number of members whose fiber and part are set; 0 outside a blocking collective
//   every assembly belongs to the present generation of the placement
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/exchange.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/meeting/node_places.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/op/op.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

/// What a member brings. On its stack while it waits.
struct Contribution {
  Data input;
  Data output;              ///< without a type: none
  int error = MPI_SUCCESS;  ///< set by whoever completes the collective
};

/// What a member brings to a reduction: where its elements are while its rank does not run.
struct Operand {
  const void* input;
  void* result;
  std::int64_t first, count;  ///< which elements of the result it gets; 0 of them: none
  int* error = nullptr;       ///< on its stack; stays as it is where there is none
};

/// A reduction of a few bytes: each member writes what it brings, and reads what it gets, while it runs
/// itself, so that nobody touches the memory of other ranks.
///
/// One outcome is enough: the next is written when all have come again, and so have read this one.
struct ShortReduction {
  static constexpr std::size_t longest = 64;  ///< bytes that a member brings
  struct alignas(longest) Line {
    std::byte bytes[longest];
  };
  std::vector<Line> brought;  ///< side by side, by index among the members, packed
  Line outcome;
  int error = MPI_SUCCESS;

  std::byte* brought_by(std::size_t index, std::size_t bytes) { return brought[0].bytes + index * bytes; }
};

/// Where all members are, for collectives that need to know.
struct MemberPlaces {
  /// Members side by side that are on one PE, and are not part of a longer row.
  struct Run {
    int leader;  ///< whose PE: a rank among the leaders
    int first;   ///< rank in the communicator
    int length;
  };
  std::vector<std::vector<int>> members_of;     ///< by leader: ranks in the communicator, ascending
  std::vector<Run> runs;                        ///< ascending
  std::vector<std::size_t> runs_of;             ///< by leader: how many
  std::size_t most_members = 0, most_runs = 0;  ///< on a PE
  std::size_t most_pairs = 0;                   ///< of a member on one PE and one elsewhere
  bool share_memory = false;                    ///< all their PEs are on one node, and see each other's slots
};

class JointTable;
struct PeExchange;

struct Assembly {
  Assembly();
  ~Assembly();

  std::vector<int> members;          ///< ranks in the communicator, on this PE, ascending
  std::vector<Fiber*> fibers;        ///< of those who have arrived, by index in `members`
  std::vector<Contribution*> parts;  ///< likewise, if the collective has data
  /// What each member brings to a reduction: side by side, so that whoever combines touches of the other
  /// ranks' memory their elements alone.
  std::vector<Operand> operands;
  std::size_t operand_bytes = 0;    ///< that each of those who have arrived brings, packed
  Kernel operand_kernel = nullptr;  ///< what combines them
  ShortReduction short_reduction;
  std::size_t arrived = 0;
  const char* purpose = nullptr;  ///< of those who have arrived
  int root = -1;                  ///< likewise, of collectives with one

  /// The first members on every PE, in the order of their ranks, as a communicator with the messages of the
  /// collective that the members are in. This PE's own leader is members[0], and the only one to use it.
  Comm leaders;
  Group leader_group;
  std::vector<int> leader_on_pe;       ///< by PE: the rank in `leaders`, or -1
  std::optional<MemberPlaces> places;  ///< places_of()

  /// The exchange between the PEs of the members (pe_exchange.hpp), once there is one.
  std::unique_ptr<PeExchange> exchange;
  bool may_exchange =
      false;  ///< there can be one, and what it takes was not found used up: the same on all PEs
  std::optional<NodePlaces> across;  ///< where they are on several nodes
  int calls_without_channel = 0;     ///< that such an exchange would have served: the same on all PEs

  std::unique_ptr<JointTable> joint;  ///< those under way (joint_operation.hpp), once there was any

  /// Whether members assemble for all blocking collectives: there are two and more a PE. Fewer do for those
  /// that may_exchange serves; else the assembly is for joint operations alone.
  bool meets = false;
  std::uint64_t users = 0;  ///< communicator objects of ranks on this PE that refer to this assembly

  /// What those wait for who complete the collective for them.
  WaitReason reason() const { return {purpose, {root, 0}}; }
  bool alone() const { return leader_group.size == 1; }  ///< no member is on another PE
};

/// What an assembly is known by on all PEs. Disjoint groups may use the same communicator id, but not with
/// the same first member.
struct AssemblyKey {
  std::int64_t id;
  int first;  ///< world rank
  auto operator<=>(const AssemblyKey&) const = default;
};

/// Those of one generation of the placement.
struct Assemblies {
  /// By index. The first is null, for communicators whose members do not meet.
  std::vector<std::unique_ptr<Assembly>> all = std::vector<std::unique_ptr<Assembly>>(1);
  std::map<AssemblyKey, std::uint32_t> index_of;
  std::vector<std::uint32_t> unused;  ///< indices
  std::uint64_t generation = 0;
};
extern PerRuntime<Assemblies> assemblies;

inline AssemblyKey key_of(const Comm& comm) { return {comm.id, comm.world_rank(0)}; }
/// Null if there is none, in this generation of the placement.
Assembly* known_assembly(const AssemblyKey& key);

/// Finds or makes the assembly, and notes it in `comm`: if members meet there, or `for_few`.
void find_assembly(Comm& comm, bool for_few = false);

/// The place of `comm` for a blocking collective in which each brings or gets so many bytes. Null when it is
/// an intercommunicator, or has fewer than two members per PE that has any, whose meeting saves nothing but
/// what a block in memory takes less than messages. The same answer on all members. From a rank; does not
/// switch.
inline Assembly* assembly_of(Comm& comm, std::size_t bytes) {
  if (comm.left_collectives >= comm.most_assembled) [[unlikely]]
    return nullptr;
  if (comm.assembly.generation != pe::location->placement_generation) find_assembly(comm);
  Assembly* const assembly = assemblies->all[comm.assembly.index].get();
  if (!assembly) return nullptr;
  const bool meets = assembly->meets || (assembly->may_exchange && bytes <= net::Exchange::longest_block);
  return meets ? assembly : nullptr;
}
/// The assembly of a communicator that has fewer members than that, and is no intercommunicator.
inline Assembly& assembly_of_few(Comm& comm) {
  if (comm.assembly.generation != pe::location->placement_generation || comm.assembly.index == 0)
    find_assembly(comm, true);
  return *assemblies->all[comm.assembly.index];
}

/// The members of `comm` make calls that do not belong together: ends the job. From the rank that finds it.
[[noreturn]] void report_mismatch(const Comm& comm);
/// Ends the job: the running member claims something else of these than those who have arrived. `kernel`: of
/// a reduction.
[[noreturn, gnu::cold]] void report_other(const Assembly& assembly, const Comm& comm, const char* purpose,
                                          int root, std::size_t bytes, Kernel kernel = nullptr);

/// How the PEs of an assembly complete a collective: all members know it alike.
enum class AmongPes : bool { messages, exchange };

/// Joins the assembly. One of the members on this PE gets true once all have come: it completes the
/// collective and then calls dismiss(). The others get false, after that. `purpose`: the reason that the
/// deadlock report gives, one pointer for all calls of a collective; of one with a root it tells that first
/// (%d). `part` may be null for all. `among_pes`: what the PEs do to complete it. May switch.
///
/// Inline, like its callers: processors do not always foresee a return after a switch.
[[gnu::always_inline]] inline bool assemble(Assembly& assembly, const Comm& comm, Contribution* part,
                                            const char* purpose, AmongPes among_pes = AmongPes::messages,
                                            int root = -1) {
  const std::size_t index = comm.assembly.member;
  if (assembly.arrived == 0)
    assembly.purpose = purpose;
  else if (assembly.purpose != purpose)
    report_other(assembly, comm, purpose, assembly.root, assembly.operand_bytes);
  assembly.fibers[index] = current_fiber();
  assembly.parts[index] = part;
  const bool last = ++assembly.arrived == assembly.fibers.size();
  // The last one goes on, unless there are messages: they are for the leader's rank.
  const bool by_any = assembly.alone() || (among_pes == AmongPes::exchange && assembly.exchange);
  const bool completes = by_any ? last : index == 0;
  if (last) {
    if (completes) return true;
    make_ready(*assembly.fibers[0]);
  }
  block({purpose, {root, 0}});
  return completes;
}

/// All members name the same root: before assemble().
inline void agree_on_root(Assembly& assembly, const Comm& comm, int root) {
  if (assembly.arrived == 0)
    assembly.root = root;
  else if (assembly.root != root) [[unlikely]]
    report_other(assembly, comm, assembly.purpose, root, assembly.operand_bytes);
}

/// The leaders as a communicator, for a collective of `comm` that its members on this PE are in.
inline Comm& leaders_of(Assembly& assembly, const Comm& comm) {
  assembly.leaders.leaders_of = &comm;
  return assembly.leaders;
}
/// Whose rank it is among the leaders, on the PE of that rank of `comm`.
inline int leader_of(const Assembly& assembly, const Comm& comm, int rank) {
  return assembly.leader_on_pe[static_cast<std::size_t>(pe::pe_of(comm.world_rank(rank)))];
}

/// The index of a rank of its communicator among the members on this PE, or -1.
int index_of(const Assembly& assembly, int rank);

/// The places of an assembly of `comm`; found out at the first call.
const MemberPlaces& places_of(Assembly& assembly, const Comm& comm);

/// What a rank has for a member on this PE, by index, is longer than its place, or shorter.
[[gnu::cold]] void note_other_length_for(Assembly& assembly, const Comm& comm, std::size_t member, int from,
                                         std::size_t bytes, std::size_t room);

/// While it lives, a member does what all on the PE have to do, so it counts as load of all of them in equal
/// parts. On a member's main fiber, between assemble() and dismiss(). `bytes`: about how many are touched; of
/// few no account is taken.
class SharedWork {
 public:
  SharedWork(const Assembly& assembly, std::size_t bytes);
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

 private:
  const Assembly* assembly_;
  std::uint64_t busy_before_ = 0;
};

/// Lets all others go on. They may come to the assembly again before all have left, so it must be as new now.
void dismiss(Assembly& assembly);

}  // namespace skein::vmpi
