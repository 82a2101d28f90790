// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/helped_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace skein::net;

namespace {

constexpr std::size_t piece = kLeastHelpedPiece;

struct Buffers {
  explicit Buffers(std::size_t bytes) : from(bytes + 1), to(bytes + 1, std::byte{7}) {}
  /// Fills the source with a different content for each number.
  void fill(std::size_t number) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 + i / 251 + number);
  }
  bool are_equal(std::size_t bytes) const { return memcmp(from.data(), to.data(), bytes) == 0; }

  std::vector<std::byte> from, to;
};

}  // namespace

TEST_CASE("helped copy: whoever begins it makes it alone if nobody helps") {
  const auto copy = std::make_unique<HelpedCopy>();
  for (const std::size_t bytes : {std::size_t{1}, piece - 1, piece, piece + 1, 9 * piece + 13}) {
    Buffers buffers(bytes);
    buffers.fill(bytes);
    copy->copy(buffers.to.data(), buffers.from.data(), bytes, [] {});
    CHECK(buffers.are_equal(bytes));
    CHECK(buffers.to[bytes] == std::byte{7});
    CHECK(!copy->help());
  }
}

TEST_CASE("helped copy: a helper that comes first leaves nothing to do") {
  const auto copy = std::make_unique<HelpedCopy>();
  CHECK(!copy->help());
  for (const std::size_t bytes : {std::size_t{1}, piece, 4 * piece, 9 * piece + 13}) {
    Buffers buffers(bytes);
    buffers.fill(bytes);
    bool was_complete = false;
    copy->copy(buffers.to.data(), buffers.from.data(), bytes, [&] {
      CHECK(copy->help());
      was_complete = buffers.are_equal(bytes);
      CHECK(!copy->help());
    });
    CHECK(was_complete);
    CHECK(buffers.to[bytes] == std::byte{7});
  }
}

namespace {

/// Threads that look for copies to help with all the time.
class Helpers {
 public:
  explicit Helpers(HelpedCopy& copy) {
    for (std::thread& thread : threads_)
      thread = std::thread([&] {
        while (!ends_)
          if (copy.help()) ++helps_;
      });
  }
  ~Helpers() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  int helps() const { return helps_; }

 private:
  std::atomic<bool> ends_ = false;
  std::atomic<int> helps_ = 0;
  std::array<std::thread, 2> threads_;
};

/// Makes copies of lengths that `draw()` gives, until helpers have copied a piece, and checks each copy.
template <class Draw>
void copy_again_and_again(std::size_t longest, std::size_t rounds, const Draw& draw) {
  const auto copy = std::make_unique<HelpedCopy>();
  const Helpers helpers(*copy);
  Buffers buffers(longest);
  for (std::size_t round = 0; round < rounds || helpers.helps() < 20; ++round) {
    const std::size_t bytes = draw();
    std::fill_n(buffers.from.begin(), bytes, static_cast<std::byte>(round));
    std::fill_n(buffers.to.begin(), bytes + 1, std::byte{7});
    copy->copy(buffers.to.data(), buffers.from.data(), bytes, [] {});
    REQUIRE(buffers.are_equal(bytes));
    REQUIRE(buffers.to[bytes] == std::byte{7});
  }
}

}  // namespace

TEST_CASE("helped copy: helpers who look all the time, through long copies of unlike lengths") {
  std::mt19937 random(4);
  copy_again_and_again(20 * piece, 100, [&] { return 1 + random() % (20 * piece); });
}

// A helper that took a piece of a copy which is over would write its bytes over the next one's.
TEST_CASE("helped copy: helpers who look all the time, through many copies that are over at once") {
  std::mt19937 random(4);
  copy_again_and_again(256, 100'000, [&] { return 1 + random() % 256; });
}
