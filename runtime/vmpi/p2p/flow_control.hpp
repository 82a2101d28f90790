// SPDX-License-Identifier: Apache-2.0
// Flow control: bounds the memory of a receiver that does not receive.
//
// A short message that no receive awaits is kept in the receiver's slot, and its send is complete. The
// messages that a rank keeps may take *eager memory* (--eager-memory). While they take more, messages come as
// envelopes alone, as long ones do, and their senders wait until they are matched:
//
//   charged of a message = sizeof(Unexpected) + bytes, if its data is here, or may come without its receiver
//   kept_bytes of a rank = sum of the charges of all messages that it keeps
//   kept_bytes > eager memory: a sender of this PE leaves its envelope. Another PE, whose message came too
//     much, is told to hold back, and does so for this receiver until it is told to go on, which is when no
//     more than half of the eager memory is taken
//
// So a rank keeps at most the eager memory, one message, and the messages that other PEs had under way when
// they were told; and ranks may rely on it that short messages up to the eager memory in sum wait for nobody.
// Buffered sends always come with their data: the buffer that the program attached bounds them. So do ready
// sends, whose receiver is there.
//
// Messages under way to a PE that takes none in are bounded, too: a sender that comes to have more than
// kMostBacklog bytes waiting for that PE (net::backlog()) waits until half of them are gone. It waits for the
// PE, not for the receiver.
//
// PEs record by rank who is held back and by whom, and tell each other in order with the messages; so a rank
// that moves needs nothing but its slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

inline constexpr std::size_t kMostBacklog = std::size_t{1} << 20;

/// Sets the eager memory of each rank (bytes). Called with the same value on every PE, before the first
/// message.
void limit_eager_memory(std::size_t bytes);

struct HeldBack {
  std::size_t receivers = 0;
  std::vector<bool> is_full;  ///< by world rank; empty before the first
};
extern PerRuntime<HeldBack> held_back;
/// Returns true if a short message of this PE for `receiver`, which is on another PE, goes as an envelope
/// alone.
inline bool holds_back(int receiver) {
  return held_back->receivers > 0 && held_back->is_full[static_cast<std::size_t>(receiver)];
}

/// Tells PE `pe`, unless it knows, to hold back: `receiver` keeps a message of it and has no room for
/// another.
void hold_back(RankState& receiver, int pe);
/// Tells the PEs that were held back for `receiver` that they may go on.
void let_go_on(RankState& receiver);
/// Lets senders go on, if enough room is free, after `receiver` has freed a message that it kept.
inline void note_room(RankState& receiver) {
  if (receiver.matching.has_room_again()) [[unlikely]]
    let_go_on(receiver);
}

/// Returns the reason, for the deadlock report, that a blocking send waits which has not completed at once.
WaitReason why_it_waits(const Request& send);

void let_receiver_catch_up(const Comm& comm, int to);
/// Looks for messages now and then, and lets the PE that it sends to catch up, in a call that sends and
/// perhaps need not wait. Called from a rank's fiber; may switch.
[[gnu::always_inline]] inline void pass(const Comm& comm, int to) {
  if (poll_in_passing()) [[unlikely]]
    let_receiver_catch_up(comm, to);
}

/// Looks for messages and lets the receiver's PE catch up, outside an ApiCall (state.hpp): takes the rank's
/// heap out of force itself.
void look_and_let_catch_up(const Comm& comm, int to);
[[gnu::always_inline]] inline void pass_from_program(const Comm& comm, int to) {
  if (--fiber::thread_block.calls_until_look == 0) [[unlikely]]
    look_and_let_catch_up(comm, to);
}

}  // namespace skein::vmpi
