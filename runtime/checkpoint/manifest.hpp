// SPDX-License-Identifier: Apache-2.0
// What a state of a job says of itself: the file manifest.json in its folder. It tells what a process must be
// like in which the images of the ranks can go on, and where in which file each image is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/checkpoint/identity.hpp"

namespace skein::checkpoint {

/// Where the image of a rank is, and what it is.
struct SavedRank {
  int rank = 0;
  int file = 0;              ///< image-<file>, as image_path() has it
  std::uint64_t offset = 0;  ///< in bytes, of the image in the file
  std::uint64_t stored = 0;  ///< bytes of the image there, without what is in files of earlier states
  std::uint64_t bytes = 0;   ///< of its pages
  bool ended = false;        ///< its program has
};

/// What a state of a native program says in place of what is of ranks: it has one image for each PE.
struct NativeState {
  std::uint64_t digest = 0;  ///< of what the program has registered
  std::uint64_t elements = 0;
};

struct Manifest {
  std::uint64_t number = 0;  ///< of the state, in its folder
  std::string saved_at;      ///< UTC, as 2026-01-31T12:00:00Z
  std::string program;       ///< as it was typed
  std::vector<std::string> arguments;
  Identity identity;
  int ranks = 0;
  int pes = 0;             ///< that wrote it
  bool compressed = true;  ///< are the images
  arena::SlotLayout slots;
  bool code_inside = false;                     ///< code is part of the image, and not mapped from files
  std::uint64_t canary = 0, pointer_guard = 0;  ///< runtime/rank/job_guards.hpp
  int descriptor_limit = 0;                     ///< that the numbers of ranks' files follow from
  int first_process = 0;                        ///< that the process numbers of ranks follow from
  std::string environment;                      ///< of the job, as libc::flatten_environment() has it
  std::uint64_t generation = 0;                 ///< of the placement
  std::uint64_t points = 0;                     ///< sync points that some rank may have passed
  double clock_s = 0;                           ///< of the job
  std::int64_t output_bytes = -1;  ///< that standard output had, where it is a file of PE 0's machine
  std::vector<SavedRank> images;   ///< by rank
  std::optional<NativeState> native;
};

std::string as_json(const Manifest& manifest);
/// `name`: of the file, for messages. Throws skein::Error where the text is no manifest, or one of a version
/// that is not known.
Manifest from_json(const std::string& text, const std::string& name);

}  // namespace skein::checkpoint
