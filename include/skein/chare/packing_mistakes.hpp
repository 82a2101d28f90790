// SPDX-License-Identifier: Apache-2.0
// Explains where serialize() does not unpack what it has packed.
#pragma once

#include <span>
#include <string>

#include "skein/chare/passage.hpp"
#include "skein/pup/field_log.hpp"

namespace skein::chare {

/// Describes the first value that was packed and unpacked differently, as ": Particle packs double as its
/// value 2 and unpacks int there"; empty if there is none. `whole` names the object that has the values.
std::string first_difference(const std::string& whole, const pup::FieldLog& packed,
                             const pup::FieldLog& unpacked);

/// Unpacks `bytes`, on which unpacking has failed, once more into `value`, and returns the text of
/// first_difference().
std::string packing_mistake(const Passing& value, std::span<const std::byte> bytes);

}  // namespace skein::chare
