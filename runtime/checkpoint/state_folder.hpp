// SPDX-License-Identifier: Apache-2.0
// A folder with states of a job. Each state is a folder in it, state-<number>, with the manifest and the
// files of images. A state is written into .writing-<number>, and is valid once that has been renamed, which
// is the last that is done: whatever happens before leaves those that were valid as they were.
//
// All functions throw skein::Error that names what failed and what the system said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// Where the file of images is, in the folder of a state.
std::string image_path(const std::string& state, int file, Form form);
inline Form form_of(const Manifest& manifest) { return manifest.compressed ? Form::compressed : Form::plain; }

/// The folder of a state while it is being written, and of a valid one.
std::string writing_path(const std::string& folder, std::uint64_t number);
std::string valid_path(const std::string& folder, std::uint64_t number);
/// Counts all files of images there, also those of earlier states that it needs.
std::uint64_t image_bytes(const std::string& state);

/// A state to be used: `path` itself if it is one, else the newest valid one in it.
std::string find_state(const std::string& path);
/// Returns the newest valid state in the folder, or an empty text where there is none, or no folder.
std::string newest_state(const std::string& folder);
Manifest read_manifest(const std::string& state);

/// Makes the folder and those that it is in, if they are not there. Their names outlast a power cut, where
/// the folder around them can be read.
std::error_code make_folder(const std::string& folder);

/// Only one job at a time may write into a folder, the other's states would go away: holds it until this
/// process ends, or returns false where another one has it. A file system without locks is believed.
[[nodiscard]] bool hold_folder(const std::string& folder);
/// Whether a job holds it, as far as can be told.
bool is_held(const std::string& folder);

/// All that PE `file` has of a state that is being written is in its file, and brought to the device: where
/// each of its ranks' images is. Any PE can take that once, from any thread; there is nothing before.
void report_images(const std::string& state, int file, std::span<const SavedRank> images);
std::optional<std::vector<SavedRank>> take_report(const std::string& state, int file);

/// A state that is being written. On one PE of the job.
class NewState {
 public:
  /// Makes the folders, and removes what was left by one that did not get valid. `spare`: a folder that
  /// make_spare() has made, whose plain images are to be written over, or empty. `number`: its own; 0: the
  /// next one. Valid ones of that number or a larger one are removed.
  explicit NewState(const std::string& folder, const std::string& spare = "", std::uint64_t number = 0);
  std::uint64_t number() const { return number_; }
  /// Where the files of images are to be written.
  std::string path() const { return writing_path(folder_, number_); }
  /// All images are written: writes the manifest and makes the state valid. `lasting`: also if the machine
  /// fails.
  void publish(const Manifest& manifest, bool lasting);
  /// Removes valid ones but for the newest `keep`. Each is valid as a whole until it is not valid at all.
  void remove_older(int keep) const;
  /// Removes all valid ones but the newest, except for the images of the second newest, which is no state any
  /// more. Returns the folder of these, or an empty text.
  std::string make_spare() const;
  /// It is not to become valid.
  void drop();

 private:
  std::string folder_;
  std::uint64_t number_;
};

}  // namespace skein::checkpoint
