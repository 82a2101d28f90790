// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/rank_images.hpp"

#include "runtime/base/error.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {
namespace {

std::vector<SavedRank> write(ImageWriter& file, std::span<const RankImage> images, bool lasting) {
  std::vector<SavedRank> saved;
  for (const RankImage& image : images) {
    SavedRank one = image.saved;
    one.offset = file.offset();
    one.stored = file.put(image.runs, image.contents);
    saved.push_back(one);
  }
  file.finish(lasting);
  return saved;
}

}  // namespace

void check_ranks() {
  for_ranks_here([](const Rank& rank) {
    if (const char* const because = move::unsaved_because(rank))
      throw Error(format("rank %d cannot be saved while %s", rank.id, because));
  });
}

PackedRanks::PackedRanks() {
  for_ranks_here([this](Rank& rank) {
    RankImage image{.saved = {.rank = rank.id, .file = net::world.pe, .ended = rank.done}};
    std::vector<Run> runs;
    for (const arena::Range& range : move::pack(rank)) {
      runs.push_back({reinterpret_cast<std::uint64_t>(range.begin), range.bytes});
      image.saved.bytes += range.bytes;
    }
    image.runs = without_zero_pages(runs);
    images.push_back(std::move(image));
  });
}

PackedRanks::~PackedRanks() { for_ranks_here(move::stay); }

std::uint64_t PackedRanks::bytes() const {
  std::uint64_t bytes = 0;
  for (const RankImage& image : images)
    for (const Run& run : image.runs) bytes += run.bytes;
  return bytes;
}

void copy_images(std::vector<RankImage>& images, PageCopies& copies) {
  for (RankImage& image : images) image.contents = copies.add(image.runs);
}

std::vector<SavedRank> write_images(const std::string& path, Form form, std::span<const RankImage> images) {
  ImageWriter file(path, form);
  return write(file, images, false);
}

std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const RankImage> images,
                                            KnownPieces& known) {
  known.begin(path);
  ImageWriter file(path, Form::compressed, &known);
  std::vector<SavedRank> saved = write(file, images, true);
  known.end();
  return saved;
}

}  // namespace skein::checkpoint
