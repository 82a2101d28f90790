// SPDX-License-Identifier: Apache-2.0
// The images of this PE's ranks on their way into a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/manifest.hpp"
#include "runtime/checkpoint/page_copies.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::checkpoint {

template <class F>
void for_ranks_here(F f) {
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    if (pe::is_here(static_cast<int>(id))) f(rank_in_slot(static_cast<int>(id)));
}

struct RankImage {
  SavedRank saved;                      ///< but for where it is
  std::vector<Run> runs{};              ///< without pages of zeros
  const std::byte* contents = nullptr;  ///< as in ImageWriter::put()
};

/// Throws skein::Error if a rank of this PE cannot be saved now.
void check_ranks();

/// While it lives, the ranks of this PE are packed, and do not run. From the PE's own stack.
class PackedRanks {
 public:
  PackedRanks();
  ~PackedRanks();
  PackedRanks(const PackedRanks&) = delete;
  PackedRanks& operator=(const PackedRanks&) = delete;

  /// Of which the contents are in the ranks' slots.
  std::vector<RankImage> images;
  std::uint64_t bytes() const;
};

/// From here on their contents are copies.
void copy_images(std::vector<RankImage>& images, PageCopies& copies);

/// Writes them into one file; returns where each is. From any thread. Throws skein::Error.
std::vector<SavedRank> write_images(const std::string& path, Form form, std::span<const RankImage> images);
/// The same, to the device, without what is known of earlier states, in the form compressed.
std::vector<SavedRank> write_lasting_images(const std::string& path, std::span<const RankImage> images,
                                            KnownPieces& known);

}  // namespace skein::checkpoint
