// SPDX-License-Identifier: Apache-2.0
// The "external32" representation (MPI 4.1, section 15.5.2): big-endian, IEEE floating point, two's
// complement, sizes that its table fixes, no padding. Used by MPI_Pack_external and by file views. Takes any
// type, committed or not; callable from anywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// Returns the bytes that one `type` takes.
std::int64_t external32_size(const Datatype& type);

/// Converts data. Returns MPI_SUCCESS, or MPI_ERR_CONVERSION if an integer does not fit the smaller external
/// type (MPI_LONG has 4 bytes there): then its low-order bytes are used, and all other data is converted.
/// Real types that no compiler of this machine has (MPI_REAL2) are in the IEEE format already and change only
/// their byte order.
[[nodiscard]] int pack_external32(const void* buffer, std::int64_t count, const Datatype& type,
                                  std::byte* out);
void unpack_external32(void* buffer, std::int64_t count, const Datatype& type, const std::byte* in);

}  // namespace skein::vmpi
