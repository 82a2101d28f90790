// SPDX-License-Identifier: Apache-2.0
// Arrays that elements write to files together, block by block, one step after the other and while they move:
// with two dimensions and ghost layers in memory, in place of a longer file; with three dimensions, in blocks
// of different sizes, some of them empty, two arrays in one file; by a section; and arrays that cannot be
// written. PE 0 reads each complete file and compares it with a formula.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/job/native/check.hpp"

namespace {

constexpr int steps = 4;
const skein::Index2 blocks2{3, 4}, block2{5, 7}, shape2{15, 28};
const skein::Index3 blocks3{2, 2, 3}, shape3{5, 6, 11};
constexpr std::int64_t bytes2 = 8 * 15 * 28, bytes3 = 4 * 5 * 6 * 11, head = 64;

native_test::Moves wanted;
skein::ReadOnly<std::string> folder;

std::string path_of(const char* name, int step) { return *folder + "/" + name + std::to_string(step); }
double value2(int row, int column, int step) { return row * 1000 + column + step * 0.5; }
int value3(int x, int y, int z, int step) { return ((x * 100 + y) * 100 + z) * 10 + step; }

template <class V>
std::vector<V> contents(const std::string& path, std::int64_t offset, std::int64_t bytes) {
  std::vector<V> values(static_cast<std::size_t>(bytes) / sizeof(V));
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset);
  file.read(reinterpret_cast<char*>(values.data()), bytes);
  EXPECT(file.good());
  return values;
}
std::int64_t size_of(const std::string& path) {
  return static_cast<std::int64_t>(std::filesystem::file_size(path));
}

// ---- on PE 0

int planes_seen = 0, spaces_seen = 0, errors_seen = 0;
bool spaces_done = false;

void end_if_all_is_seen() {
  if (!spaces_done || errors_seen < 4) return;
  EXPECT_EQUAL(planes_seen, steps);
  EXPECT_EQUAL(spaces_seen, 2 * steps);
  std::filesystem::remove_all(*folder);
  native_test::passed();
}

void see_plane(const skein::Written& what) {
  EXPECT_EQUAL(what.error, "");
  EXPECT_EQUAL(what.bytes, bytes2);
  const std::string path = path_of("plane", planes_seen);
  EXPECT_EQUAL(size_of(path), bytes2);
  const auto values = contents<double>(path, 0, bytes2);
  for (int i = 0; i < 15 * 28; ++i)
    EXPECT_EQUAL(values[static_cast<std::size_t>(i)], value2(i / 28, i % 28, planes_seen));
  ++planes_seen;
}

void see_space() {
  const int step = spaces_seen / 2;
  const std::string path = path_of("space", 0);
  const std::int64_t offset = head + (spaces_seen % 2) * bytes3;
  const auto values = contents<int>(path, offset, bytes3);
  std::size_t at = 0;
  skein::for_each_index(shape3, [&](const skein::Index3& i) {
    EXPECT_EQUAL(values[at++], value3(i[0], i[1], i[2], step) * (spaces_seen % 2 == 0 ? 1 : -1));
  });
  EXPECT(size_of(path) >= offset + bytes3);
  EXPECT(contents<char>(path, 0, head) == std::vector<char>(head, 'h'));
  ++spaces_seen;
}

// ---- elements

