// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/ids.hpp"

#include "lb/collectives/tree.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {
namespace {

/// The port of the tree by which an id is spread: messages to members of a group through a communicator.
struct IdMessages {
  Comm& comm;
  const Group& group;
  Route route;
  int peer(int member) const { return comm.group->rank_of(group.world_rank(member)); }
  void receive(int member, std::int64_t* id) const {
    receive_bytes(comm, route, peer(member), id, sizeof *id);
  }
  void send(int member, const std::int64_t* id) const {
    send_bytes(comm, route, peer(member), id, sizeof *id);
  }
};

/// Returns the id that member 0 of `group` gives, spread by a binomial tree of messages through `comm`.
std::int64_t give_id(RankState& state, Comm& comm, const Group& group, std::int64_t context, int tag) {
  const IdMessages messages{comm, group, {context, tag, kInCreation}};
  const int member = group.rank_of(state.rank.id);
  std::int64_t id = member == 0 ? take_ids(state, 1) : 0;
  collectives::down_the_tree(messages, collectives::RankTree(member, group.size, 0),
                             [&](int, int) { return &id; });
  return id;
}

}  // namespace

std::int64_t agree_on_id(RankState& state, Comm& parent) {
  return agree_on_id(state, parent, next_collective_tag(parent));
}

std::int64_t agree_on_id(RankState& state, Comm& parent, int collective_tag) {
  if (parent.remote) return agree_between(state, parent, collective_tag);
  return give_id(state, parent, *parent.group, parent.collective_context(), collective_tag);
}

std::int64_t agree_on_id(RankState& state, Comm& parent, const Group& group, int tag) {
  return give_id(state, parent, group, parent.creation_context(), tag);
}

}  // namespace skein::vmpi
