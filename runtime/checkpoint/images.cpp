// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/images.hpp"

namespace skein::checkpoint {
namespace {

template <class Writer>
std::vector<SavedRank> put_all(Writer& file, std::span<const Image> images) {
  std::vector<SavedRank> saved;
  for (const Image& image : images) {
    SavedRank one = image.saved;
    one.offset = file.offset();
    one.stored = file.put(image.runs, image.contents);
    saved.push_back(one);
  }
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

void leave_zero_pages_out(std::vector<Image>& images) {
  for (Image& image : images)
    if (!image.contents) image.runs = without_zero_pages(image.runs);
}

std::vector<SavedRank> write_plain_images(const std::string& path, std::span<const Image> images,
                                          MappedFile& file) {
  file.begin(path);
  PlainWriter writer(file);
  std::vector<SavedRank> saved = put_all(writer, images);
  writer.finish();
  return saved;
}

std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const Image> images,
                                            KnownPieces& known) {
  known.begin(path);
  ImageWriter file(path, &known);
  std::vector<SavedRank> saved = put_all(file, images);
  file.finish(true);
  known.end();
  return saved;
}

}  // namespace skein::checkpoint
