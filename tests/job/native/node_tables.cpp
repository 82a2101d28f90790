// SPDX-License-Identifier: Apache-2.0
// Tables of a node, set and built by the function given to run(), exist on every PE when the first
// constructor and the first function of a callback run, and in elements that move. Each is in memory and
// built once per node, or once per PE with --alone, where PEs share no memory (--skein.transport=mpi).
#include <cinttypes>
#include <set>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 9, steps = 3;
constexpr std::size_t length = 5'000'000;  // 20 MB: more than one piece

struct Row {
  double a;
  int b;
};

int built = 0;  // in this process
native_test::Moves wanted;
bool alone = false;

skein::NodeTable<int> numbers;
skein::NodeTable<Row> rows;
skein::NodeTable<std::int64_t> sums;
skein::NodeTable<double> never_set, empty, short_one;
skein::ReadOnly<int> factor;

void expect_all() {
  EXPECT_EQUAL(numbers.size(), length);
  for (std::size_t i = 0; i < length; i += 4999) EXPECT_EQUAL(numbers[i], static_cast<int>(3 * i));
  EXPECT_EQUAL(numbers[length - 1], static_cast<int>(3 * (length - 1)));
  EXPECT_EQUAL(rows.size(), std::size_t{3});
  EXPECT_EQUAL(rows[2].a, 2.5);
  EXPECT_EQUAL(rows[1].b, -1);
  EXPECT_EQUAL(sums.size(), std::size_t{1001});
  for (std::int64_t i = 0; const std::int64_t sum : sums) {
    EXPECT_EQUAL(sum, 7 * 3 * i * (i + 1) / 2);
    ++i;
  }
  EXPECT(never_set.empty() && empty.empty());
  EXPECT_EQUAL(short_one.size(), std::size_t{1});
  EXPECT_EQUAL(short_one[0], 0.5);
}

/// Returns the file that is mapped at the table, and the offset in it.
std::pair<std::uint64_t, std::uint64_t> place_of(const void* table) {
  const auto address = reinterpret_cast<std::uint64_t>(table);
  FILE* const maps = fopen("/proc/self/maps", "r");
  EXPECT(maps != nullptr);
  char line[512];
  std::uint64_t begin, end, offset, inode;
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64, &begin, &end, &offset, &inode) ==
            4 &&
        begin <= address && address < end) {
      fclose(maps);
      return {inode, offset + address - begin};
    }
  throw std::runtime_error("no memory at the table");
}

/// One on each PE.
struct Counter : skein::Chare<Counter, skein::Index1> {
  Counter() { expect_all(); }
  void count() {
    const bool shares = skein::pe_count() > 1 && !alone;
    const auto [file, place] = place_of(sums.data());
    EXPECT_EQUAL(file != 0, shares);
    using Places = std::multiset<std::pair<std::uint64_t, std::uint64_t>>;
    contribute(std::pair(file, place), skein::set_of, skein::to_function<Places>([](const Places& places) {
                 const std::set<Places::value_type> different(places.begin(), places.end());
                 if (!alone) EXPECT_EQUAL(different.size(), static_cast<std::size_t>(skein::node_count()));
               }));
    contribute(built, skein::sum, skein::to_function<int>([](int builds) {
                 EXPECT_EQUAL(builds, alone ? skein::pe_count() : skein::node_count());
                 native_test::passed();
               }));
  }
};
skein::ReadOnly<skein::Array<Counter>> counters;

class Reader : public skein::Chare<Reader, skein::Index1> {
 public:
  Reader() { expect_all(); }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& moves_;
  }
  void just_moved() { ++moves_; }
  void resume_from_sync() {
    expect_all();
    if (step_++ < steps) return at_sync();
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, wanted);
                 counters->broadcast<&Counter::count>();
               }));
  }

 private:
  int step_ = 0, moves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  for (int i = 1; i < argc; ++i) alone |= std::string_view(argv[i]) == "--alone";
  return skein::run(argc, argv, [](skein::Job& job) {
    factor.set(7);
    rows.set(std::vector<Row>{{0, 0}, {1, 1}});
    rows.build(17, [](std::span<Row>) {});  // set again below
    std::vector<int> values(length);
    for (std::size_t i = 0; i < length; ++i) values[i] = static_cast<int>(3 * i);
    numbers.set(values);
    sums.build(1001, [](std::span<std::int64_t> all) {
      ++built;
      for (const std::int64_t sum : all) EXPECT_EQUAL(sum, 0);
      for (std::size_t i = 1; i < all.size(); ++i) all[i] = all[i - 1] + *factor * numbers[i];
    });
    rows.set(std::vector<Row>{{0.5, 0}, {1.5, -1}, {2.5, -2}});
    empty.set({});
    short_one.build(1, [](std::span<double> one) { one[0] = rows[0].a; });
    skein::to_function<void>([] { expect_all(); }, skein::pe_count() - 1)();
    counters.set(job.group<Counter>());
    job.array<Reader>(elements).broadcast<&Reader::resume_from_sync>();
  });
}
