// SPDX-License-Identifier: Apache-2.0
// The open files of a PE. Ranks that open the same file with the same access and hints share one open file of
// the MPI underneath. A rank that moves finds the file open on its new PE, or opens it there by its absolute
// path at its first access; the PE that it left closes the file when no rank needs it.
//
// All of this is memory of the process: no reference to it survives a switch.
#pragma once

#include "runtime/net/pe_files.hpp"
#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {

/// Opens the file behind `file` on this PE, unless it is open, with `how` added to the access of the file's
/// mode. Called from the rank. Fails if another file has replaced it under its name since the rank opened it.
[[nodiscard]] net::FileFault open_here(File& file, net::OpenOptions how = {});

/// Gets the PE's open file for an access, and opens it if needed. Finds an open one by one comparison.
[[nodiscard]] net::FileFault file_here(File& file, net::PeFile*& out);

/// Releases the rank's use of the PE's open file.
net::FileFault close_here(File& file);

/// Closes the files that were left open. Called when no rank runs any more.
void close_all_here();

/// Closes the files that only departed ranks used. Called after ranks have moved; costs a comparison if none
/// has.
void forget_departed_files();

}  // namespace skein::vmpi
