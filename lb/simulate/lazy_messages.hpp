// SPDX-License-Identifier: Apache-2.0
// What the PEs of a simulated job that balances lazily send each other, as in
// runtime/balance/lazy/messages.hpp.
#pragma once
#include <cstdint>

#include "lb/simulate/machine.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::simulate {

struct LazyMessage {
  enum class Kind : std::int32_t {
    /// From a member to its decider, which passes them on to the one that leads. A share that is longer than
    /// a
    /// message comes as pieces and, at last, as the share.
    piece,
    share,
    dry,
    promise,
    /// From the leading decider to the others, and back.
    begin,
    begun,
    /// From the leading decider to members.
    answered,
    decided,
    agreed,
    silent
  } kind;
  PeIndex member = 0;         // of which it is passed on; of begun: the decider
  lb::lazy::Point point = 0;  // of begun: when
};

inline constexpr std::uint64_t lazy_message_bytes = 32;  // of all but these two
inline constexpr std::uint64_t lazy_begin_bytes = 8, lazy_begun_bytes = 0;
/// The bytes of a share for each object, and for each of its edges (runtime/move/collect.cpp); what fits into
/// a message beside its head (runtime/net/transport.hpp).
inline constexpr std::uint64_t lazy_record_bytes = 56, lazy_edge_bytes = 16;
/// The bytes for each element (runtime/chare/balance/element_snapshot.cpp), whose indices are taken to have
/// four bytes.
inline constexpr std::uint64_t lazy_element_bytes = 64 + 4, lazy_call_bytes = 24 + 4;
inline constexpr std::uint64_t lazy_piece_bytes = 16 * 1024 - 64 - lazy_message_bytes;

void send(Machine& machine, PeIndex from, PeIndex to, const LazyMessage& message,
          std::uint64_t bytes = lazy_message_bytes);
/// A share of so many bytes, in pieces.
void send_share(Machine& machine, PeIndex member, PeIndex decider, lb::lazy::Point point,
                std::uint64_t bytes);
/// Removes it from the machine's.
LazyMessage take_lazy(Machine& machine, MessageIndex index);

}  // namespace skein::simulate
