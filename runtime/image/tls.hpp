// SPDX-License-Identifier: Apache-2.0
// Thread-local variables of private images.
//
// An image that reaches its variables only through __tls_get_addr or TLS descriptors (shared objects as
// compilers make them) has them in the slot, and a switch between ranks costs nothing. An executable, and a
// library built with -ftls-model=initial-exec, has them at fixed distances below the thread pointer; their
// room is fiber::ThreadBlock::program_tls, which every switch copies out of and into the slot's TLS copy.
//
// Source of the layout: U. Drepper, "ELF Handling For Thread-Local Storage" (2013), variant II.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/image/image.hpp"
#include "runtime/libc/override.hpp"

namespace skein::image {

/// Returns the __tls_get_addr of the images.
std::span<const libc::Override> tls_overrides();

/// The function that a TLS descriptor's first word points to. The second word is the variable's address. Not
/// callable from C: takes the descriptor in rax, returns the distance from the thread pointer there and
/// changes nothing else.
extern "C" void skein_tls_descriptor();

/// Room below the thread pointer for libraries that are loaded later: an OpenMP library takes 144.
inline constexpr std::size_t kSpareTlsBytes = 256;

/// Returns the least distance from the thread pointer for the variables of one more library, congruent so
/// that they are aligned as in its file.
std::uint64_t next_tls_distance(const TlsSegment& tls, std::uint64_t taken);

/// The space that the areas of all images take.
struct TlsAreas {
  std::uint64_t swapped_bytes = 0;  ///< below the thread pointer
  std::uint64_t slot_end = 0;       ///< offset behind the last block in the slot
};

/// Gives every image with TLS its place; `at_fixed_distance` says which of them must be below the thread
/// pointer, the program always being the first of them. In the slot, blocks start at `slot_offset`. Throws
/// skein::Error when they need more than fiber::kProgramTlsRoom or an alignment that the thread pointer does
/// not have.
TlsAreas place_tls(const std::vector<std::unique_ptr<Image>>& images,
                   const std::vector<bool>& at_fixed_distance, std::uint64_t slot_offset);

}  // namespace skein::image
