// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/exchange.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

using skein::net::Exchange;

namespace {

/// Memory of an exchange, all zero.
struct Memory {
  explicit Memory(std::size_t pes)
      : bytes(new (std::align_val_t{64}) std::byte[Exchange::bytes_for(pes)]()) {}
  ~Memory() { ::operator delete[](bytes, std::align_val_t{64}); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::byte* bytes;
};

void write_number(std::byte* block, std::uint64_t number) { memcpy(block, &number, sizeof number); }
std::uint64_t read_number(std::span<const std::byte> block) {
  std::uint64_t number;
  REQUIRE(block.size() == sizeof number);
  memcpy(&number, block.data(), sizeof number);
  return number;
}

/// Returns byte i of a PE's block in a round.
std::byte byte_of(std::uint64_t round, std::size_t place, std::size_t i) {
  return static_cast<std::byte>(round * 131 + place * 17 + i);
}

/// Returns a function that XORs blocks, whose order does not matter.
const auto combine_bytes(std::size_t bytes) {
  return [bytes](std::byte* to, const auto& blocks, std::size_t count) {
    for (std::size_t i = 0; i < bytes; ++i) {
      std::byte all{};
      for (std::size_t k = 0; k < count; ++k) all ^= blocks(k)[i];
      to[i] = all;
    }
  };
}

}  // namespace

TEST_CASE("exchange: a block is there once it is posted, and in its round only") {
  Memory memory(2);
  Exchange a(memory.bytes, 2, 0), b(memory.bytes, 2, 1);
  a.enter(), b.enter();
  REQUIRE(a.has_room());
  write_number(a.own_block(8), 42);
  CHECK(!b.has_come(0));
  a.post();
  REQUIRE(b.has_come(0));
  CHECK(!b.has_come(1));
  CHECK(!a.have_all_come());
  CHECK(read_number(b.block(0)) == 42);
  b.leave();
  b.enter();
  CHECK(!b.has_come(0));
}

TEST_CASE("exchange: a PE is ahead of others by as many rounds as there is room for") {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1000}}) {
    Memory memory(3);
    Exchange ahead(memory.bytes, 3, 1, first), behind(memory.bytes, 3, 0, first),
        between(memory.bytes, 3, 2, first);
    std::uint64_t made = 0;
    const auto make_rounds = [&] {
      for (;;) {
        ahead.enter();
        if (!ahead.has_room()) break;
        write_number(ahead.own_block(8), first + made++);
        ahead.post();
        ahead.leave();
      }
      return made;
    };
    CHECK(make_rounds() == Exchange::depth);
    // A PE that is in a round has not finished it.
    behind.enter(), between.enter();
    CHECK(make_rounds() == Exchange::depth);
    CHECK(read_number(behind.block(1)) == first);
    behind.leave(), behind.enter();
    CHECK(make_rounds() == Exchange::depth);
    between.leave(), between.enter();
    CHECK(make_rounds() == Exchange::depth + 1);
    for (std::uint64_t round = 1; round <= Exchange::depth; ++round) {
      REQUIRE(behind.has_come(1));
      CHECK(read_number(behind.block(1)) == first + round);
      behind.leave(), behind.enter();
    }
  }
}

