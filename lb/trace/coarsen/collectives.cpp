// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/coarsen/collectives.hpp"

#include <algorithm>
#include <string>

namespace skein::trace::coarse {
namespace {

/// Returns the coarse ranks of the fine ones, in the order of first occurrence.
std::vector<ObjectIndex> coarse_members(const std::vector<ObjectIndex>& fine, const CoarseMap& map) {
  std::vector<ObjectIndex> members;
  std::vector<bool> has(map.count);
  for (const ObjectIndex object : fine) {
    const ObjectIndex coarse = map.coarse_of[object];
    if (!has[coarse]) members.push_back(coarse);
    has[coarse] = true;
  }
  return members;
}

bool overlap(const std::vector<ObjectIndex>& a, const std::vector<ObjectIndex>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](ObjectIndex one) { return std::find(b.begin(), b.end(), one) != b.end(); });
}

bool all_equal(const std::vector<std::uint64_t>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

Collectives::Collectives(const Trace& trace, const CoarseMap& map, Parts& parts)
    : trace_(trace), map_(map), parts_(parts) {
  Communicator world;
  for (ObjectIndex coarse = 0; coarse < map.count; ++coarse) world.members.push_back(coarse);
  ids_[{world.members, {}}] = 0;
  parts_.communicators.push_back(std::move(world));
}

std::uint32_t Collectives::coarse_id(const std::vector<ObjectIndex>& members,
                                     const std::vector<ObjectIndex>& others) {
  const auto id = static_cast<std::uint32_t>(parts_.communicators.size());
  const auto [found, is_new] = ids_.try_emplace({members, others}, id);
  if (is_new) parts_.communicators.push_back({id, members, others});
  return found->second;
}

Collectives::Fine& Collectives::fine_of(std::uint32_t id) {
  const auto [found, is_new] = fine_.try_emplace(id);
  Fine& fine = found->second;
  if (!is_new) return fine;
  fine.communicator = &trace_.communicator(id);
  for (const auto* group : {&fine.communicator->members, &fine.communicator->others})
    for (const ObjectIndex object : *group) fine.place.emplace(object, fine.place.size());
  std::vector<ObjectIndex> members = coarse_members(fine.communicator->members, map_);
  std::vector<ObjectIndex> others = coarse_members(fine.communicator->others, map_);
  if (overlap(members, others)) {
    // A coarse rank that would be in both groups makes the collective one of all.
    for (const ObjectIndex one : others)
      if (std::find(members.begin(), members.end(), one) == members.end()) members.push_back(one);
    others.clear();
  }
  fine.coarse = coarse_id(members, others);
  fine.coarse_members = members;
  fine.coarse_members.insert(fine.coarse_members.end(), others.begin(), others.end());
  return fine;
}

Collectives::Instance& Collectives::arrive(ObjectIndex object, const Event& event, Level level) {
  Fine& fine = fine_of(event.communicator);
  const auto place = fine.place.find(object);
  if (place == fine.place.end())
    throw TraceError("object " + std::to_string(object) + " makes a collective on communicator " +
                     std::to_string(event.communicator) +
                     ", of which it is no member; `skein trace check` tells where");
  Line& line = lines_[line_of(event)];
  line.next.resize(fine.place.size());
  const std::uint64_t number = line.next[place->second]++;
  if (number == line.instances.size()) {
    line.instances.emplace_back();
    line.instances.back().missing = fine.place.size();
    line.instances.back().kind = static_cast<Collective>(event.what);
  }
  Instance& instance = line.instances[number];
  instance.level = std::max(instance.level, level);
  if (event.partner != kAny) instance.root = event.partner;
  instance.arrivals.push_back({object, event.bytes, {event.list.begin(), event.list.end()}});
  if (--instance.missing == 0) finish(fine, instance);
  return instance;
}

/// Makes the coarse collective from the fine ranks' data: parts of a whole add up, common data stays.
void Collectives::finish(const Fine& fine, Instance& instance) {
  ++instance.level;
  const std::size_t members = fine.coarse_members.size();
  if (members < 2) return;
  std::vector<std::size_t> place(map_.count), ranks(members);
  for (std::size_t k = 0; k < members; ++k) place[fine.coarse_members[k]] = k;
  std::vector<ObjectIndex> order(fine.place.size());  // fine ones by place
  for (const auto& [object, at] : fine.place) {
    order[at] = object;
    ++ranks[place[map_.coarse_of[object]]];
  }
  Call call;
  call.level = instance.level;
  call.communicator = fine.coarse;
  call.kind = instance.kind;
  if (instance.root != kAny)
    call.root = static_cast<std::int32_t>(map_.coarse_of[static_cast<std::size_t>(instance.root)]);
  std::vector<std::uint64_t> sum(members), most(members);
  call.lists.resize(members);
  const std::size_t others = fine.communicator->others.size();
  for (const auto& arrival : instance.arrivals) {
    const std::size_t k = place[map_.coarse_of[arrival.object]];
    sum[k] += arrival.bytes;
    most[k] = std::max(most[k], arrival.bytes);
    if (arrival.list.empty()) continue;
    call.lists[k].resize(members);
    // In an intercommunicator the list is about the other group.
    const bool first_group = fine.place.at(arrival.object) < fine.communicator->members.size();
    const std::size_t begin = others && first_group ? fine.communicator->members.size() : 0;
    for (std::size_t m = 0; m < arrival.list.size() && begin + m < order.size(); ++m)
      call.lists[k][place[map_.coarse_of[order[begin + m]]]] += arrival.list[m];
  }
  instance.arrivals = {};
  const bool same_size = all_equal({ranks.begin(), ranks.end()});
  switch (call.kind) {
    case Collective::gather:
    case Collective::allgather:
      call.bytes = sum;
      if (!same_size)
        call.kind = call.kind == Collective::gather ? Collective::gatherv : Collective::allgatherv;
      break;
    case Collective::gatherv:
    case Collective::allgatherv:
      call.bytes = sum;
      break;
    case Collective::scatter:
    case Collective::alltoall: {
      const bool all = call.kind == Collective::alltoall;
      const std::uint64_t each = *std::max_element(most.begin(), most.end());
      if (same_size) {
        call.bytes.assign(members, each * ranks[0] * (all ? ranks[0] : 1));
        break;
      }
      call.kind = all ? Collective::alltoallv : Collective::scatterv;
      call.bytes.resize(members);
      for (std::size_t k = 0; k < members; ++k) {
        if (!all && static_cast<std::int32_t>(fine.coarse_members[k]) != call.root) continue;
        for (std::size_t to = 0; to < members; ++to)
          call.lists[k].push_back(each * ranks[to] * (all ? ranks[k] : 1));
      }
      break;
    }
    default:
      call.bytes = most;
  }
  parts_.calls.push_back(std::move(call));
}

}  // namespace skein::trace::coarse
