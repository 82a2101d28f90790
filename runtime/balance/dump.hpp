// SPDX-License-Identifier: Apache-2.0
// Writes the snapshots of a run to a file, for `skein lb` and other tools. On PE 0; on other PEs no dump is
// open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::balance {

/// Opens the dump. Throws skein::Error if the file cannot be made.
void open_dump(const std::string& path);
/// Writes the snapshot of a step; does nothing if no dump is open. If writing fails, says so once, and the
/// run goes on. `busy_s`: the seconds that objects took, if their loads are no times; else null. Files have
/// seconds.
void write_dump(std::uint64_t step, const lb::Snapshot& snapshot, const std::vector<double>* busy_s);
/// Closes the dump. Returns false if something written is not in the file; true if no dump was open.
[[nodiscard]] bool close_dump();

}  // namespace skein::balance
