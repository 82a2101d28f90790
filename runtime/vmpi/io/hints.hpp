// SPDX-License-Identifier: Apache-2.0
// Hints (MPI 4.1, 14.2.8): taken from what the program gives, and handed on to the MPI underneath where a
// file is opened, which may know some that nobody else does. MPI_File_get_info tells those that are known
// here, as others are not known to be in force. Those that this part itself acts on are in CollectiveHints.
#pragma once

#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {

/// Adds the hints of an info object, which may be MPI_INFO_NULL, to the file's own. Values that mean nothing
/// are left out.
void take_hints(File& file, MPI_Info info);

/// A new info object with the hints in force: the program's, as far as they are known, and what holds for
/// those that it did not give.
Info& hints_in_force(const File& file);

}  // namespace skein::vmpi
