// SPDX-License-Identifier: Apache-2.0
// Operations of an origin: direct ones on memory that this PE reaches, others by messages to the target's PE,
// in parts that are answered.
//
// A direct operation is over when its call returns. For one by messages, the origin's data has left when the
// call returns; it is over when all parts were answered, and the window counts it until then. Parts of one
// origin for one target arrive in the order of the calls, which keeps accumulates in order.
#pragma once

#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/rma/reach.hpp"
#include "runtime/vmpi/rma/update.hpp"

namespace skein::vmpi {

/// An operation under way by messages. In the origin's slot.
struct Transfer {
  Window* window;
  Data result;             ///< place of fetched data; holds a reference to its type
  std::uint64_t left = 1;  ///< number of parts without an answer, plus one during the call
  Request* request = nullptr;
  int error = MPI_SUCCESS;
};

/// An operation with checked arguments.
struct OneSided {
  enum class What : std::uint8_t { put, get, update, compare_and_swap };
  What what{};
  Data origin;  ///< put, update: the data; none with MPI_NO_OP
  Data result;  ///< get, and updates that fetch: the place of the result
  std::int64_t target_count = 0;
  const Datatype* target_type = nullptr;
  std::size_t bytes = 0;          ///< packed, at the target
  Update update{};                ///< for updates
  const void* compare = nullptr;  ///< compare_and_swap; the new value is the origin's
};

/// Performs an operation directly or sends it. `request`: null, or a request that completes with it. Raises
/// MPI_ERR_RMA_RANGE. May switch, as parts under way may take some megabytes only.
int perform(const ApiCall& call, Window& window, const Target& target, const OneSided& access,
            Request* request);

/// Waits until all operations of the window's rank are over at their targets, and raises the first error.
int complete_operations(const ApiCall& call, Window& window);

/// Ends a part that a target has answered; `data`, of `data_bytes` bytes, was fetched. Called at the origin's
/// PE.
void part_is_over(Transfer& transfer, std::uint64_t position, std::size_t bytes, const std::byte* data,
                  std::size_t data_bytes, int error);

}  // namespace skein::vmpi
