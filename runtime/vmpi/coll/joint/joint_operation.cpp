// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/joint/joint_operation.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/base/check.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"

namespace skein::vmpi {

using trace::Collective;

namespace {

using Tree = collectives::JointTree;
using collectives::kLongestJoint;

constexpr const char* waiting_in(Collective what) {
  switch (what) {
    case Collective::bcast:
      return kWaitingInBcast;
    case Collective::reduce:
      return "in MPI_Reduce to root %d%b, for rank %d of its communicator";
    case Collective::allreduce:
      return "in MPI_Allreduce%b, for rank %d of its communicator";
    default:
      return kWaitingInBarrier;
  }
}

/// Returns the reason of a part's wait for member `rank`.
WaitsFor waiting_for(const JointWork& work, int rank) {
  const WaitReason reason{waiting_in(work.what), {work.root, rank}};
  return {work.root == kNoRoot ? WaitReason{reason.format, {rank, 0}} : reason, {work.bytes, 0}};
}

std::size_t lines_for(std::size_t bytes) { return (bytes + 63) / 64; }
std::byte* bytes_in(std::vector<JointOperation::Line>& lines) {
  return lines.empty() ? nullptr : lines[0].bytes;
}

/// Returns the tree of the assembly's PEs, by the ranks of their leaders.
Tree tree_of(const Assembly& assembly) { return {assembly.leader_group.size, assembly.leaders.rank}; }

std::size_t heard_of(const Assembly& assembly) {
  return static_cast<std::size_t>(tree_of(assembly).heard_of());
}
static_assert(std::max(Tree::most_direct - 1, Tree::fan_in) <= 8, "JointOperation::heard has a bit of each");
bool heard_all(const Assembly& assembly, const JointOperation& operation) {
  return operation.heard == (1u << heard_of(assembly)) - 1;
}
/// Returns the index in `brought` of the operand of a leader's PE.
std::size_t lane_of(const Assembly& assembly, int leader) {
  return assembly.members.size() + static_cast<std::size_t>(tree_of(assembly).place_of(leader));
}

net::Handler on_joint;
const net::MessageKind joint_message("joint-collective", on_joint);

/// A message from PE to PE, followed by the bytes.
struct JointMessage {
  std::uint64_t generation;
  AssemblyKey key;
  int tag;
  std::uint32_t start;
  std::int32_t from;  ///< rank of the sending PE's leader
  Collective what;
  JointClaim claim;
  bool outcome;    ///< comes down the tree
  bool has_bytes;  ///< of a broadcast, up the tree: the root is below
};

/// A message that came before its assembly was there, or before the end of the LB step.
struct EarlyMessage {
  JointMessage head;
  std::vector<std::byte> bytes;
};
PerRuntime<std::vector<EarlyMessage>> early;

/// Returns the operation of this tag and start, and makes it if there is none.
JointOperation& operation_at(Assembly& assembly, int tag, std::uint32_t start, Collective what,
                             const JointClaim& claim) {
  if (!assembly.joint) assembly.joint = std::make_unique<JointTable>();
  if (JointOperation* const known = assembly.joint->find(tag, start)) return *known;
  JointOperation& operation = assembly.joint->add(tag, start, assembly.members.size());
  operation.what = what;
  operation.claim = claim;
  operation.bytes = operation.arrived = operation.outcome_bytes = 0;
  operation.heard = 0;
  operation.combined = operation.has_outcome = false;
  operation.unlike.reset();
  return operation;
}

/// Ends the job, as members make different calls. Callable while no rank runs: names the first member that is
/// here, or waits for the first to come.
[[gnu::cold]] void report_joint_mismatch(const JointOperation& operation) {
  const auto found =
      std::ranges::find_if(operation.parts, [](const JointPart* part) { return part != nullptr; });
  if (found == operation.parts.end()) return;
  const Comm& comm = *(*found)->request->comm;
  report_unlike(comm, comm.group->rank_of(operation.unlike->by), claim_in(operation.unlike->word),
                comm.group->rank_of(operation.claim.by), claim_in(operation.claim.word));
}
/// Returns true if a claim agrees with all earlier ones of the operation.
bool agree(JointOperation& operation, const JointClaim& claim) {
  if (operation.claim.word != claim.word && !operation.unlike) [[unlikely]]
    operation.unlike = claim;
  if (!operation.unlike) [[likely]]
    return true;
  report_joint_mismatch(operation);
  return false;
}

/// Makes room for operands of `bytes` bytes, if there is none.
void make_room(const Assembly& assembly, JointOperation& operation, std::size_t bytes) {
  if (operation.bytes == bytes) return;
  operation.bytes = bytes;
  const std::size_t lines = lines_for(bytes * (assembly.members.size() + heard_of(assembly)));
  if (operation.brought.size() < lines) operation.brought.resize(lines);
}
std::byte* brought_by(JointOperation& operation, std::size_t index) {
  return bytes_in(operation.brought) + index * operation.bytes;
}

void set_outcome(JointOperation& operation, std::span<const std::byte> bytes) {
  operation.has_outcome = true;
  operation.outcome_bytes = bytes.size();
  if (const std::size_t lines = lines_for(bytes.size()); operation.outcome.size() < lines)
    operation.outcome.resize(lines);
  if (!bytes.empty()) memcpy(bytes_in(operation.outcome), bytes.data(), bytes.size());
}
std::span<const std::byte> outcome_of(JointOperation& operation) {
  return {bytes_in(operation.outcome), operation.outcome_bytes};
}

void unlink(JointPart& part) {
  RankState& state = *part.request->owner;
  (part.previous ? part.previous->next : state.joint_parts) = part.next;
  if (part.next) part.next->previous = part.previous;
}

/// Gives a member its part of `value`, and completes its request.
inline void hand_to(JointPart& part, std::span<const std::byte> value) {
  Request& request = *part.request;
  if (const std::size_t wanted = part.work.gets.bytes) {
    const std::size_t bytes = std::min(wanted, value.size());
    if (value.size() != wanted) [[unlikely]] {
      note_truncated(*request.owner,
                     {nullptr, request.comm->collective_context(), part.work.root, value.size(), wanted});
      request.error = value.size() < wanted ? MPI_ERR_COUNT : MPI_ERR_TRUNCATE;
    }
    if (part.to)
      copy_few(part.to, value.data(), bytes);
    else
      part.work.gets.unpack(0, value.data(), bytes);
  }
  unlink(part);
  complete(request);
}

/// Completes an operation for all members on this PE, and removes it.
void finish(Assembly& assembly, JointOperation& operation, std::span<const std::byte> value) {
  for (JointPart*& part : operation.parts) hand_to(*std::exchange(part, nullptr), value);
  assembly.joint->remove(operation);
}

void send_to(const Assembly& assembly, const JointOperation& operation, int leader, bool outcome,
             bool has_bytes, std::span<const std::byte> bytes) {
  const JointPart& any = *operation.parts[0];
  const JointMessage head{pe::location->placement_generation,
                          key_of(*any.request->comm),
                          operation.tag,
                          operation.start,
                          assembly.leaders.rank,
                          operation.what,
                          operation.claim,
                          outcome,
                          has_bytes};
  const int pe = pe::pe_of(assembly.leader_group.world_ranks[static_cast<std::size_t>(leader)]);
  net::send(pe, joint_message, {&head, sizeof head}, {bytes.data(), bytes.size()});
}

void send_down(const Assembly& assembly, const JointOperation& operation, std::span<const std::byte> value) {
  const Tree tree = tree_of(assembly);
  for (int child = 0; child < tree.children(); ++child)
    send_to(assembly, operation, tree.first_child() + child, true, true, value);
}

/// Returns the combined data of this PE's members.
std::span<const std::byte> own_bytes(JointOperation& operation) {
  if (reduces(operation.what)) return {brought_by(operation, 0), operation.bytes};
  return outcome_of(operation);  // of a broadcast; none of a barrier
}

void combine_members(JointOperation& operation) {
  operation.combined = true;
  if (!reduces(operation.what)) return;
  const JointWork& work = operation.parts[0]->work;
  combine_side_by_side(work.reduction, brought_by(operation, 0), operation.parts.size(), work.count);
}

/// Combines the data of a few PEs in the order of their leaders, so that all PEs get the same bits.
void combine_directly(const Assembly& assembly, JointOperation& operation) {
  if (!reduces(operation.what)) return;
  const Tree tree = tree_of(assembly);
  const JointWork& work = operation.parts[0]->work;
  const auto of_leader = [&](int leader) {
    return leader == tree.own ? brought_by(operation, 0) : brought_by(operation, lane_of(assembly, leader));
  };
  set_outcome(operation, {of_leader(tree.size - 1), operation.bytes});
  for (int leader = tree.size - 1; leader-- > 0;)
    work.reduction.kernel(of_leader(leader), bytes_in(operation.outcome), work.count);
}

void combine_children(const Assembly& assembly, JointOperation& operation) {
  if (!reduces(operation.what)) return;
  const JointWork& work = operation.parts[0]->work;
  for (std::size_t child = 0; child < heard_of(assembly); ++child)
    work.reduction.kernel(brought_by(operation, operation.parts.size() + child), brought_by(operation, 0),
                          work.count);
}

/// Makes all progress that is possible after a part or a message has come.
void go_on(Assembly& assembly, JointOperation& operation) {
  if (operation.arrived < operation.parts.size()) return;
  const Tree tree = tree_of(assembly);
  const bool all_are_here = heard_all(assembly, operation);
  if (!operation.combined) {
    // In a tree, the data goes up together with that of the children.
    if (!tree.direct() && !all_are_here) return;
    combine_members(operation);
    if (tree.direct()) {
      for (int leader = 0; leader < tree.size; ++leader)
        if (leader != tree.own)
          send_to(assembly, operation, leader, false, operation.has_outcome, own_bytes(operation));
    } else {
      combine_children(assembly, operation);
      if (tree.own > 0) {
        send_to(assembly, operation, tree.parent(), false, operation.has_outcome, own_bytes(operation));
        return;
      }
      send_down(assembly, operation, own_bytes(operation));
    }
  }
  if (!all_are_here) return;
  if (tree.size > 1 && tree.direct()) combine_directly(assembly, operation);
  finish(assembly, operation, tree.size > 1 && tree.direct() ? outcome_of(operation) : own_bytes(operation));
}

/// Takes a message of another PE. `bytes` are valid during the call.
void take_message(Assembly& assembly, const JointMessage& head, std::span<const std::byte> bytes) {
  JointOperation& operation = operation_at(assembly, head.tag, head.start, head.what, head.claim);
  if (!agree(operation, head.claim)) return;
  if (head.outcome) {
    send_down(assembly, operation, bytes);
    finish(assembly, operation, bytes);
    return;
  }
  if (reduces(head.what)) {
    make_room(assembly, operation, bytes.size());
    memcpy(brought_by(operation, lane_of(assembly, head.from)), bytes.data(), bytes.size());
  } else if (head.has_bytes) {
    set_outcome(operation, bytes);
  }
  operation.heard |= static_cast<std::uint8_t>(1u << tree_of(assembly).place_of(head.from));
  go_on(assembly, operation);
}

void on_joint(int, const std::byte* message, std::size_t size) {
  JointMessage head;
  memcpy(&head, message, sizeof head);
  const std::span bytes(message + sizeof head, size - sizeof head);
  SKEIN_CHECK(head.generation >= pe::location->placement_generation,
              "a message of generation %llu of the placement has come in generation %llu",
              static_cast<unsigned long long>(head.generation),
              static_cast<unsigned long long>(pe::location->placement_generation));
  Assembly* const assembly =
      head.generation == pe::location->placement_generation ? known_assembly(head.key) : nullptr;
  if (assembly)
    take_message(*assembly, head, bytes);
  else
    early->push_back({head, {bytes.begin(), bytes.end()}});
}

/// Takes the messages for this assembly that came early. Drops those of earlier placements: no member here
/// had started their operations, and their senders have left their parts anew.
[[gnu::noinline]] void take_early(Assembly& assembly, const AssemblyKey& key) {
  const std::uint64_t generation = pe::location->placement_generation;
  std::vector<EarlyMessage> mine;
  std::erase_if(*early, [&](EarlyMessage& message) {
    if (message.head.generation < generation) return true;
    if (message.head.generation > generation || message.head.key != key) return false;
    mine.push_back(std::move(message));
    return true;
  });
  for (const EarlyMessage& message : mine) take_message(assembly, message.head, message.bytes);
}

}  // namespace

JointOperation& JointTable::add(int tag, std::uint32_t start, std::size_t members) {
  if (!unused_) {
    unused_ = &made_.emplace_back();
    unused_->parts.resize(members);
  }
  if (count_ >= lists_.size()) grow();
  ++count_;
  JointOperation& operation = *std::exchange(unused_, unused_->next);
  operation.tag = tag;
  operation.start = start;
  JointOperation*& list = lists_[list_of(tag, start)];
  operation.next = std::exchange(list, &operation);
  return operation;
}

void JointTable::remove(JointOperation& operation) {
  JointOperation** link = &lists_[list_of(operation.tag, operation.start)];
  while (*link != &operation) link = &(*link)->next;
  *link = operation.next;
  operation.next = std::exchange(unused_, &operation);
  --count_;
}

void JointTable::grow() {
  std::vector<JointOperation*> all = std::move(lists_);
  lists_.assign(std::max<std::size_t>(8, 2 * all.size()), nullptr);
  for (JointOperation* operation : all)
    while (operation) {
      JointOperation* const next = operation->next;
      JointOperation*& list = lists_[list_of(operation->tag, operation->start)];
      operation->next = std::exchange(list, operation);
      operation = next;
    }
}

void leave_part(JointPart& part) {
  Request& request = *part.request;
  Comm& comm = *request.comm;
  Assembly& assembly = assembly_of_few(comm);
  if (!early->empty()) [[unlikely]]
    take_early(assembly, key_of(comm));
  part.generation = pe::location->placement_generation;
  const JointWork& work = part.work;
  const JointClaim claim{part.word, comm.world_rank(comm.rank)};
  JointOperation& operation = operation_at(assembly, part.tag, part.start, work.what, claim);
  const std::size_t index = comm.assembly.member;
  operation.parts[index] = &part;
  if (!agree(operation, claim)) return;
  if (reduces(work.what)) {
    make_room(assembly, operation, work.bytes);
    if (part.from)
      copy_few(brought_by(operation, index), part.from, work.bytes);
    else
      work.brings.pack(0, brought_by(operation, index), work.bytes);
  } else if (work.what == Collective::bcast && work.root == comm.rank) {
    std::byte packed[kLongestJoint];
    work.brings.pack(0, packed, work.bytes);
    set_outcome(operation, {packed, work.bytes});
  }
  ++operation.arrived;
  go_on(assembly, operation);
}

std::uint64_t word_of(const JointWork& work) {
  return word_of({.root = work.root,
                  .bytes = reduces(work.what) ? work.bytes : 0,
                  .reduction = reduces(work.what) ? work.reduction.number() : ReductionNumber{0},
                  .purpose = waiting_in(work.what)});
}

WaitsFor why_waits(const JointPart& part) {
  const Comm& comm = *part.request->comm;
  Assembly& assembly = *assemblies->all[comm.assembly.index];
  const JointOperation& operation = operation_at(assembly, part.tag, part.start, part.work.what, {});
  const auto missing = std::ranges::find(operation.parts, nullptr);
  if (missing != operation.parts.end())
    return waiting_for(part.work,
                       assembly.members[static_cast<std::size_t>(missing - operation.parts.begin())]);
  const Tree tree = tree_of(assembly);
  int leader = tree.parent();
  if (!heard_all(assembly, operation)) {
    const int place = std::countr_one(operation.heard);
    leader = !tree.direct() ? tree.first_child() + place : place < tree.own ? place : place + 1;
  }
  const int world_rank = assembly.leader_group.world_ranks[static_cast<std::size_t>(leader)];
  return waiting_for(part.work, comm.group->rank_of(world_rank));
}

}  // namespace skein::vmpi
