// SPDX-License-Identifier: Apache-2.0
// What MPI_Get_count and MPI_Get_elements answer about a message of so many bytes. Callable from anywhere.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// Whole instances of `type` in `bytes`; nothing if a part of one is left over (MPI_UNDEFINED).
std::optional<std::int64_t> count_instances(const Datatype& type, std::int64_t bytes);

/// Basic elements of `type`, repeated as often as needed, in `bytes`; nothing if the bytes end inside of one.
/// A pair of MPI_MINLOC has two.
std::optional<std::int64_t> count_elements(const Datatype& type, std::int64_t bytes);

/// The other way round, for MPI_Status_set_elements: the bytes of the first `elements` basic elements.
/// Nothing if the type has none, but `elements` > 0.
std::optional<std::int64_t> bytes_of_elements(const Datatype& type, std::int64_t elements);

}  // namespace skein::vmpi
