// SPDX-License-Identifier: Apache-2.0
// Snapshots in files: the JSON load data of DARMA vt (LBDatafile: phases, tasks, communications), plain or
// compressed with zstd, in one file or in one for each PE. docs/lb-files.md describes the format.
//
// Reading streams: it needs memory for the snapshots, not for the text. No input crashes the reader or makes
// it allocate out of proportion to the input's size; every fault is a FileError.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Tells that a file cannot be read or written, or is damaged, truncated or foreign. The text names the file
/// and the place in it: a line and column if the text is no JSON, else a path such as /phases/0/tasks/3/time.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One LB step's snapshot; vt calls the interval between two LB steps a phase.
struct LoadPhase {
  std::uint64_t id = 0;
  Snapshot snapshot;
};

struct LoadData {
  std::vector<LoadPhase> phases;  // at least one, rising ids; all with the same number of PEs
  /// The number of communications that were left out because they are not from object to object (vt also
  /// knows nodes and shared blocks).
  std::uint64_t ignored_communications = 0;
  /// The number of communications that were left out because an object of theirs is in no task of their
  /// phase.
  std::uint64_t lost_communications = 0;
  /// The phases that the file leaves out because they equal the one before: ranges with both ends.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> identical;

  /// Returns the phase with the id, or, if that was left out as identical, the phase that it equals. Throws
  /// FileError, which lists the existing phases.
  const LoadPhase& find(std::uint64_t id) const;
};

/// Reads one file, or the files of several ranks together: %p in a name stands for the numbers 0, 1, 2 and so
/// on, as far as there are files. Every snapshot is valid (Snapshot::validate()).
LoadData read_load_data(std::span<const std::string> names);
/// Reads load data from memory; messages call it `name`.
LoadData read_load_text(std::string_view text, const std::string& name);

/// Writes snapshots one by one. After each write() a seekable file is complete and readable, so that a job
/// that is killed leaves what it had written. A file whose name ends in .zst is compressed; a name with %p
/// stands for a file for each PE, with the PE's number in place of %p.
class LoadWriter {
 public:
  /// Throws FileError if the file cannot be made, or if its name asks for an unknown compression.
  explicit LoadWriter(const std::string& name);
  LoadWriter(LoadWriter&&) noexcept;
  ~LoadWriter();

  /// Writes a phase. Phases must come with rising ids. The snapshot must be valid.
  void write(std::uint64_t phase, const Snapshot& snapshot);
  /// Closes the file. Throws FileError if anything could not be written; the destructor closes, too, but in
  /// silence.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::lb
