// SPDX-License-Identifier: Apache-2.0
// Communicators as the simulator sees them: their members, and how members assemble in blocking collectives
// (runtime/vmpi/coll/meeting/assembly.hpp): the members on one PE form an assembly, whose first member is the
// leader.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "lb/collectives/across_nodes.hpp"
#include "lb/simulate/message.hpp"
#include "lb/simulate/nodes.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// The members on one PE.
struct Assembly {
  std::uint32_t first = 0;  // in Group::assembled_
  std::uint32_t members = 0;
  std::uint32_t arrived = 0;
  trace::Collective kind{};  // the collective of the members that have arrived
  /// For pieces of different lengths: the bytes that the arrived members have for each assembly.
  std::vector<std::uint64_t> outgoing = {};
};

/// A joint operation (runtime/vmpi/coll/joint/joint.hpp) under way, with its members where they were when the
/// first of them started it. In the runtime, members that move start their parts again; this is played as if
/// they had not moved.
struct JointOperation {
  trace::Collective kind{};
  std::vector<ObjectIndex> leaders;
  std::vector<std::uint32_t> assembly_of;  // by rank
  std::vector<std::uint32_t> missing;      // by assembly: members that have not started it
  std::vector<TaskId> tasks;               // by rank; none: not started
  std::uint32_t left = 0;                  // members that have left it
};

/// The number of one of a group's collectives, equal on all members.
struct CollectiveNumber {
  std::int32_t tag = 0;    // of its messages; distinguishes collectives under way
  std::int32_t start = 0;  // of a persistent collective, whose starts share a tag
  auto operator<=>(const CollectiveNumber&) const = default;
};

/// The members of a communicator, or those of one side of an intercommunicator.
class Group {
 public:
  Group() = default;
  explicit Group(std::span<const ObjectIndex> members);

  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  std::span<const ObjectIndex> members() const { return members_; }
  /// Returns the rank of the object, or `none`.
  std::uint32_t rank_of(ObjectIndex object) const;

  /// Finds the places of the members; `generation` changes whenever objects have moved.
  void place(const std::vector<PeIndex>& pe_of, std::uint64_t generation, const Nodes& nodes,
             std::vector<std::uint32_t>& leader_on_pe);
  /// Returns the first member on each PE, in the order of ranks. Valid after place().
  std::span<const ObjectIndex> leaders() const { return leaders_; }
  /// Returns true if members assemble: on average there are at least two members for each PE that has any, or
  /// at least two such PEs for each node if the group goes node by node.
  bool assembles() const {
    return meets() || (crosses_nodes_ && leaders_.size() >= 2 * first_leaders_.size());
  }
  bool meets() const { return members_.size() >= 2 * leaders_.size(); }
  /// Returns true if a round of PEs on several nodes, with blocks up to `longest` bytes, goes node by node.
  bool crosses_nodes(std::uint64_t longest, collectives::RoundKind kind) const {
    return crosses_nodes_ &&
           collectives::fits_across_nodes(first_leaders_.size(), most_on_node_, longest, kind);
  }
  /// Returns the number of the member's assembly: the leader's rank among the leaders.
  std::uint32_t assembly_of(std::uint32_t rank) const { return assembly_of_[rank]; }
  Assembly& assembly(std::uint32_t index) { return assemblies_[index]; }
  std::span<const ObjectIndex> members_of(const Assembly& assembly) const {
    return std::span(assembled_).subspan(assembly.first, assembly.members);
  }
  bool alone() const { return leaders_.size() == 1; }
  bool on_one_node() const { return on_one_node_; }
  /// Return the leaders on the first PEs of the nodes, in the order of nodes; and all leaders on a node, in
  /// the order of their PEs. Precondition: a group on several nodes may go node by node
  /// (runtime/vmpi/coll/meeting/across_nodes.hpp), because the first PE of each node has a leader.
  std::span<const ObjectIndex> first_leaders() const { return first_leaders_; }
  std::span<const ObjectIndex> leaders_on_node(std::uint32_t node) const { return on_node_[node]; }
  std::size_t most_pes_on_node() const { return most_on_node_; }

  /// Returns the number of a collective that the member begins. `persistent`: the number of the persistent
  /// collective (Event::tag), or 0.
  CollectiveNumber next_number(std::uint32_t rank, std::int32_t persistent);

  /// Returns the operation with the number; makes it if there is none. Precondition: place() was called.
  JointOperation& joint(CollectiveNumber number, trace::Collective kind);
  void end_joint(CollectiveNumber number) { joint_.erase(number); }

 private:
  struct Member {
    ObjectIndex object;
    std::uint32_t rank;
  };
  std::span<const ObjectIndex> members_;  // owned by the trace
  bool in_order_ = true;                  // members are `first_`, first_ + 1, ...
  std::vector<Member> by_object_;         // else: sorted by object
  std::vector<std::int32_t> begun_;       // by rank: the number of collectives that are not persistent
  std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t>
      started_;  // by rank and persistent collective
  std::map<CollectiveNumber, JointOperation> joint_;

  std::uint64_t generation_ = ~std::uint64_t{0};
  void place_on_nodes(const std::vector<PeIndex>& pe_of, const Nodes& nodes);

  bool on_one_node_ = false;
  bool crosses_nodes_ = false;
  std::vector<ObjectIndex> first_leaders_;
  std::vector<std::vector<ObjectIndex>> on_node_;
  std::size_t most_on_node_ = 0;
  std::vector<ObjectIndex> leaders_;
  std::vector<std::uint32_t> assembly_of_;  // by rank
  std::vector<Assembly> assemblies_;
  std::vector<ObjectIndex> assembled_;  // members, assembly by assembly
};

/// The group of a communicator, or the two groups of an intercommunicator.
struct GroupPair {
  std::uint32_t id = 0;
  Group local, remote;
  bool inter() const { return remote.size() > 0; }
};

class Groups {
 public:
  explicit Groups(const trace::Trace& trace);
  /// Returns the communicator's groups. Throws TraceError if there is none of that id.
  GroupPair& of(std::uint32_t id);

 private:
  const trace::Trace& trace_;
  std::vector<GroupPair> all_;  // rising ids
};

}  // namespace skein::simulate
