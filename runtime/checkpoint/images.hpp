// SPDX-License-Identifier: Apache-2.0
// The images of a PE on their way into a file, whatever they are of: its ranks (rank_images.hpp), or all its
// elements together (native_states.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/manifest.hpp"
#include "runtime/checkpoint/page_copies.hpp"

namespace skein::checkpoint {

struct Image {
  SavedRank saved;  ///< but for where it is
  std::vector<Run> runs{};
  const std::byte* contents = nullptr;  ///< as in PlainWriter::put()
  /// The contents, if they are the image's alone and last as long: then nothing need be copied.
  std::shared_ptr<const std::vector<std::byte>> own{};
};
std::uint64_t bytes_of(std::span<const Image> images);

/// While it lives, what it packs does not run.
struct Packed {
  Packed() = default;
  virtual ~Packed() = default;
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  std::vector<Image> images;
};

/// What the states of a job are of.
class Content {
 public:
  virtual ~Content() = default;
  /// Throws skein::Error if something of this PE cannot be saved now.
  virtual void check() = 0;
  /// What this PE has.
  virtual std::unique_ptr<Packed> pack() = 0;
  /// What only a job of this kind says of itself. Collective, and all have packed.
  virtual void describe(Manifest& manifest) = 0;
};

/// From here on their contents are copies, or their own.
void copy_images(std::vector<Image>& images, PageCopies& copies);

/// What is written of them are no pages of zeros, but by write_plain_images(), which leaves them out itself.
void leave_zero_pages_out(std::vector<Image>& images);

/// Writes them into one file; returns where each is. From any thread. Throws skein::Error.
std::vector<SavedRank> write_images(const std::string& path, std::span<const Image> images);
std::vector<SavedRank> write_plain_images(const std::string& path, std::span<const Image> images,
                                          MappedFile& file);
/// Writes them to the device, in the form compressed, and leaves out what is known of earlier states.
std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const Image> images,
                                            KnownPieces& known);

}  // namespace skein::checkpoint
