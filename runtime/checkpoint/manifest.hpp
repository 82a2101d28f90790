// SPDX-License-Identifier: Apache-2.0
// The description of a state of a job: the file manifest.json in its folder. It tells in which processes the
// images of the ranks can continue, and where each image is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/checkpoint/identity.hpp"

namespace skein::checkpoint {

/// The image of a rank and its place.
struct SavedRank {
  int rank = 0;
  int file = 0;              ///< number of the file, as for image_path()
  std::uint64_t offset = 0;  ///< offset of the image in the file, bytes
  std::uint64_t stored = 0;  ///< bytes of the image there, without pieces in files of earlier states
  std::uint64_t bytes = 0;   ///< bytes of its pages
  bool ended = false;        ///< the rank's program has ended
};

/// The description of a native program's state in place of the images of ranks; the state has one image for
/// each PE.
struct NativeState {
  std::uint64_t digest = 0;  ///< digest of everything that the program has registered
  std::uint64_t elements = 0;
};

struct Manifest {
  std::uint64_t number = 0;  ///< number of the state in its folder
  std::string saved_at;      ///< UTC, as 2026-01-31T12:00:00Z
  std::string program;       ///< as it was typed
  std::vector<std::string> arguments;
  Identity identity;
  int ranks = 0;
  int pes = 0;             ///< number of PEs that wrote it
  bool compressed = true;  ///< the images are compressed
  arena::SlotLayout slots;
  bool code_inside = false;                     ///< code is part of the image, and not mapped from files
  std::uint64_t canary = 0, pointer_guard = 0;  ///< runtime/rank/job_guards.hpp
  int descriptor_limit = 0;                     ///< determines the numbers of ranks' files
  int first_process = 0;                        ///< determines the process numbers of ranks
  std::string environment;                      ///< as returned by libc::flatten_environment()
  std::uint64_t generation = 0;                 ///< generation of the placement
  std::uint64_t points = 0;                     ///< sync points that some rank may have passed
  double clock_s = 0;                           ///< the job's clock
  std::int64_t output_bytes = -1;  ///< length of standard output, if it is a file of PE 0's machine
  std::vector<SavedRank> images;   ///< by rank
  std::optional<NativeState> native;
};

std::string as_json(const Manifest& manifest);
/// Reads a manifest; messages call the file `name`. Throws skein::Error if the text is no manifest, or has an
/// unknown version.
Manifest from_json(const std::string& text, const std::string& name);

}  // namespace skein::checkpoint
