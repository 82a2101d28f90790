// SPDX-License-Identifier: Apache-2.0
// The messages between members and coordinator of lazy balancing. Shares go in pieces, since they may be
// longer than a message.
//
// These messages count as traffic: a meeting does not end while one is under way. So when a decision is
// applied, all PEs have heard what was agreed, those without objects included.
#pragma once

#include <cstdint>

namespace skein::balance {

/// A message from a member to its decider, which passes it on to the coordinator; of a share it passes on
/// only that it is whole.
struct ToCoordinator {
  enum class Kind : std::uint32_t { share, dry, promise } kind;
  std::uint32_t member = 0;  ///< the member whose message is passed on
  std::uint64_t point = 0;   ///< of a share; the promise; of dry: how many applications the member has seen
  std::uint64_t bytes = 0;   ///< length of the whole share, of which a piece follows
  std::uint64_t about = 0;   ///< of a promise: the sync point that was decided about
};

/// A message from the coordinator to the others that decide with it.
struct ToDecider {
  std::uint64_t about = 0;  ///< the sync point to decide on
};

struct ToMember {
  enum class Kind : std::uint32_t { answered, decided, agreed, silent } kind;
  std::uint32_t unused = 0;
  std::uint64_t point = 0;
  std::uint64_t drop = 0;  ///< with decided: the newest drop that the coordinator had heard of
};

}  // namespace skein::balance
