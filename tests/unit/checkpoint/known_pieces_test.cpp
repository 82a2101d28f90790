// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/known_pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/checkpoint/image_file.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::checkpoint;
using skein::lb::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPieces = 4;
constexpr std::uint64_t kRoom = 2048;  // the most that a table and the overhead of noise in frames take

/// kPieces pieces of a rank's pages, filled with noise, and files with states of them.
class Job {
 public:
  Job() {
    const auto address = reinterpret_cast<std::uint64_t>(room_.get());
    pages_ = room_.get() + (kPieceBytes - address % kPieceBytes);
    for (std::size_t i = 0; i < kPieces; ++i) change(i);
  }
  void change(std::size_t piece) {
    for (std::size_t i = 0; i < kPieceBytes; ++i)
      pages_[piece * kPieceBytes + i] = static_cast<std::byte>(draw_());
  }
  void turn_a_bit(std::size_t piece) { pages_[piece * kPieceBytes + draw_() % kPieceBytes] ^= std::byte{4}; }
  std::string path(int state) const { return folder_ / (std::to_string(state) + ".zst"); }

  /// Writes a state of the pages. Returns the number of pieces that it stores.
  std::uint64_t write(int state, bool becomes_valid = true) {
    known_.begin(path(state));
    ImageWriter writer(path(state), &known_);
    const Run run{reinterpret_cast<std::uint64_t>(pages_), kPieces * kPieceBytes};
    stored_ = writer.put({&run, 1});
    writer.finish(false);
    known_.end();
    if (becomes_valid) known_.keep(static_cast<std::uint64_t>(state), path(state));
    CHECK(stored_ % kPieceBytes < kRoom);
    return stored_ / kPieceBytes;
  }
  /// Returns true if the state that was written last equals the present pages.
  bool is_whole(int state) const {
    ImageReader reader(path(state));
    const std::vector<Run> runs = reader.begin(0, stored_);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].address == reinterpret_cast<std::uint64_t>(pages_));
    REQUIRE(runs[0].bytes == kPieces * kPieceBytes);
    std::vector<std::byte> read(runs[0].bytes);
    for (std::size_t at = 0; at < read.size(); at += 4096)  // within pieces
      reader.take(std::span(read).subspan(at, 4096));
    reader.end();
    return std::equal(read.begin(), read.end(), pages_);
  }
  bool needs(int state, int earlier) const {
    return fs::exists(earlier_path(path(state), static_cast<std::uint64_t>(earlier)));
  }
  void remove(int state) { fs::remove(path(state)); }

 private:
  ScratchFolder folder_;
  std::unique_ptr<std::byte[]> room_ = std::make_unique<std::byte[]>((kPieces + 1) * kPieceBytes);
  std::byte* pages_;
  std::mt19937 draw_{8};
  KnownPieces known_;
  std::uint64_t stored_ = 0;
};

}  // namespace

TEST_CASE("pieces: only those that have changed are stored, and each state is whole without the others") {
  Job job;
  CHECK(job.write(1) == kPieces);
  CHECK(job.is_whole(1));
  job.turn_a_bit(2);
  CHECK(job.write(2) == 1);
  CHECK(job.needs(2, 1));
  CHECK(job.is_whole(2));
  CHECK(job.write(3) == 0);
  CHECK(job.needs(3, 1));
  CHECK(job.needs(3, 2));
  job.remove(1);
  job.remove(2);
  CHECK(job.is_whole(3));
  job.turn_a_bit(2);
  CHECK(job.write(4) == 1);
  CHECK(job.needs(4, 1));
  CHECK(!job.needs(4, 2));  // no piece of it is the same
  CHECK(job.is_whole(4));
}

TEST_CASE("pieces: a file of which most is not used any more is left behind") {
  Job job;
  CHECK(job.write(1) == kPieces);
  job.change(0);
  CHECK(job.write(2) == 1);
  for (const std::size_t piece : {1, 2}) job.change(piece);
  CHECK(job.write(3) == 2);  // one piece of four of the first state is left
  CHECK(job.needs(3, 1));
  CHECK(job.write(4) == 1);  // that piece
  CHECK(!job.needs(4, 1));
  CHECK(job.is_whole(4));
}

TEST_CASE("pieces: of a state that did not get valid nothing is known, nor of one whose file is gone") {
  Job job;
  CHECK(job.write(1) == kPieces);
  job.change(0);
  CHECK(job.write(2, false) == 1);
  job.remove(2);
  CHECK(job.write(3) == 1);
  CHECK(!job.needs(3, 2));
  CHECK(job.is_whole(3));
  job.remove(3);
  CHECK(job.write(4) == 1);  // piece 0, which the third state had
  CHECK(job.is_whole(4));
  job.remove(4);
  fs::remove(earlier_path(job.path(4), 1));
  CHECK(job.write(5) == kPieces);
  CHECK(job.is_whole(5));
}

TEST_CASE("pieces: the hash is that of xxHash64") {
  std::vector<unsigned char> data(4096);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * i + i / 7);
  const PieceHash sums = hash_of(data.data(), data.size());
  // Steps 3, 5 and 6 of its specification; the data has no rest behind the stripes of step 2.
  constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                          kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63;
  std::uint64_t all =
      std::rotl(sums[0], 1) + std::rotl(sums[1], 7) + std::rotl(sums[2], 12) + std::rotl(sums[3], 18);
  for (const std::uint64_t sum : sums)
    all = (all ^ std::rotl(sum * kPrime2, 31) * kPrime1) * kPrime1 + kPrime4;
  all += data.size();
  all = (all ^ all >> 33) * kPrime2;
  all = (all ^ all >> 29) * kPrime3;
  all ^= all >> 32;
  CHECK((all & 0xffffffff) == 0xd6f86257);  // as at the end of a frame of `zstd --check`
}