TEST_CASE("exchange: whoever arrives last combines, in the order of places") {
  for (const std::size_t pes : {2, 3, 8, 9, 64, 65, 70}) {
    Memory memory(pes);
    std::vector<Exchange> ends;
    for (std::size_t place = 0; place < pes; ++place) ends.emplace_back(memory.bytes, pes, place);
    std::mt19937 random(static_cast<unsigned>(pes));
    std::vector<std::size_t> order(pes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Combines with powers of 31, which gives another result in another order.
    std::uint64_t expected = 0;
    std::vector<std::uint64_t> level(pes);
    std::iota(level.begin(), level.end(), std::uint64_t{1});
    const auto fold = [](const std::uint64_t* values, std::size_t count) {
      std::uint64_t all = 7;
      for (std::size_t i = 0; i < count; ++i) all = all * 31 + values[i];
      return all;
    };
    while (level.size() > 1) {
      std::vector<std::uint64_t> above;
      for (std::size_t i = 0; i < level.size(); i += Exchange::fan_in)
        above.push_back(fold(&level[i], std::min(Exchange::fan_in, level.size() - i)));
      level = above;
    }
    expected = level.front();
    for (int round = 0; round < 20; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      std::size_t last = 0;
      for (const std::size_t place : order) {
        Exchange& end = ends[place];
        end.enter();
        REQUIRE(end.has_room());
        write_number(end.own_block(8), place + 1);
        CHECK(!end.has_result());
        last += end.arrive(8, [&](std::byte* to, const auto& blocks, std::size_t count) {
          std::vector<std::uint64_t> values;
          for (std::size_t i = 0; i < count; ++i) values.push_back(read_number(blocks(i)));
          write_number(to, fold(values.data(), count));
        });
      }
      CHECK(last == 1);
      for (Exchange& end : ends) {
        REQUIRE(end.has_result());
        CHECK(read_number(end.result()) == expected);
        end.leave();
      }
    }
  }
}

TEST_CASE("exchange: PEs that make all kinds of rounds at once read what was written for them") {
  constexpr std::uint64_t rounds = 1000;  // some 200 of each of five kinds
  for (const std::size_t pes : {2, 3, 9}) {
    Memory memory(pes);
    std::atomic<int> wrong{0};
    const auto make_rounds = [&](std::size_t place) {
      constexpr std::uint64_t first = 5;
      Exchange end(memory.bytes, pes, place, first);
      const auto until = [](const auto& happened) {
        while (!happened()) std::this_thread::yield();
      };
      for (std::uint64_t round = first; round < first + rounds; ++round) {
        std::minstd_rand alike(static_cast<unsigned>(round * 7 + 1));
        const auto kind = alike() / 3 % 5;
        const std::size_t root = alike() / 3 % pes;
        const std::size_t lengths[] = {
            0, 1, 8, Exchange::longest_short, Exchange::longest_short + 1, Exchange::longest_block};
        const std::size_t bytes = lengths[alike() / 3 % std::size(lengths)];
        const auto post = [&](bool arrive) {
          until([&] { return end.has_room(); });
          std::byte* const block = end.own_block(bytes);
          for (std::size_t i = 0; i < bytes; ++i) block[i] = byte_of(round, place, i);
          if (arrive)
            (void)end.arrive(bytes, combine_bytes(bytes));
          else
            end.post();
        };
        const auto check_block = [&](std::size_t of, std::size_t length) {
          const std::span<const std::byte> block = end.block(of);
          wrong += block.size() != length;
          for (std::size_t i = 0; i < block.size(); ++i) wrong += block[i] != byte_of(round, of, i);
        };
        const auto check = [&](std::size_t of) {
          until([&] { return end.has_come(of); });
          check_block(of, bytes);
        };
        end.enter();
        if (kind == 0) {  // each PE reads all blocks
          post(false);
          until([&] { return end.have_all_come(); });
          for (std::size_t of = 0; of < pes; ++of) check(of);
        } else if (kind == 1) {  // the tree
          post(true);
          until([&] { return end.has_result(); });
          for (std::size_t i = 0; i < bytes; ++i) {
            std::byte all{};
            for (std::size_t of = 0; of < pes; ++of) all ^= byte_of(round, of, i);
            wrong += end.result()[i] != all;
          }
        } else if (kind == 2) {  // one block, from a root
          if (place == root)
            post(false);
          else
            check(root);
        } else if (kind == 3) {  // blocks of different lengths, of which only the arrival counts
          const auto length_of = [&](std::size_t of) { return lengths[(of + round) % std::size(lengths)]; };
          until([&] { return end.has_room(); });
          std::byte* const block = end.own_block(length_of(place));
          for (std::size_t i = 0; i < length_of(place); ++i) block[i] = byte_of(round, place, i);
          (void)end.arrive(0, combine_bytes(0));
          if (round % 2 == 0 || place == root) {  // the other PEs go on
            until([&] { return end.has_result(); });
            for (std::size_t of = 0; of < pes; ++of) check_block(of, length_of(of));
          }
        } else {  // to a root
          if (place != root) post(false);
          for (std::size_t of = 0; place == root && of < pes; ++of)
            if (of != root) check(of);
        }
        end.leave();
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t place = 0; place < pes; ++place) threads.emplace_back(make_rounds, place);
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}
