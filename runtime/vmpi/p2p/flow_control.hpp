// SPDX-License-Identifier: Apache-2.0
// What keeps a sender from filling the memory of a receiver who does not come.
//
// A short message that nobody waits for is kept in the receiver's slot, its sender being through. All that a
// rank keeps so may take *eager memory* (--eager-memory). While it takes more, messages come as envelopes
// alone, as long ones do, and whoever sent them waits until they are matched:
//
//   charged of a message = sizeof(Unexpected) + bytes, if its data is here, or may come without its receiver
//   kept_bytes of a rank = what is charged of all that it keeps
//   kept_bytes > eager memory: a sender of this PE leaves its envelope. Another PE, whose message came too
//     much, is told to hold back, and does so for this receiver until it is told to go on, which is when no
//     more than half of the eager memory is taken
//
// So what a rank keeps is at most the eager memory, one message, and what other PEs had under way when they
// were told; and ranks may rely on it that short messages of so much in all wait for nobody. Buffered sends
// always come with their data: the buffer that the program attached bounds them. So do ready sends, whose
// receiver is there.
//
// What is under way to a PE that takes nothing in is bounded, too: a sender who comes to have more than
// kMostBacklog waiting for that PE (net::backlog()) waits until half of it is gone. It waits for the PE, not
// for the receiver.
//
// Who is held back, and by whom, is known by rank, and told over the one way that messages of two PEs go; so
// ranks that move need nothing but their slot.
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

/// What a rank keeps of messages that came before they were asked for. On every PE alike, before the first.
void limit_eager_memory(std::size_t bytes);

struct HeldBack {
  std::size_t receivers = 0;
  std::vector<bool> is_full;  ///< by world rank; empty before the first
};
extern PerRuntime<HeldBack> held_back;
/// Whether a short message of this PE for that rank, which is on another, goes as an envelope alone.
inline bool holds_back(int receiver) {
  return held_back->receivers > 0 && held_back->is_full[static_cast<std::size_t>(receiver)];
}

/// `receiver` keeps a message of `pe` and has no room for another: tells that PE, unless it knows.
void hold_back(RankState& receiver, int pe);
/// Those that were held back may go on.
void let_go_on(RankState& receiver);
/// What `receiver` kept of a message was freed.
inline void note_room(RankState& receiver) {
  if (receiver.matching.has_room_again()) [[unlikely]]
    let_go_on(receiver);
}

/// Why a blocking send waits that has not completed at once.
WaitReason why_it_waits(const Request& send);

void let_receiver_catch_up(const Comm& comm, int to);
/// In a call of the program that sends, and perhaps need not wait: looks for messages now and then, and lets
/// the PE that it sends to catch up. From a rank's fiber; may switch.
[[gnu::always_inline]] inline void pass(const Comm& comm, int to) {
  if (poll_in_passing()) [[unlikely]]
    let_receiver_catch_up(comm, to);
}

/// Does this outside an ApiCall (state.hpp): takes the rank's heap out of force itself if it looks.
void look_and_let_catch_up(const Comm& comm, int to);
[[gnu::always_inline]] inline void pass_from_program(const Comm& comm, int to) {
  if (--fiber::thread_block.calls_until_look == 0) [[unlikely]]
    look_and_let_catch_up(comm, to);
}

}  // namespace skein::vmpi
