// SPDX-License-Identifier: Apache-2.0
// Which basic elements a message is of, in the two bytes that an envelope has room for: a number for data of
// one basic type, which can be named to the user, else a hash of the type signature.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

using TypeCode = std::uint16_t;
/// Not looked at.
inline constexpr TypeCode kAnyType = 0;
/// Plain bytes, MPI_PACKED, or no elements at all: fits everything.
inline constexpr TypeCode kUntyped = 0x7fff;

/// What is sent; never kAnyType.
TypeCode code_of(const Data& data);

/// Whether a message of `bytes` with that code may be received as `data`, which has room for all of it: the
/// elements of the message are the first that `data` stands for. Derived types of different elements are told
/// apart with a probability of 1 - 2^-15.
bool fits(TypeCode sent, std::size_t bytes, const Data& data);

/// "MPI_DOUBLE", or what can be said of other data.
std::string describe(TypeCode code);

}  // namespace skein::vmpi
