// SPDX-License-Identifier: Apache-2.0
// What members and coordinator of lazy balancing send each other. Shares go in pieces, since they may be
// longer than a message.
//
// These are counted as traffic: a meeting does not end while one is under way, and so all PEs have heard what
// was agreed when a decision is applied, those without objects included.
#pragma once

#include <cstdint>

namespace skein::balance {

/// From a member to its decider, which passes it on to the coordinator: of a share only that it is whole.
struct ToCoordinator {
  enum class Kind : std::uint32_t { share, dry, promise } kind;
  std::uint32_t member = 0;  ///< of which it is passed on
  std::uint64_t point = 0;   ///< of a share; the promise; of dry: how many applications the member has seen
  std::uint64_t bytes = 0;   ///< of the whole share, of which a piece follows
  std::uint64_t about = 0;   ///< of a promise: the sync point that was decided about
};

/// From the coordinator to the others that decide with it.
struct ToDecider {
  std::uint64_t about = 0;  ///< the sync point to decide on
};

struct ToMember {
  enum class Kind : std::uint32_t { answered, decided, agreed, silent } kind;
  std::uint32_t unused = 0;
  std::uint64_t point = 0;
  std::uint64_t drop = 0;  ///< with decided: the newest that the coordinator had heard of
};

}  // namespace skein::balance
