// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/groups.hpp"

#include <algorithm>

namespace skein::simulate {

Group::Group(std::span<const ObjectIndex> members) : members_(members), begun_(members.size(), 0) {
  for (std::size_t i = 1; i < members.size(); ++i) in_order_ = in_order_ && members[i] == members[0] + i;
  if (in_order_) return;
  by_object_.reserve(members.size());
  for (std::uint32_t rank = 0; rank < members.size(); ++rank) by_object_.push_back({members[rank], rank});
  std::sort(by_object_.begin(), by_object_.end(),
            [](const Member& a, const Member& b) { return a.object < b.object; });
}

std::uint32_t Group::rank_of(ObjectIndex object) const {
  if (in_order_) {
    if (members_.empty()) return kNone;
    const std::uint32_t rank = object - members_[0];
    return rank < members_.size() ? rank : kNone;
  }
  const auto found =
      std::lower_bound(by_object_.begin(), by_object_.end(), object,
                       [](const Member& member, ObjectIndex of) { return member.object < of; });
  return found != by_object_.end() && found->object == object ? found->rank : kNone;
}

void Group::place(const std::vector<PeIndex>& pe_of, std::uint64_t generation, const Nodes& nodes,
                  std::vector<std::uint32_t>& leader_on_pe) {
  if (generation == generation_) return;
  generation_ = generation;
  leaders_.clear();
  assemblies_.clear();
  assembly_of_.resize(members_.size());
  on_one_node_ = std::ranges::all_of(
      members_, [&](ObjectIndex member) { return nodes.is_one(pe_of[member], pe_of[members_[0]]); });
  for (std::uint32_t rank = 0; rank < members_.size(); ++rank) {
    std::uint32_t& leader = leader_on_pe[pe_of[members_[rank]]];
    if (leader == kNone) {
      leader = static_cast<std::uint32_t>(leaders_.size());
      leaders_.push_back(members_[rank]);
      assemblies_.emplace_back();
    }
    ++assemblies_[leader].members;
    assembly_of_[rank] = leader;
  }
  for (const ObjectIndex leader : leaders_) leader_on_pe[pe_of[leader]] = kNone;
  place_on_nodes(pe_of, nodes);
  std::uint32_t first = 0;
  for (Assembly& assembly : assemblies_) {
    assembly.first = first;
    first += assembly.members;
    assembly.members = 0;
  }
  assembled_.resize(members_.size());
  for (std::uint32_t rank = 0; rank < members_.size(); ++rank) {
    Assembly& assembly = assemblies_[assembly_of_[rank]];
    assembled_[assembly.first + assembly.members++] = members_[rank];
  }
}

void Group::place_on_nodes(const std::vector<PeIndex>& pe_of, const Nodes& nodes) {
  crosses_nodes_ = false;
  if (on_one_node_ || leaders_.size() < nodes.count()) return;
  on_node_.assign(nodes.count(), {});
  for (const ObjectIndex leader : leaders_) on_node_[nodes.of(pe_of[leader])].push_back(leader);
  first_leaders_.clear();
  most_on_node_ = 0;
  for (std::uint32_t node = 0; node < nodes.count(); ++node) {
    std::vector<ObjectIndex>& here = on_node_[node];
    std::ranges::sort(here, {}, [&](ObjectIndex leader) { return pe_of[leader]; });
    if (here.empty() || pe_of[here[0]] != nodes.first_of(node)) return;
    first_leaders_.push_back(here[0]);
    most_on_node_ = std::max(most_on_node_, here.size());
  }
  crosses_nodes_ = true;
}

CollectiveNumber Group::next_number(std::uint32_t rank, std::int32_t persistent) {
  if (persistent == 0) return {begun_[rank]++, 0};
  return {persistent | 0x40000000,
          started_[{rank, persistent}]++};  // the numbers of other collectives stay below
}

JointOperation& Group::joint(CollectiveNumber number, trace::Collective kind) {
  const auto [at, is_new] = joint_.try_emplace(number);
  JointOperation& operation = at->second;
  if (!is_new) return operation;
  operation.kind = kind;
  operation.leaders = leaders_;
  operation.assembly_of = assembly_of_;
  for (const Assembly& assembly : assemblies_) operation.missing.push_back(assembly.members);
  operation.tasks.resize(members_.size(), kNone);
  return operation;
}

Groups::Groups(const trace::Trace& trace) : trace_(trace) {
  all_.reserve(trace.communicators().size());
  for (const trace::Communicator& communicator : trace.communicators())
    all_.push_back({communicator.id, Group(communicator.members), Group(communicator.others)});
}

GroupPair& Groups::of(std::uint32_t id) {
  if (id == 0 && !all_.empty() && all_[0].id == 0) return all_[0];
  const auto found = std::lower_bound(all_.begin(), all_.end(), id,
                                      [](const GroupPair& pair, std::uint32_t of) { return pair.id < of; });
  if (found == all_.end() || found->id != id) (void)trace_.communicator(id);  // throws
  return *found;
}

}  // namespace skein::simulate
