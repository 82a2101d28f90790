// SPDX-License-Identifier: Apache-2.0
// Communicators as the simulator sees them: who is which member, and where members assemble in blocking
// collectives (runtime/vmpi/coll/meeting/assembly.hpp): those on one PE, of whom the first is the leader.
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
  trace::Collective kind{};  // that those who have arrived are in
  /// For pieces of unlike lengths: the bytes that those who have arrived have for the members of each
  /// assembly.
  std::vector<std::uint64_t> outgoing = {};
};

/// A joint operation (runtime/vmpi/coll/joint/joint.hpp) under way, with its members where they were when the
/// first of them started it: in the runtime those that move leave their parts anew, which is played as if
/// they had not moved.
struct JointOperation {
  trace::Collective kind{};
  std::vector<ObjectIndex> leaders;
  std::vector<std::uint32_t> assembly_of;  // by rank
  std::vector<std::uint32_t> missing;      // by assembly: members that have not started it
  std::vector<TaskId> tasks;               // by rank, of those that have
  std::uint32_t left = 0;                  // how many are through
};

/// Which of a group's collectives one is, alike for all members.
struct CollectiveNumber {
  std::int32_t tag = 0;    // of its messages: those of several under way are told apart by it
  std::int32_t start = 0;  // of a persistent one, whose starts have one tag
  auto operator<=>(const CollectiveNumber&) const = default;
};

/// The members of a communicator, or those of one side of an intercommunicator.
class Group {
 public:
  Group() = default;
  explicit Group(std::span<const ObjectIndex> members);

  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  std::span<const ObjectIndex> members() const { return members_; }
  /// The rank of the object, or `none`.
  std::uint32_t rank_of(ObjectIndex object) const;

  /// Finds out who is where; `generation` changes whenever objects have moved.
  void place(const std::vector<PeIndex>& pe_of, std::uint64_t generation, const Nodes& nodes,
             std::vector<std::uint32_t>& leader_on_pe);
  /// After place(): the first members on every PE, in the order of their ranks.
  std::span<const ObjectIndex> leaders() const { return leaders_; }
  /// Whether members assemble: there are two and more per PE that has any, or as many PEs a node, which go
  /// node by node.
  bool assembles() const {
    return meets() || (crosses_nodes_ && leaders_.size() >= 2 * first_leaders_.size());
  }
  bool meets() const { return members_.size() >= 2 * leaders_.size(); }
  /// Whether such a round of PEs on several nodes goes node by node.
  bool crosses_nodes(std::uint64_t longest, collectives::RoundKind kind) const {
    return crosses_nodes_ &&
           collectives::fits_across_nodes(first_leaders_.size(), most_on_node_, longest, kind);
  }
  /// That of the member; by its number the leader's rank among leaders.
  std::uint32_t assembly_of(std::uint32_t rank) const { return assembly_of_[rank]; }
  Assembly& assembly(std::uint32_t index) { return assemblies_[index]; }
  std::span<const ObjectIndex> members_of(const Assembly& assembly) const {
    return std::span(assembled_).subspan(assembly.first, assembly.members);
  }
  bool alone() const { return leaders_.size() == 1; }
  bool on_one_node() const { return on_one_node_; }
  /// Where PEs on several nodes may go node by node (runtime/vmpi/coll/meeting/across_nodes.hpp), the first
  /// PE of every node being among them: the leaders on the first PEs of the nodes, in the order of these; and
  /// by node all leaders there, in the order of their PEs.
  std::span<const ObjectIndex> first_leaders() const { return first_leaders_; }
  std::span<const ObjectIndex> leaders_on_node(std::uint32_t node) const { return on_node_[node]; }
  std::size_t most_pes_on_node() const { return most_on_node_; }

  /// The number of a collective that the member begins. `persistent`: which such one (Event::tag), or 0.
  CollectiveNumber next_number(std::uint32_t rank, std::int32_t persistent);

  /// That of the number; made, after place(), if there is none.
  JointOperation& joint(CollectiveNumber number, trace::Collective kind);
  void end_joint(CollectiveNumber number) { joint_.erase(number); }

 private:
  struct Member {
    ObjectIndex object;
    std::uint32_t rank;
  };
  std::span<const ObjectIndex> members_;  // the trace's
  bool in_order_ = true;                  // members are `first_`, first_ + 1, ...
  std::vector<Member> by_object_;         // else: sorted by object
  std::vector<std::int32_t> begun_;       // by rank: collectives that are not persistent
  std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t> started_;  // by rank and persistent one
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

/// A communicator: its group, or both of an intercommunicator.
struct GroupPair {
  std::uint32_t id = 0;
  Group local, remote;
  bool inter() const { return remote.size() > 0; }
};

class Groups {
 public:
  explicit Groups(const trace::Trace& trace);
  /// Throws TraceError where there is none.
  GroupPair& of(std::uint32_t id);

 private:
  const trace::Trace& trace_;
  std::vector<GroupPair> all_;  // rising ids
};

}  // namespace skein::simulate
