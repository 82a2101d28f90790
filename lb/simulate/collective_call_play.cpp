// SPDX-License-Identifier: Apache-2.0
// Chooses the algorithm of each collective, and plays what happens on the PE before it, as
// runtime/vmpi/coll/meeting/local.cpp and its relatives, pieces.cpp, across_nodes.cpp, and
// joint_operation.cpp do. Exchanges through the memory of a node are played as messages of leaders, or, with
// fewer than two members a PE, of members.
#include <algorithm>

#include "lb/collectives/by_bytes.hpp"
#include "lb/collectives/joint.hpp"
#include "lb/collectives/thresholds.hpp"
#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

using collectives::RoundKind;
using trace::Collective;

/// Returns how many steps of a member's list are made at once: few, so that all lists stay in the cache, but
/// enough that no step is made more than some 16 times.
std::size_t steps_at_once(const Ring& ring) {
  return std::max<std::size_t>(512, static_cast<std::size_t>(ring.size()) / 8);
}

void make_steps(collectives::Steps& steps, const Messages& what) {
  const auto bytes_of = [&](int from, int to) {
    if (what.list.empty()) return what.bytes;
    return what.list[static_cast<std::size_t>(what.kind == trace::Collective::allgatherv ? from : to)];
  };
  collectives::make_steps(steps, what.kind, what.root, what.bytes, bytes_of);
}

/// Plays the messages of members that do not assemble.
Playing among_members(CollectiveCall& call) {
  const int root = call.root() == kNone ? 0 : static_cast<int>(call.root());
  return by_messages(call.ring(), {call.kind(), call.bytes(), root, call.list()});
}

Playing nothing(CollectiveCall&) { co_return; }

/// Plays `among_leaders`, which gets the root's assembly, if members assemble, else messages among members.
/// `counted`: pieces have different lengths.
template <class AmongLeaders>
Playing at_assemblies(CollectiveCall& call, bool assembles, AmongLeaders among_leaders,
                      bool counted = false) {
  if (!assembles) {
    co_await among_members(call);
    co_return;
  }
  const bool completes = co_await call.assemble(counted);
  if (!completes) co_return;
  if (!call.own().alone())
    co_await among_leaders(call.root() == kNone ? kNone : call.own().assembly_of(call.root()));
  call.dismiss();
}

/// Plays `among_leaders` with these bytes if members assemble. A trace does not know operations of the
/// program, which need not commute: all operations are assumed to be MPI's own.
Playing assembled(CollectiveCall& call, RoundKind kind, std::uint64_t bytes, Collective among_leaders) {
  return at_assemblies(call, call.assembles(), [&call, kind, bytes, among_leaders](std::uint32_t root) {
    return across_nodes(call, {kind, bytes, root},
                        by_messages(call.leaders(), {among_leaders, bytes, static_cast<int>(root)}));
  });
}

/// Equal pieces of members that assemble: all pieces from one PE to another are one message. Longer pieces,
/// which PEs of one node read in place, are played as messages as well, and pieces beyond kLongestPacked as
/// the members' messages, which have as many bytes.
struct Pieces {
  CollectiveCall& call;
  bool to_all = false, each_to_each = false;
  bool from_root = false;  // if not to all

  std::uint64_t members(int leader) const {
    return call.own().assembly(static_cast<std::uint32_t>(leader)).members;
  }
  std::uint64_t bytes(int from, int to) const {
    if (each_to_each) return members(from) * members(to) * call.bytes();
    const int root = static_cast<int>(call.own().assembly_of(call.root() == kNone ? 0 : call.root()));
    if (to_all || (!from_root && to == root)) return members(from) * call.bytes();
    return from_root && from == root ? members(to) * call.bytes() : 0;
  }
  RoundKind kind() const { return from_root ? RoundKind::one_block : RoundKind::blocks; }
  /// Returns the longest block of a PE for others.
  std::uint64_t longest() const {
    const std::uint64_t size = call.own().size();
    const auto root = static_cast<int>(call.own().assembly_of(call.root() == kNone ? 0 : call.root()));
    if (from_root) return (size - members(root)) * call.bytes();
    std::uint64_t most = 0;
    for (int p = 0; p < static_cast<int>(call.own().leaders().size()); ++p)
      most = std::max(most, members(p) * (each_to_each ? size - members(p) : 1));
    return most * call.bytes();
  }
  bool are_packed() const {
    std::uint64_t most = 0;
    for (int p = 0; p < static_cast<int>(call.own().leaders().size()); ++p) most = std::max(most, members(p));
    return (each_to_each ? most * most : most) * call.bytes() <= collectives::kLongestPacked;
  }
};

Playing move(Ring ring, const Pieces& pieces) {
  for (int distance = 1; distance < ring.size(); ++distance) {
    const int from = ring.below(distance), to = ring.above(distance);
    if (pieces.bytes(from, ring.rank()) > 0) ring.receive(from);
    if (const std::uint64_t bytes = pieces.bytes(ring.rank(), to); bytes > 0) ring.send(to, bytes);
  }
  co_await ring.all();
}

