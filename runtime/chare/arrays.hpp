// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "runtime/chare/wire.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_arrays();
/// Those of this PE, by number.
std::span<const std::unique_ptr<ArrayBase>> all_arrays();
bool is_known(std::uint32_t array);
/// Whether the array is there; if not, the message is received again when it is.
bool await_array(Receiver receiver, int from_pe, std::uint32_t array, Bytes message);
/// The same; the blocks are taken only if it is not there.
bool await_array(BlockReceiver receiver, int from_pe, std::uint32_t array, Bytes message,
                 pup::Blocks&& blocks);
/// Receives again what came before the array, or the read-only values, that it needs.
void receive_early();
/// Destroys all elements of this PE.
void end_arrays();

}  // namespace skein::chare
