// SPDX-License-Identifier: Apache-2.0
// Type signatures: the sequence of basic types of a datatype, without displacements. MPI matches a send with
// a receive, and the arguments of a collective call across its ranks, by signature. The sequence may have
// 2^60 elements, so it is kept as a hash that concatenates: H(AB) = H(A) * p^|B| + H(B) modulo the prime 2^61
// - 1 (Rabin and Karp). Two different sequences collide with a probability of about |AB| / 2^61.
#pragma once

#include <cstdint>

#include "runtime/vmpi/datatype/basic.hpp"

namespace skein::vmpi {

struct Signature {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;    ///< p^elements
  std::int64_t elements = 0;  ///< basic elements
  std::int64_t bytes = 0;
  std::int32_t element_size = 0;  ///< of every element, or 0 if they differ or there are none
  bool untyped = false;           ///< contains MPI_BYTE or MPI_PACKED
};

/// Returns one signature for all names of one machine type, whatever the language: MPI_INT, MPI_INTEGER and
/// MPI_INT32_T are equal, because programs of mixed languages rely on it.
Signature signature_of(const BasicType& element);
Signature concatenate(const Signature& first, const Signature& second);
Signature repeat(const Signature& one, std::int64_t times);

/// Returns true if `na` times `a` may meet `nb` times `b`. Untyped data meets any data of equal length.
bool signatures_match(const Signature& a, std::int64_t na, const Signature& b, std::int64_t nb);

}  // namespace skein::vmpi
