// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/images.hpp"

namespace skein::checkpoint {
namespace {

std::vector<SavedRank> write(ImageWriter& file, std::span<const Image> images, bool lasting) {
  std::vector<SavedRank> saved;
  for (const Image& image : images) {
    SavedRank one = image.saved;
    one.offset = file.offset();
    one.stored = file.put(image.runs, image.contents);
    saved.push_back(one);
  }
  file.finish(lasting);
  return saved;
}

}  // namespace

std::uint64_t bytes_of(std::span<const Image> images) {
  std::uint64_t bytes = 0;
  for (const Image& image : images)
    if (!image.own)
      for (const Run& run : image.runs) bytes += run.bytes;
  return bytes;
}

void copy_images(std::vector<Image>& images, PageCopies& copies) {
  for (Image& image : images)
    if (!image.own) image.contents = copies.add(image.runs);
}

std::vector<SavedRank> write_images(const std::string& path, Form form, std::span<const Image> images) {
  ImageWriter file(path, form);
  return write(file, images, false);
}

std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const Image> images,
                                            KnownPieces& known) {
  known.begin(path);
  ImageWriter file(path, Form::compressed, &known);
  std::vector<SavedRank> saved = write(file, images, true);
  known.end();
  return saved;
}

}  // namespace skein::checkpoint
