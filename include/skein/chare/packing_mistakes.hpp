// SPDX-License-Identifier: Apache-2.0
// What is said where serialize() does not unpack what it has packed.
#pragma once

#include <span>
#include <string>

#include "skein/chare/passage.hpp"
#include "skein/pup/field_log.hpp"

namespace skein::chare {

/// The first value that was packed otherwise than it was unpacked, as ": Particle packs double as its value 2
/// and unpacks int there"; empty if there is none. `whole` is what they are the values of.
std::string first_difference(const std::string& whole, const pup::FieldLog& packed,
                             const pup::FieldLog& unpacked);

/// Unpacks `bytes` once more, of which unpacking has failed, into a value, and gives what
/// first_difference() says.
std::string packing_mistake(const Passing& value, std::span<const std::byte> bytes);

}  // namespace skein::chare
