// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/ring.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace skein::net;

namespace {

constexpr std::size_t cells = 64;

/// A ring in memory of its own, with both ends.
struct Ring {
  Ring() : memory(new (std::align_val_t{kCellBytes}) std::byte[ring_bytes(cells)]()) {}
  ~Ring() { ::operator delete[](memory, std::align_val_t{kCellBytes}); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::byte* memory;
  RingHead& head = *reinterpret_cast<RingHead*>(memory);
  RingWriter writer{head, cells};
  RingReader reader{head, cells};

  bool write(const std::string& text, std::uint32_t word = 7) {
    return writer.write(word, text.data(), text.size());
  }
  /// Returns the oldest message and pops it.
  std::string read() {
    const RingReader::Message message = reader.peek();
    REQUIRE(message);
    const std::string text(reinterpret_cast<const char*>(message.bytes), message.size);
    reader.pop(message);
    return text;
  }
};

/// Returns `size` bytes that differ by `number` and place.
std::string text_of(std::uint64_t number, std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(number * 31 + i * 7 + 1);
  return text;
}

}  // namespace

TEST_CASE("ring: a message of two pieces is one, with its word") {
  Ring ring;
  CHECK(!ring.reader.peek());
  REQUIRE(ring.writer.write(42, "abc", 3, "defg", 4));
  const RingReader::Message message = ring.reader.peek();
  REQUIRE(message);
  CHECK(message.word == 42);
  CHECK(std::string(reinterpret_cast<const char*>(message.bytes), message.size) == "abcdefg");
  ring.reader.pop(message);
  CHECK(!ring.reader.peek());
}

TEST_CASE("ring: a message of no bytes is one") {
  Ring ring;
  REQUIRE(ring.write("", 0));
  REQUIRE(ring.write("x"));
  CHECK(ring.read().empty());
  CHECK(ring.read() == "x");
}

TEST_CASE("ring: 56 bytes take one cell, 57 take two and leave one empty") {
  for (const std::size_t size : {std::size_t{56}, std::size_t{57}}) {
    Ring ring;
    std::size_t messages = 0;
    while (ring.write(text_of(messages, size))) ++messages;
    // The ring takes all cells except one, whose mark tells that it is empty.
    CHECK(messages == (cells - 1) / (size == 56 ? 1 : 3));
  }
}

TEST_CASE("ring: what does not fit is not written, and fits when enough was read") {
  Ring ring;
  std::size_t written = 0;
  while (ring.write(text_of(written, 8))) ++written;
  REQUIRE(written == cells - 1);
  // The reader publishes its progress after a quarter of the cells.
  for (std::size_t i = 0; i < cells / 4; ++i) CHECK(ring.read() == text_of(i, 8));
  CHECK(ring.write(text_of(written, 8)));
  for (std::size_t i = cells / 4; i <= written; ++i) CHECK(ring.read() == text_of(i, 8));
  CHECK(!ring.reader.peek());
}

TEST_CASE("ring: one of the longest finds room wherever the end is, as soon as all are read") {
  for (std::size_t before = 0; before < cells; ++before) {
    Ring ring;
    for (std::size_t i = 0; i < before; ++i) {
      REQUIRE(ring.write("x"));
      REQUIRE(ring.read() == "x");
    }
    const std::string longest = text_of(before, longest_in_ring(cells));
    REQUIRE(ring.write(longest));
    CHECK(ring.read() == longest);
    CHECK(!ring.reader.peek());
  }
}

TEST_CASE("ring: bytes of older messages are never taken for a message") {
  // Each lap begins at another cell, over bytes that would all be marks.
  Ring ring;
  const std::string marks(longest_in_ring(cells), '\1');
  for (int lap = 0; lap < 1000; ++lap) {
    const std::string text = marks.substr(0, static_cast<std::size_t>(lap * 37) % marks.size());
    REQUIRE(ring.write(text));
    REQUIRE(ring.read() == text);
    REQUIRE(!ring.reader.peek());
  }
}

TEST_CASE("ring: two threads, every message once, whole and in order") {
  Ring ring;
  constexpr std::uint64_t messages = 300'000;
  std::mt19937 random(1);  // NOLINT: the same each time
  std::vector<std::uint16_t> sizes(4096);
  for (std::uint16_t& size : sizes)
    size = static_cast<std::uint16_t>(random() % (random() % 8 ? 60 : longest_in_ring(cells)));
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < messages; ++i) {
      const std::string text = text_of(i, sizes[i % sizes.size()]);
      while (!ring.writer.write(static_cast<std::uint32_t>(i), text.data(), text.size()))
        std::this_thread::yield();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < messages;) {
    const RingReader::Message message = ring.reader.peek();
    if (!message) {
      std::this_thread::yield();
      continue;
    }
    const std::string expected = text_of(i, sizes[i % sizes.size()]);
    wrong += message.word != static_cast<std::uint32_t>(i) || message.size != expected.size() ||
             memcmp(message.bytes, expected.data(), expected.size()) != 0;
    ring.reader.pop(message);
    ++i;
  }
  writer.join();
  CHECK(wrong == 0);
  CHECK(!ring.reader.peek());
}
