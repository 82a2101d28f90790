// SPDX-License-Identifier: Apache-2.0
// The assembly of a communicator's members on this PE, in a blocking collective: one message per PE, not one
// per rank, has to travel.
//
// An assembly is memory of the process, unlike everything else that belongs to ranks. That is allowed because
// no rank is at an assembly while ranks move: a rank inside a blocking collective is at no sync point, and
// does not stop in a wait; and while some members have left a collective that others have yet to call, no
// rank moves (unmet.hpp).
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

/// The data that a member brings to a collective. On the member's stack while it waits.
struct Contribution {
  Data input;
  Data output;              ///< without a type: none
  int error = MPI_SUCCESS;  ///< set by the member that completes the collective
};

/// The operand that a member brings to a reduction: the addresses of its elements while its rank does not
/// run.
struct Operand {
  const void* input;
  void* result;
  std::int64_t first, count;  ///< the elements of the result that it gets; count 0: none
  int* error = nullptr;       ///< on the member's stack; written only on an error
};

/// A reduction of a few bytes: each member writes its operand and reads its result while it runs itself, so
/// that no rank's memory is touched by another.
///
/// One outcome is enough: the next one is written when all members have come again, and so have read this
/// one.
struct ShortReduction {
  static constexpr std::size_t longest = 64;  ///< bytes of a member's operand, at most
  struct alignas(longest) Line {
    std::byte bytes[longest];
  };
  std::vector<Line> brought;  ///< packed operands side by side, by index among the members
  Line outcome;
  int error = MPI_SUCCESS;

  std::byte* brought_by(std::size_t index, std::size_t bytes) { return brought[0].bytes + index * bytes; }
};

/// The places of all members, for collectives that depend on them.
struct MemberPlaces {
  /// A longest row of consecutive ranks on one PE.
  struct Run {
    int leader;  ///< of the PE: a rank among the leaders
    int first;   ///< rank in the communicator
    int length;
  };
  std::vector<std::vector<int>> members_of;     ///< by leader: ranks in the communicator, ascending
  std::vector<Run> runs;                        ///< ascending
  std::vector<std::size_t> runs_of;             ///< by leader: number of runs
  std::size_t most_members = 0, most_runs = 0;  ///< on a PE
  std::size_t most_pairs = 0;                   ///< of a member on a PE and one elsewhere, for any PE
  bool share_memory = false;  ///< whether all PEs are on one node, and see each other's slots
};

class JointTable;
struct PeExchange;

struct Assembly {
  Assembly();
  ~Assembly();

  std::vector<int> members;          ///< ranks in the communicator, on this PE, ascending
  std::vector<Fiber*> fibers;        ///< of the members that have arrived, by index in `members`
  std::vector<Contribution*> parts;  ///< of the members that have arrived, if the collective has data
  /// The operands of a reduction, by index in `members`: side by side, so that the member that combines
  /// touches nothing else of the other ranks' memory than their elements.
  std::vector<Operand> operands;
  std::size_t operand_bytes = 0;    ///< packed size of each operand that has arrived
  Kernel operand_kernel = nullptr;  ///< kernel of the operation on these operands
  ShortReduction short_reduction;
  std::size_t arrived = 0;
  const char* purpose = nullptr;  ///< of the call of the members that have arrived
  int root = -1;                  ///< root in their call, if it has one

  /// The first members of all PEs, in the order of their ranks, as a communicator whose messages belong to
  /// the collective of the members. Only this PE's leader, members[0], uses it.
  Comm leaders;
  Group leader_group;
  std::vector<int> leader_on_pe;       ///< by PE: rank in `leaders`, or -1
  std::optional<MemberPlaces> places;  ///< places_of()

  /// The exchange between the PEs of the members (pe_exchange.hpp), once it is made.
  std::unique_ptr<PeExchange> exchange;
  /// Whether an exchange is possible, and its memory was not found used up: the same on all PEs.
  bool may_exchange = false;
  std::optional<NodePlaces> across;  ///< set if the PEs are on several nodes
  int calls_without_channel = 0;     ///< calls that an exchange would have served: the same on all PEs

  /// Joint operations under way (joint_operation.hpp), once there was one.
  std::unique_ptr<JointTable> joint;

  /// Whether members assemble for all blocking collectives, which they do from two members per PE on. Fewer
  /// members do so for collectives that may_exchange serves; otherwise the assembly is for joint operations
  /// alone.
  bool meets = false;
  std::uint64_t users = 0;  ///< communicator objects of ranks on this PE that refer to this assembly

  /// Returns the reason of members that wait for the completion of the collective.
  WaitReason reason() const { return {purpose, {root, 0}}; }
  bool alone() const { return leader_group.size == 1; }  ///< no member is on another PE
};

/// The key of an assembly, the same on all PEs. Disjoint groups may use the same communicator id, but not
/// with the same first member.
struct AssemblyKey {
  std::int64_t id;
  int first;  ///< world rank
  auto operator<=>(const AssemblyKey&) const = default;
};

