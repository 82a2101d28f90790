// SPDX-License-Identifier: Apache-2.0
// The snapshots of a run in a file, for `skein lb` and other tools. On PE 0; elsewhere nothing was opened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::balance {

/// Throws skein::Error if the file cannot be made.
void open_dump(const std::string& path);
/// Nothing happens when no dump was opened. If it cannot be written, that is said once and the run goes on.
/// `busy_s`: the seconds that objects took, where their loads are no times; else null. Files have seconds.
void write_dump(std::uint64_t step, const lb::Snapshot& snapshot, const std::vector<double>* busy_s);
/// Whether all that was written is in the file. True where no dump was opened.
[[nodiscard]] bool close_dump();

}  // namespace skein::balance
