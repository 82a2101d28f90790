// SPDX-License-Identifier: Apache-2.0
// The images of a PE on their way into a file: one of each of its ranks (rank_images.hpp), or one of all its
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
  SavedRank saved;  ///< without its place in the file
  std::vector<Run> runs{};
  const std::byte* contents = nullptr;  ///< as in PlainWriter::put()
  /// The contents, if the image owns them: then they need not be copied.
  std::shared_ptr<const std::vector<std::byte>> own{};
};
std::uint64_t bytes_of(std::span<const Image> images);

/// The packed objects of a PE, which do not run while this lives.
struct Packed {
  Packed() = default;
  virtual ~Packed() = default;
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  std::vector<Image> images;
};

/// The objects of a job that its states hold: ranks or elements.
class Content {
 public:
  virtual ~Content() = default;
  /// Throws skein::Error if something of this PE cannot be saved now.
  virtual void check() = 0;
  /// Packs the objects of this PE.
  virtual std::unique_ptr<Packed> pack() = 0;
  /// Adds the facts of a job of this kind to the manifest. Collective, after pack() on all PEs.
  virtual void describe(Manifest& manifest) = 0;
};

/// Copies the contents of all images that do not own theirs.
void copy_images(std::vector<Image>& images, PageCopies& copies);

/// Removes pages of zeros from images whose contents are at their addresses. write_plain_images() does so
/// itself.
void leave_zero_pages_out(std::vector<Image>& images);

/// Writes plain images into one file. Returns the place of each. Throws skein::Error.
std::vector<SavedRank> write_plain_images(const std::string& path, std::span<const Image> images,
                                          MappedFile& file);
/// Writes compressed images to the device, without the pieces that are known from earlier states. Returns the
/// place of each. From any thread. Throws skein::Error.
std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const Image> images,
                                            KnownPieces& known);

}  // namespace skein::checkpoint