/// The assemblies of this PE in one generation of the placement.
struct Assemblies {
  /// The assemblies by index. The first is null, for communicators whose members do not meet.
  std::vector<std::unique_ptr<Assembly>> all = std::vector<std::unique_ptr<Assembly>>(1);
  std::map<AssemblyKey, std::uint32_t> index_of;
  std::vector<std::uint32_t> unused;  ///< indices
  std::uint64_t generation = 0;
};
extern PerRuntime<Assemblies> assemblies;

inline AssemblyKey key_of(const Comm& comm) { return {comm.id, comm.world_rank(0)}; }
/// Returns the assembly of this key in this generation of the placement, or null.
Assembly* known_assembly(const AssemblyKey& key);

/// Finds or makes the assembly of `comm`, if its members meet there or `for_few`, and stores it in `comm`.
void find_assembly(Comm& comm, bool for_few = false);

/// Returns the assembly of `comm` for a blocking collective in which each member brings or gets `bytes`
/// bytes. Null if `comm` is an intercommunicator, or if it has fewer than two members per PE that has any and
/// the data fits no block: then assembling saves nothing. The same answer on all members. Called from a rank;
/// does not switch.
inline Assembly* assembly_of(Comm& comm, std::size_t bytes) {
  if (comm.left_collectives >= comm.most_assembled) [[unlikely]]
    return nullptr;
  if (comm.assembly.generation != pe::location->placement_generation) find_assembly(comm);
  Assembly* const assembly = assemblies->all[comm.assembly.index].get();
  if (!assembly) return nullptr;
  const bool meets = assembly->meets || (assembly->may_exchange && bytes <= net::Exchange::longest_block);
  return meets ? assembly : nullptr;
}
/// Returns the assembly of a communicator that may have fewer than two members per PE, and is no
/// intercommunicator; makes it if needed.
inline Assembly& assembly_of_few(Comm& comm) {
  if (comm.assembly.generation != pe::location->placement_generation || comm.assembly.index == 0)
    find_assembly(comm, true);
  return *assemblies->all[comm.assembly.index];
}

/// Ends the job, as the members of `comm` make calls that do not belong together. Called by the rank that
/// finds it.
[[noreturn]] void report_mismatch(const Comm& comm);
/// Ends the job, as the running member's claim differs from that of the members that have arrived. `kernel`:
/// in a reduction.
[[noreturn, gnu::cold]] void report_other(const Assembly& assembly, const Comm& comm, const char* purpose,
                                          int root, std::size_t bytes, Kernel kernel = nullptr);

/// How the PEs of an assembly complete a collective; the same on all members.
enum class AmongPes : bool { messages, exchange };

/// Joins the assembly. Once all members on this PE have come, one of them gets true: it completes the
/// collective and then calls dismiss(). The others get false, after that. `purpose`: the reason for the
/// deadlock report, one pointer for all calls of a collective, with %d for the root if there is one. `part`
/// may be null for all members. `among_pes`: how the PEs complete the collective. May switch.
///
/// Inline, like its callers: processors do not always predict a return after a switch.
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
  // The last member to arrive goes on, unless there are messages: these are for the leader's rank.
  const bool by_any = assembly.alone() || (among_pes == AmongPes::exchange && assembly.exchange);
  const bool completes = by_any ? last : index == 0;
  if (last) {
    if (completes) return true;
    make_ready(*assembly.fibers[0]);
  }
  block({purpose, {root, 0}});
  return completes;
}

/// Checks that all members name the same root. Called before assemble().
inline void agree_on_root(Assembly& assembly, const Comm& comm, int root) {
  if (assembly.arrived == 0)
    assembly.root = root;
  else if (assembly.root != root) [[unlikely]]
    report_other(assembly, comm, assembly.purpose, root, assembly.operand_bytes);
}

/// Returns the leaders as a communicator, for a collective of `comm` that its members on this PE are in.
inline Comm& leaders_of(Assembly& assembly, const Comm& comm) {
  assembly.leaders.leaders_of = &comm;
  return assembly.leaders;
}
/// Returns the rank among the leaders of the leader on the PE of `rank`, a rank of `comm`.
inline int leader_of(const Assembly& assembly, const Comm& comm, int rank) {
  return assembly.leader_on_pe[static_cast<std::size_t>(pe::pe_of(comm.world_rank(rank)))];
}

/// Returns the index among the members on this PE of a rank of the communicator, or -1.
int index_of(const Assembly& assembly, int rank);

/// Returns the places of the members of `comm`, which the first call finds out.
const MemberPlaces& places_of(Assembly& assembly, const Comm& comm);

/// Notes that the data that rank `from` has for a member on this PE (by index) is longer or shorter than its
/// place.
[[gnu::cold]] void note_other_length_for(Assembly& assembly, const Comm& comm, std::size_t member, int from,
                                         std::size_t bytes, std::size_t room);

/// While this object exists, a member works for all members on the PE, and its time counts as load of all in
/// equal parts. On a member's main fiber, between assemble() and dismiss(). `bytes`: about how many are
/// touched; a few are not accounted for.
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

/// Lets all other members go on. They may come to the assembly again before all have left it, so it is reset
/// before.
void dismiss(Assembly& assembly);

}  // namespace skein::vmpi
