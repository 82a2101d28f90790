// SPDX-License-Identifier: Apache-2.0
// What goes between the windows of a communicator's ranks where memory is not shared, and what one rank has
// to be told by another wherever it is.
//
// Handlers run on the PE of whom they are for, whenever it polls, whatever its ranks do. Windows and
// transfers are named by their addresses, which mean the same wherever their ranks are; they are there when a
// message arrives, since ranks move only when none is under way, and MPI_Win_free waits until all were
// answered.
#pragma once

#include "runtime/vmpi/rma/transfer.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// A message without data.
struct Control {
  enum class What : std::uint8_t {
    want_lock,
    lock_granted,
    return_lock,        ///< it is in the message; answered
    lock_was_returned,  ///< and somebody waits for it; answered
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
/// From the rank of `window`, to a rank of it. Never switches.
void tell(Window& window, int rank, const Control& message);
/// Sends a message to a rank of the world, from which no answer comes back.
void tell_rank(int world_rank, const Control& message);

/// A part of an operation: what to do with some bytes at a target.
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
  bool fetches = false;  ///< the answer brings what was there
};
/// Where the bytes of a part are, from the displacement.
struct WireBlock {
  std::int64_t offset;
  std::int64_t bytes;
};
// What travels: Part, its blocks, and the data of the origin, where there is any.

inline constexpr std::size_t kPartBytes = 6 * 1024;  ///< of one part, at most
inline constexpr std::size_t kPartBlocks = 96;
inline constexpr std::size_t kLongestPart = sizeof(Part) + kPartBlocks * sizeof(WireBlock) + kPartBytes;

/// Sends a part to the PE of a rank.
void send_part(int world_rank, const std::byte* message, std::size_t bytes);

}  // namespace skein::vmpi
