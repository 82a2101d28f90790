// SPDX-License-Identifier: Apache-2.0
// Messages between the windows of a communicator's ranks: operations where memory is not shared, and notices
// from rank to rank, wherever these are.
//
// Handlers run on the receiver's PE whenever it polls, whatever its ranks do. Messages name windows and
// transfers by their addresses, which are valid wherever their ranks are. The objects exist when a message
// arrives, since ranks move only when no message is under way, and MPI_Win_free waits for all answers.
#pragma once

#include "runtime/vmpi/rma/transfer.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// A message without data.
struct Control {
  enum class What : std::uint8_t {
    want_lock,
    lock_granted,
    return_lock,        ///< the lock is in the message; answered
    lock_was_returned,  ///< the lock is free, and ranks wait for it; answered
    posted,
    completed,
    answered
  };
  Window* to = nullptr;
  Window* from = nullptr;
  int rank = 0;  ///< of `from`
  What what{};
  bool exclusive = false;
};
/// Sends a message to a rank of the window. Called from the window's rank. Never switches.
void tell(Window& window, int rank, const Control& message);
/// Sends a message that gets no answer to a rank of the world.
void tell_rank(int world_rank, const Control& message);

/// A part of an operation on some bytes of a target.
struct Part {
  enum class What : std::uint8_t { put, get, update, compare_and_swap };
  Window* to = nullptr;
  Transfer* transfer = nullptr;
  MPI_Aint displacement = 0;
  std::uint64_t position = 0;                ///< of the part in the packed form
  MPI_Datatype element = MPI_DATATYPE_NULL;  ///< update: predefined
  MPI_Op op = MPI_OP_NULL;                   ///< update: predefined
  std::uint32_t bytes = 0;
  std::uint16_t blocks = 0;
  What what{};
  bool fetches = false;  ///< the answer brings the old data
};
/// The place of a part's bytes, relative to the displacement.
struct WireBlock {
  std::int64_t offset;
  std::int64_t bytes;
};
// A message has the Part, its blocks, and the data of the origin, if there is any.

inline constexpr std::size_t kPartBytes = 6 * 1024;  ///< of one part, at most
inline constexpr std::size_t kPartBlocks = 96;
inline constexpr std::size_t kLongestPart = sizeof(Part) + kPartBlocks * sizeof(WireBlock) + kPartBytes;

/// Sends a part to the PE of a rank.
void send_part(int world_rank, const std::byte* message, std::size_t bytes);

}  // namespace skein::vmpi
