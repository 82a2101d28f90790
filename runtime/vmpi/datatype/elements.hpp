// SPDX-License-Identifier: Apache-2.0
// The answers of MPI_Get_count and MPI_Get_elements for a message of some bytes. Callable from anywhere.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// Returns the number of whole instances of `type` in `bytes`, or nothing if a part of one is left over
/// (MPI_UNDEFINED).
std::optional<std::int64_t> count_instances(const Datatype& type, std::int64_t bytes);

/// Returns the number of basic elements of `type`, repeated as often as needed, in `bytes`, or nothing if the
/// bytes end inside an element. A pair of MPI_MINLOC has two.
std::optional<std::int64_t> count_elements(const Datatype& type, std::int64_t bytes);

/// Returns the bytes of the first `elements` basic elements, for MPI_Status_set_elements. Returns nothing if
/// the type has none, but `elements` > 0.
std::optional<std::int64_t> bytes_of_elements(const Datatype& type, std::int64_t elements);

}  // namespace skein::vmpi