struct Plane : skein::Chare<Plane, skein::Index2> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& moves_;
  }
  void just_moved() { ++moves_; }
  void resume_from_sync() {
    if (step_ == steps) return contribute(moves_, skein::sum, skein::to<&Plane::refused>(array()));
    write({.path = path_of("plane", step_), .shape = shape2},
          skein::to_function<skein::Written>([](const skein::Written& what) { see_plane(what); }));
    ++step_;
    at_sync();
  }

  void refused(int moves) {
    EXPECT_MOVES(moves, wanted);
    write({.path = *folder + "/no/such", .shape = shape2}, expect_error<'n'>());
    write({.path = "/dev/full", .shape = shape2}, expect_error<'f'>());
    // The last two columns are missing.
    write({.path = path_of("hole", 0), .shape = {15, 30}}, expect_error<'h'>());
    write({.path = path_of("hole", 1), .shape = {15, 30}, .whole = false}, expect_error<0>());
  }

 private:
  static std::string error_text(char which) {
    switch (which) {
      case 'n':
        return ": '" + *folder + "/no/such' cannot be opened: No such file or directory (errno 2)";
      case 'f':
        return ": '/dev/full' cannot be written: No space left on device (errno 28)";
      case 'h':
        return "'" + path_of("hole", 0) +
               "' is incomplete, or blocks overlap: they have 420 values, and the array {15, 30} has 450";
      default:
        return "";
    }
  }
  template <char which>
  static skein::Callback<skein::Written> expect_error() {
    return skein::to_function<skein::Written>([](const skein::Written& what) {
      const std::string expected = error_text(which);
      const bool of_element = what.error.starts_with("Plane{");
      EXPECT_EQUAL(of_element, which == 'n' || which == 'f');
      EXPECT_EQUAL(what.error.substr(of_element ? what.error.find('}') + 1 : 0), expected);
      EXPECT_EQUAL(what.bytes, of_element ? 0 : bytes2);
      ++errors_seen;
      end_if_all_is_seen();
    });
  }

  /// One ghost layer above, two to the left; ghosts, and values that memory has later, must not be written.
  void write(const skein::FileArray<2>& file, const skein::Callback<skein::Written>& callback) {
    const skein::Index2 memory{block2[0] + 2, block2[1] + 3};
    const skein::Index2 first{index()[0] * block2[0], index()[1] * block2[1]};
    std::vector<double> values(static_cast<std::size_t>(memory[0] * memory[1]), -1);
    for (int i = 0; i < block2[0]; ++i)
      for (int j = 0; j < block2[1]; ++j)
        values[static_cast<std::size_t>((i + 1) * memory[1] + j + 2)] =
            value2(first[0] + i, first[1] + j, step_);
    skein::write_block(*this, file, values,
                       {.first = first, .extent = block2, .memory = memory, .inset = {1, 2}}, callback);
    values.assign(values.size(), -2);
  }

  int step_ = 0, moves_ = 0;
};

/// Writes in steps that wait for each other, into one file.
struct Space : skein::Chare<Space, skein::Index3> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& all_;
  }
  void start(const skein::Section<Space>& all) {
    all_ = all;
    resume_from_sync();
  }
  void resume_from_sync() {
    if (step_ == steps)
      return contribute(skein::to_function<void>([] {
        spaces_done = true;
        end_if_all_is_seen();
      }));
    write(1, 0, skein::to<&Space::first_written>(array()));
  }
  void first_written() {
    if (index() == skein::Index3{}) skein::to_function<void>([] { see_space(); })();
    contribute(skein::to<&Space::second>(array()));
  }
  void second() { write(-1, 1, skein::to<&Space::both_written>(array())); }
  void both_written() {
    if (index() == skein::Index3{}) skein::to_function<void>([] { see_space(); })();
    contribute(skein::to<&Space::seen>(array()));
  }
  void seen() {
    ++step_;
    at_sync();
  }

 private:
  void write(int sign, int place, const skein::Callback<void>& callback) {
    // Along the first dimension the lower block is empty; along the last one they have 3, 4 and 4 values.
    skein::FileBlock<3> block;
    for (int d = 0; d < 3; ++d) {
      const auto bound = [&](int i) { return d == 0 ? (i < 2 ? 0 : shape3[0]) : i * shape3[d] / blocks3[d]; };
      block.first[d] = bound(index()[d]);
      block.extent[d] = bound(index()[d] + 1) - block.first[d];
    }
    std::vector<int> values;
    skein::for_each_index(block.extent, [&](const skein::Index3& i) {
      values.push_back(sign *
                       value3(block.first[0] + i[0], block.first[1] + i[1], block.first[2] + i[2], step_));
    });
    const skein::FileArray<3> file{
        .path = path_of("space", 0), .shape = shape3, .offset = head + place * bytes3, .ends_file = false};
    if (place == 0)
      skein::write_block(*this, file, std::span(values), block, callback);
    else
      skein::write_block(*this, all_, file, std::span(values), block, callback);
  }

  int step_ = 0;
  skein::Section<Space> all_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    char name[] = "/tmp/skein_file_array_XXXXXX";
    EXPECT(mkdtemp(name) != nullptr);
    folder.set(name);
    std::ofstream(path_of("plane", 1)) << std::string(10 * bytes2, 'x');
    std::ofstream(path_of("space", 0)) << std::string(head, 'h');
    job.array<Plane>(blocks2).broadcast<&Plane::resume_from_sync>();
    const auto spaces = job.array<Space>(blocks3);
    spaces.broadcast<&Space::start>(skein::section(spaces, [](const skein::Index3&) { return true; }));
  });
}