Playing pieces_of(CollectiveCall& call, Pieces pieces) {
  if (call.moves_nothing()) return nothing(call);
  const bool assembles = call.assembles() && pieces.are_packed() &&
                         (call.own().meets() || call.own().crosses_nodes(pieces.longest(), pieces.kind()));
  return at_assemblies(call, assembles, [pieces](std::uint32_t root) {
    return across_nodes(pieces.call, {pieces.kind(), pieces.longest(), root},
                        move(pieces.call.leaders(), pieces));
  });
}

/// Plays pieces of different lengths, of members that assemble on one node: all pieces from one PE to another
/// are one message, which may have no bytes, since no PE knows the others' lengths. The root's assembly
/// receives in a gather, all others in a scatter, and all in other collectives.
Playing counted_pieces(CollectiveCall& call, int root) {
  Ring ring = call.leaders();
  const bool gathers = call.kind() == Collective::gatherv, scatters = call.kind() == Collective::scatterv;
  const auto& outgoing = call.own().assembly(static_cast<std::uint32_t>(ring.rank())).outgoing;
  for (int distance = 1; distance < ring.size(); ++distance) {
    const int from = ring.below(distance), to = ring.above(distance);
    if (gathers ? ring.rank() == root : !scatters || from == root) ring.receive(from);
    if (gathers ? to == root : !scatters || ring.rank() == root)
      ring.send(to, outgoing[static_cast<std::size_t>(to)]);
  }
  co_await ring.all();
}

Playing counted_pieces_of(CollectiveCall& call) {
  const bool assembles = call.assembles() && call.own().on_one_node();
  const auto among_leaders = [&call](std::uint32_t root) {
    return counted_pieces(call, static_cast<int>(root));
  };
  return at_assemblies(call, assembles, among_leaders, true);
}

/// Plays a joint operation among the PEs. `root`: the PE of a broadcast's root, else -1.
Playing among_joint(Ring ring, std::uint64_t bytes, int root) {
  const collectives::JointTree tree{ring.size(), ring.rank()};
  // In a broadcast only the root's data travels up.
  const std::uint64_t up = root < 0 || (tree.direct() ? root == tree.own : tree.has_below(root)) ? bytes : 0;
  if (tree.direct()) {
    for (int other = 0; other < tree.size; ++other)
      if (other != tree.own) ring.exchange(other, up, other);
    co_await ring.all();
    co_return;
  }
  for (int child = 0; child < tree.children(); ++child) ring.receive(tree.first_child() + child);
  co_await ring.all();
  if (tree.own > 0) ring.exchange(tree.parent(), up, tree.parent());
  co_await ring.all();
  for (int child = 0; child < tree.children(); ++child) ring.send(tree.first_child() + child, bytes);
  co_await ring.all();
}

Playing jointly(CollectiveCall& call) {
  co_await call.join();
  if (call.leads()) {
    const bool from_root = call.kind() == Collective::bcast;
    Ring leaders = call.joint_leaders();
    co_await among_joint(leaders, call.bytes(),
                         from_root ? static_cast<int>(call.joint_assembly_of(call.root())) : -1);
    call.dismiss_joint();
  }
  call.leave_joint();
}

}  // namespace

/// Plays the list of the algorithm's steps (lb/collectives/).
Playing by_messages(Ring ring, Messages what) {
  using Kind = collectives::Step::Kind;
  collectives::Steps steps(ring.rank(), ring.size(), ring.is_crowded(), &ring.memory(), steps_at_once(ring));
  do {
    make_steps(steps, what);
    for (const collectives::Step& step : steps.list()) {
      if (step.kind == Kind::send)
        ring.send(step.peer, step.bytes);
      else if (step.kind == Kind::receive)
        ring.receive(step.peer);
      else
        co_await ring.all();
    }
  } while (steps.next_piece());
}

Playing play(CollectiveCall& call) {
  if (call.is_joint()) return jointly(call);
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : call.list()) sum += bytes;
  const std::uint64_t scattered = call.list().empty() ? call.bytes() : sum;
  switch (call.kind()) {
    case Collective::barrier:
      return assembled(call, RoundKind::combined, 0, Collective::barrier);
    case Collective::bcast:
      return call.moves_nothing() ? nothing(call)
                                  : assembled(call, RoundKind::one_block, call.bytes(), Collective::bcast);
    case Collective::reduce:
    case Collective::allreduce:
      return call.bytes() == 0 ? nothing(call)
                               : assembled(call, RoundKind::combined, call.bytes(), call.kind());
    case Collective::gather:
      return pieces_of(call, {call});
    case Collective::scatter:
      return pieces_of(call, {.call = call, .from_root = true});
    case Collective::allgather:
      return pieces_of(call, {.call = call, .to_all = true});
    case Collective::alltoall:
      return pieces_of(call, {.call = call, .each_to_each = true});
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::allgatherv:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return counted_pieces_of(call);
    case Collective::reduce_scatter_block:
    case Collective::reduce_scatter:
      return scattered == 0 ? among_members(call)
                            : assembled(call, RoundKind::combined, scattered, Collective::allreduce);
    case Collective::scan:
    case Collective::exscan:  // totals to all, as if the members of each PE had consecutive ranks
      return call.bytes() == 0 ? among_members(call)
                               : assembled(call, RoundKind::blocks, call.bytes(), Collective::allgather);
    case Collective::create_comm:
      return among_members(call);
  }
  throw trace::TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind())));
}

}  // namespace skein::simulate
