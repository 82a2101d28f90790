// SPDX-License-Identifier: Apache-2.0
// The code of a message's basic elements, in the two bytes that an envelope has for it: a number for data of
// one basic type, which can be named to the user, else a hash of the type signature.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

using TypeCode = std::uint16_t;
/// The code of data that is not checked.
inline constexpr TypeCode kAnyType = 0;
/// Plain bytes, MPI_PACKED, or no elements at all: fits any data.
inline constexpr TypeCode kUntyped = 0x7fff;

/// Returns the code of data to be sent; never kAnyType.
TypeCode code_of(const Data& data);

/// Returns true if a message of `bytes` bytes with the code `sent` may be received as `data`, which has room
/// for all of it: the message must have the first elements of `data`. Derived types of different elements are
/// told apart with a probability of 1 - 2^-15.
bool fits(TypeCode sent, std::size_t bytes, const Data& data);

/// Returns a code as text: "MPI_DOUBLE", or a description of other data.
std::string describe(TypeCode code);

}  // namespace skein::vmpi
