// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/collective_messages.hpp"

#include <algorithm>
#include <optional>

#include "lb/collectives/by_bytes.hpp"

namespace skein::trace {
namespace {

using collectives::Bytes;
using collectives::Step;

/// The bytes from `from` to `to` if each member sends its own data to all that need it; none: no message.
struct Direct {
  const Collectives& collectives;
  const CollectiveCall& call;
  std::size_t members, others;  // places from `members` on belong to the other group
  std::size_t root;

  bool inter() const { return others > 0; }
  std::size_t rank_of(std::size_t place) const { return place < members ? place : place - members; }
  std::optional<Bytes> bytes(std::size_t from, std::size_t to) const {
    if (from == to || (inter() && (from < members) == (to < members))) return {};
    switch (call.kind) {
      case Collective::barrier:
      case Collective::create_comm:
        return 0;
      case Collective::bcast:
      case Collective::scatter:
        return from == root ? std::optional(call.bytes) : std::nullopt;
      case Collective::gather:
      case Collective::reduce:
        return to == root ? std::optional(call.bytes) : std::nullopt;
      case Collective::gatherv:
        return to == root ? std::optional(collectives.bytes(call, from, rank_of(to))) : std::nullopt;
      case Collective::scatterv:
        return from == root ? std::optional(collectives.bytes(call, from, rank_of(to))) : std::nullopt;
      case Collective::allgather:
      case Collective::alltoall:
      case Collective::allreduce:
        return call.bytes;
      case Collective::allgatherv:
      case Collective::alltoallv:
      case Collective::alltoallw:
      case Collective::reduce_scatter:
        return collectives.bytes(call, from, rank_of(to));
      case Collective::reduce_scatter_block:
        return call.bytes / std::max<std::size_t>(inter() ? (to < members ? members : others) : members, 1);
      case Collective::scan:
      case Collective::exscan:
        return from < to ? std::optional(call.bytes) : std::nullopt;
    }
    throw TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind)));
  }
};

std::size_t root_place(const Collectives& collectives, const Communicator& communicator,
                       const CollectiveCall& call) {
  return call.root == kAny ? 0 : collectives.place(communicator.id, static_cast<ObjectIndex>(call.root));
}

}  // namespace

StepList nonblocking_steps(const Collectives& collectives, const Communicator& communicator,
                           const CollectiveCall& call, std::size_t self) {
  const Direct direct{collectives, call, communicator.members.size(), communicator.others.size(),
                      root_place(collectives, communicator, call)};
  const std::size_t all = direct.members + direct.others;
  StepList steps;
  // Each member starts with another peer, so that no two send to the same one.
  for (std::size_t i = 1; i < all; ++i) {
    const std::size_t from = (self + all - i) % all;
    if (const auto bytes = direct.bytes(from, self))
      steps.push_back({Step::Kind::receive, static_cast<int>(from), *bytes});
  }
  for (std::size_t i = 1; i < all; ++i) {
    const std::size_t to = (self + i) % all;
    if (const auto bytes = direct.bytes(self, to))
      steps.push_back({Step::Kind::send, static_cast<int>(to), *bytes});
  }
  return steps;
}

StepList blocking_steps(const Collectives& collectives, const Communicator& communicator,
                        const CollectiveCall& call, std::size_t self) {
  if (!communicator.others.empty()) {
    StepList steps = nonblocking_steps(collectives, communicator, call, self);
    if (!steps.empty()) steps.push_back({});
    return steps;
  }
  collectives::Steps steps(static_cast<int>(self), static_cast<int>(communicator.members.size()), false);
  collectives::make_steps(steps, call.kind, static_cast<int>(root_place(collectives, communicator, call)),
                          call.bytes, [&](int from, int to) {
                            return collectives.bytes(call, static_cast<std::size_t>(from),
                                                     static_cast<std::size_t>(to));
                          });
  return steps.list();
}

}  // namespace skein::trace
