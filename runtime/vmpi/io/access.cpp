// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/access.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/vmpi/io/here.hpp"
#include "runtime/vmpi/io/home.hpp"

namespace skein::vmpi {
namespace {

using net::FileFault;

/// Size of the staging memory, which is the process's: it is used only while nothing can switch.
constexpr std::size_t kStagedBytes = std::size_t{1} << 20;
/// The largest read that includes the holes between its runs, for one call instead of many, and the longest
/// hole in it.
constexpr std::int64_t kLongestSieve = 512 * 1024, kLongestHole = 16 * 1024;

/// Moves the bytes of the data from `done` on to or from one run of the file. Stops after a fault, and at the
/// end of the file.
class Mover {
 public:
  Mover(net::PeFile& file, const Access& access)
      : file_(file), data_(access.data), block_(access.data.contiguous()) {}

  FileFault fault() const { return fault_; }
  std::size_t done() const { return done_; }
  bool over() const { return fault_ != FileFault::none || ended_; }

  void write(std::int64_t offset, std::int64_t length) {
    in_pieces(offset, length, [&](std::int64_t at, std::byte* staged, std::size_t bytes) {
      if (staged) data_.pack(done_, staged, bytes);
      fault_ = net::write_file(file_, at, staged ? staged : block_ + done_, bytes);
      if (fault_ == FileFault::none) done_ += bytes;
    });
  }

  void read(std::int64_t offset, std::int64_t length) {
    in_pieces(offset, length, [&](std::int64_t at, std::byte* staged, std::size_t bytes) {
      std::size_t got = 0;
      fault_ = net::read_file(file_, at, staged ? staged : block_ + done_, bytes, got);
      if (staged) data_.unpack(done_, staged, got);
      done_ += got;
      ended_ = got < bytes;
    });
  }

  /// Reads several ascending runs, together with the bytes between them.
  void read_together(const std::vector<std::pair<std::int64_t, std::int64_t>>& runs) {
    if (over()) return;
    const std::int64_t begin = runs.front().first, end = runs.back().first + runs.back().second;
    std::byte* const sieve = stage(static_cast<std::size_t>(end - begin));
    std::size_t got = 0;
    fault_ = net::read_file(file_, begin, sieve, static_cast<std::size_t>(end - begin), got);
    const std::int64_t known = begin + static_cast<std::int64_t>(got);
    for (const auto& [offset, length] : runs) {
      const std::int64_t there = std::clamp<std::int64_t>(known - offset, 0, length);
      if (there > 0) data_.unpack(done_, sieve + (offset - begin), static_cast<std::size_t>(there));
      done_ += static_cast<std::size_t>(there);
      ended_ = ended_ || there < length;
      if (ended_) return;
    }
  }

 private:
  std::byte* stage(std::size_t bytes) {
    if (staged_.size() < bytes) staged_.resize(bytes);
    return staged_.data();
  }

  template <class Piece>
  void in_pieces(std::int64_t offset, std::int64_t length, const Piece& piece) {
    auto left = static_cast<std::size_t>(length);
    while (left > 0 && !over()) {
      const std::size_t bytes = block_ ? left : std::min(left, kStagedBytes);
      piece(offset, block_ ? nullptr : stage(bytes), bytes);
      offset += static_cast<std::int64_t>(bytes);
      left -= bytes;
    }
  }

  net::PeFile& file_;
  const Data& data_;
  std::byte* const block_;
  std::vector<std::byte> staged_;
  std::size_t done_ = 0;
  FileFault fault_ = FileFault::none;
  bool ended_ = false;
};

void write_runs(Mover& mover, const Access& access) {
  for_each_joined_run(*access.view, access.position, access.end(),
                      [&](std::int64_t offset, std::int64_t bytes) {
                        if (!mover.over()) mover.write(offset, bytes);
                      });
}

void read_runs(Mover& mover, const Access& access) {
  std::vector<std::pair<std::int64_t, std::int64_t>> group;
  const auto read_group = [&] {
    if (group.size() == 1)
      mover.read(group[0].first, group[0].second);
    else if (!group.empty())
      mover.read_together(group);
    group.clear();
  };
  for_each_joined_run(*access.view, access.position, access.end(),
                      [&](std::int64_t offset, std::int64_t bytes) {
                        if (!group.empty()) {
                          const std::int64_t last_end = group.back().first + group.back().second;
                          const bool near = offset >= last_end && offset - last_end <= kLongestHole;
                          if (!near || offset + bytes - group.front().first > kLongestSieve) read_group();
                        }
                        group.emplace_back(offset, bytes);
                      });
  read_group();
}

}  // namespace

Outcome access_alone(File& file, const Access& access) {
  if (access.data.bytes == 0) return {};
  const Turn turn(file);
  net::PeFile* here = nullptr;
  if (const FileFault fault = file_here(file, here); fault != FileFault::none)
    return {error_class_of(fault), 0};
  Mover mover(*here, access);
  (access.way == Way::write ? write_runs : read_runs)(mover, access);
  return {error_class_of(mover.fault()), mover.done()};
}

}  // namespace skein::vmpi
