// SPDX-License-Identifier: Apache-2.0
// The construction of a datatype as MPI_Type_get_envelope and MPI_Type_get_contents return it. The arguments
// are in the order of the tables of MPI 4.1, section 5.1.13: first the ints, the addresses, the large counts,
// the datatypes, each in the order of the constructor's parameters. A type made with MPI_Count arguments has
// its counts, displacements and bounds among the large counts.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

struct ContentSizes {
  std::int64_t ints = 0, addresses = 0, large_counts = 0, types = 0;
};

ContentSizes content_sizes(const Datatype& type);

/// Fills arrays of at least content_sizes() entries. The types come without references.
void get_contents(const Datatype& type, std::span<int> ints, std::span<std::int64_t> addresses,
                  std::span<std::int64_t> large_counts, std::span<const Datatype*> types);

}  // namespace skein::vmpi
