// SPDX-License-Identifier: Apache-2.0
// Snapshots in files: the JSON load data of DARMA vt (LBDatafile: phases, tasks, communications), plain or
// compressed with zstd, in one file or one a PE. docs/lb-files.md describes what stands where.
//
// Reading streams: memory is that of the snapshots, not of the text. No input crashes the reader or makes it
// allocate out of proportion to its size; whatever is wrong is a FileError.
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

/// A file that cannot be read or written, is damaged, truncated or foreign. The text names the file and the
/// place in it: a line and column where the text is no JSON, else a path such as /phases/0/tasks/3/time.
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
  /// Communications that are not from object to object (vt also knows nodes and shared blocks); left out.
  std::uint64_t ignored_communications = 0;
  /// Communications with an object that is in no task of their phase; left out.
  std::uint64_t lost_communications = 0;
  /// Phases that the file leaves out because they equal the one before: ranges with both ends.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> identical;

  /// The phase of that id; one that is identical to an earlier one gives that. Throws FileError listing those
  /// that there are.
  const LoadPhase& find(std::uint64_t id) const;
};

/// Reads one file, or the files of several ranks together. In a name, %p stands for the numbers 0, 1, 2 and
/// so on, as far as there are files. Every snapshot is valid (Snapshot::validate()).
LoadData read_load_data(std::span<const std::string> names);
/// Reads load data from memory; `name` is what messages call it.
LoadData read_load_text(std::string_view text, const std::string& name);

/// Writes snapshots one by one. After each write() a file that can be sought in is complete and readable, so
/// that a job that is killed leaves what it had. A name that ends in .zst is compressed; one that holds %p
/// stands for a file for each PE, with its number there.
class LoadWriter {
 public:
  /// Throws FileError if the file cannot be made, or its name asks for a compression that this does not know.
  explicit LoadWriter(const std::string& name);
  LoadWriter(LoadWriter&&) noexcept;
  ~LoadWriter();

  /// Phases must come with rising ids. The snapshot must be valid.
  void write(std::uint64_t phase, const Snapshot& snapshot);
  /// Throws FileError if anything could not be written; the destructor closes too, in silence.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::lb
