// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/known_pieces.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

constexpr std::size_t kMostFiles = 16;
constexpr std::uint64_t kLeastPart = 4;  // the reciprocal of the least used part

}  // namespace

// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md, XXH64, steps 1 and 2 with seed 0
PieceHash hash_of(const void* data, std::size_t bytes) {
  constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F;
  PieceHash sums{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  std::array<std::uint64_t, 4> lanes;
  const auto* at = static_cast<const std::byte*>(data);
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t count = std::min(left, sizeof lanes);
    if (count < sizeof lanes) lanes = {};
    memcpy(lanes.data(), at, count);
    for (std::size_t i = 0; i < lanes.size(); ++i)
      sums[i] = std::rotl(sums[i] + lanes[i] * kPrime2, 31) * kPrime1;
    at += count;
    left -= count;
  }
  return sums;
}

std::string earlier_path(const std::string& path, std::uint64_t state) {
  return path + format(".%06llu", static_cast<unsigned long long>(state));
}

void KnownPieces::begin(const std::string& path) {
  new_.clear();
  needed_.clear();
  new_path_ = path;
  std::unordered_map<std::uint64_t, std::uint64_t> used;  // used bytes of files, by state
  for (const auto& [address, stored] : known_) used[stored.piece.state] += stored.piece.stored;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> most_first;
  std::uint64_t of_use = 0, of_no_use = 0;
  for (const auto& [state, bytes] : used) {
    most_first.emplace_back(bytes, state);
    of_use += bytes;
  }
  std::ranges::sort(most_first, std::greater());
  if (most_first.size() > kMostFiles) most_first.resize(kMostFiles);
  for (const auto& [bytes, state] : most_first) {
    const std::string from = state == number_ ? path_ : earlier_path(path_, state);
    struct stat status;
    if (stat(from.c_str(), &status) != 0) continue;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (kLeastPart * bytes < size || of_no_use + size - bytes > of_use) continue;
    if (link(from.c_str(), earlier_path(path, state).c_str()) != 0) continue;
    needed_[state] = false;
    of_no_use += size - bytes;
  }
}

const Piece* KnownPieces::find(std::uint64_t address, std::uint64_t bytes, const PieceHash& hash) const {
  const auto there = known_.find(address);
  if (there == known_.end()) return nullptr;
  const Stored& stored = there->second;
  const bool same = stored.piece.bytes == bytes && stored.hash == hash;
  return same && needed_.contains(stored.piece.state) ? &stored.piece : nullptr;
}

void KnownPieces::add(const Piece& piece, const PieceHash& hash) {
  new_[piece.address] = {piece, hash};
  if (piece.state != 0) needed_[piece.state] = true;
}

void KnownPieces::end() {
  for (const auto& [state, is_needed] : needed_)
    if (!is_needed) (void)unlink(earlier_path(new_path_, state).c_str());
}

void KnownPieces::keep(std::uint64_t number, const std::string& path) {
  for (auto& [address, stored] : new_)
    if (stored.piece.state == 0) stored.piece.state = number;
  known_ = std::exchange(new_, {});
  number_ = number;
  path_ = path;
}

}  // namespace skein::checkpoint
