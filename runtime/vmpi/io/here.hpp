// SPDX-License-Identifier: Apache-2.0
// What a PE has open for its ranks. Ranks that have the same file open with the same access and hints share
// one open file of the MPI underneath. A rank that moves finds the file open on its new PE, or opens it there
// by its absolute path at its first access; on the PE that it left the file is closed when no rank needs it.
//
// All of it is memory of the process: nothing here survives a switch.
#pragma once

#include "runtime/net/pe_files.hpp"
#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {

/// The open file behind `file` on this PE; opens it if need be, with what `how` adds to the access of the
/// file's mode. From the rank. A file that was replaced under its name since the rank opened it is none.
[[nodiscard]] net::FileFault open_here(File& file, net::OpenOptions how = {});

/// Opens the file here for an access: what is open already is found by one comparison.
[[nodiscard]] net::FileFault file_here(File& file, net::PeFile*& out);

/// The rank does not need it any more.
net::FileFault close_here(File& file);

/// When no rank runs any more: closes what was left open.
void close_all_here();

/// After ranks have moved: closes what only those needed that have left. Costs a comparison if none has.
void forget_departed_files();

}  // namespace skein::vmpi
