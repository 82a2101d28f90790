// SPDX-License-Identifier: Apache-2.0
// A folder with states of a job. Each state is a folder in it, state-<number>, with the manifest and the
// files of images. A state is written into .writing-<number>, and becomes valid by renaming that, which is
// the last act: a failure before it leaves the valid states as they were.
//
// All functions throw skein::Error, which names what failed and the system's reason.
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

/// Returns the path of a file of images in the folder of a state.
std::string image_path(const std::string& state, int file, Form form);
inline Form form_of(const Manifest& manifest) { return manifest.compressed ? Form::compressed : Form::plain; }

/// Return the folder of a state that is being written, and of a valid one.
std::string writing_path(const std::string& folder, std::uint64_t number);
std::string valid_path(const std::string& folder, std::uint64_t number);
/// Returns the bytes of all image files in the folder, including those of earlier states that the state
/// needs.
std::uint64_t image_bytes(const std::string& state);

/// Returns a usable state: `path` itself if it is one, else the newest valid state in it.
std::string find_state(const std::string& path);
/// Returns the newest valid state in the folder; empty if there is none, or no folder.
std::string newest_state(const std::string& folder);
Manifest read_manifest(const std::string& state);

/// Makes the folder and its parents, if they are missing. Their names survive a power cut, if the folder
/// around them can be read.
std::error_code make_folder(const std::string& folder);

/// Holds the folder until this process ends. Returns false if another process holds it: a second job would
/// remove the first one's states. On a file system without locks it returns true.
[[nodiscard]] bool hold_folder(const std::string& folder);
/// Returns true if a job holds the folder, or if that cannot be told.
bool is_held(const std::string& folder);

/// Reports that all images of PE `file` for a state being written are in its file, and on the device;
/// `images` tells where. take_report() takes the report once, on any PE and from any thread, and returns
/// nothing before.
void report_images(const std::string& state, int file, std::span<const SavedRank> images);
std::optional<std::vector<SavedRank>> take_report(const std::string& state, int file);

/// A state that is being written, by one PE of the job.
class NewState {
 public:
  /// Makes the folders, and removes the remains of states that did not become valid. `spare`: a folder from
  /// make_spare(), whose plain images will be overwritten, or empty. `number`: the state's number; 0: the
  /// next one. Removes valid states with that number or a larger one.
  explicit NewState(const std::string& folder, const std::string& spare = "", std::uint64_t number = 0);
  std::uint64_t number() const { return number_; }
  /// Returns the folder for the files of images.
  std::string path() const { return writing_path(folder_, number_); }
  /// Makes the state valid, after all images are written: writes the manifest and renames the folder.
  /// `lasting`: the state survives a failure of the machine.
  void publish(const Manifest& manifest, bool lasting);
  /// Removes all valid states but the newest `keep`. A state that is being removed is never a partial valid
  /// one.
  void remove_older(int keep) const;
  /// Removes all valid states but the newest. The images of the second newest stay in a folder that is no
  /// state any more. Returns that folder, or an empty text.
  std::string make_spare() const;
  /// Gives the state up: removes its folder.
  void drop();

 private:
  std::string folder_;
  std::uint64_t number_;
};

}  // namespace skein::checkpoint
