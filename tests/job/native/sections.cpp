// SPDX-License-Identifier: Apache-2.0
// Sections that overlap, made in every way and on several PEs: each member gets each broadcast once and no
// other element any, and reductions over them give the sums of their members' numbers, several at once.
// Members move by themselves while broadcasts are under way, and at sync points between rounds.
#include <algorithm>
#include <map>

#include "tests/job/native/check.hpp"

namespace {

constexpr int rows = 4, columns = 6, rounds = 6, bursts = 3;

int number_of(const skein::Index2& index) { return index[0] * columns + index[1]; }

/// By id, whether an index is a member.
constexpr int kinds = 5;
bool is_member(int id, const skein::Index2& index) {
  switch (id) {
    case 0:  // a list, with one index twice
      return index == skein::Index2(1, 1) || index == skein::Index2(3, 5);
    case 1:  // a range of row 2
      return index[0] == 2;
    case 2:  // every second row, every third column
      return index[0] % 2 == 0 && index[1] % 3 == 1;
    case 3:  // a predicate
      return (index[0] + index[1]) % 2 == 0;
    default:  // all
      return true;
  }
}

class Cell;
using Section = skein::Section<Cell>;

class Cell : public skein::Chare<Cell, skein::Index2> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& sections_& round_& got_& results_& ballast_;
  }

  /// The first element makes some sections, and the last, elsewhere, the others.
  void make_first() {
    const skein::Array<Cell> cells = array();
    sections_.push_back(skein::section(cells, {{3, 5}, {1, 1}, {3, 5}}));
    sections_.push_back(skein::section(cells, {2, 0}, {3, columns}, {1, 1}));
    EXPECT_EQUAL(sections_[0].size(), std::size_t{2});
    const Section nobody = skein::section(cells, {});
    EXPECT_EQUAL(nobody.size(), std::size_t{0});
    nobody.broadcast<&Cell::next_round>(0);
    EXPECT_EQUAL(skein::section(cells, {2, 2}, {2, 2}, {1, 1}).size(), std::size_t{0});
    array()[{rows - 1, columns - 1}].send<&Cell::make_others>(sections_);
  }
  void make_others(std::vector<Section> sections) {
    const skein::Array<Cell> cells = array();
    sections.push_back(skein::section(cells, {0, 1}, {rows, columns}, {2, 3}));
    sections.push_back(skein::section(cells, [](const skein::Index2& i) { return is_member(3, i); }));
    sections.push_back(skein::section(cells, [](const skein::Index2&) { return true; }));
    for (int id = 0; id < kinds; ++id) {
      std::size_t members = 0;
      skein::for_each_index(skein::Index2(rows, columns),
                            [&](const skein::Index2& i) { members += is_member(id, i); });
      EXPECT_EQUAL(sections[static_cast<std::size_t>(id)].size(), members);
    }
    array().broadcast<&Cell::know>(sections);
  }
  void know(const std::vector<Section>& sections) {
    sections_ = sections;
    contribute(skein::to<&Cell::begin>(array()[{0, 0}]));
  }
  void begin() {
    for (int burst = 0; burst < bursts; ++burst)
      for (int id = 0; id < kinds; ++id)
        sections_[static_cast<std::size_t>(id)].broadcast<&Cell::work>(id, burst, std::string(200, 'x'));
  }

  void work(int id, int burst, const std::string& text) {
    EXPECT(is_member(id, index()));
    EXPECT_EQUAL(text.size(), std::size_t{200});
    ++got_[{id, burst}];
    const auto first = array()[{0, 0}];
    const Section& section = sections_[static_cast<std::size_t>(id)];
    contribute(section, std::pair(id, number_of(index())), Add{}, skein::to<&Cell::summed>(first));
    contribute(section, skein::to<&Cell::all_worked>(section));
    if ((number_of(index()) + burst) % 4 == 0) migrate_to((skein::this_pe() + 1) % skein::pe_count());
  }
  /// Is the barrier of every member of a section. The elements call the first element, which knows how many
  /// to expect.
  void all_worked() { array()[{0, 0}].send<&Cell::heard>(); }
  void heard() { result(); }
  void summed(std::pair<int, int> id_and_sum) {
    int expected = 0;
    skein::for_each_index(skein::Index2(rows, columns), [&](const skein::Index2& i) {
      if (is_member(id_and_sum.first, i)) expected += number_of(i);
    });
    EXPECT_EQUAL(id_and_sum.second, expected);
    result();
  }
  void next_round(int round) {
    EXPECT_EQUAL(round, round_);
    ++round_;
    for (int id = 0; id < kinds; ++id)
      for (int burst = 0; burst < bursts; ++burst)
        EXPECT_EQUAL((got_[{id, burst}]), is_member(id, index()) ? round_ : 0);
    at_sync();
  }
  void resume_from_sync() { contribute(skein::to<&Cell::go_on>(array()[{0, 0}])); }
  void go_on() {
    if (round_ == rounds) return native_test::passed();
    begin();
  }

 private:
  struct Add {
    void operator()(std::pair<int, int>& into, std::pair<int, int>&& with) const {
      EXPECT_EQUAL(into.first, with.first);
      into.second += with.second;
    }
  };
  void result() {
    std::size_t barriers = 0;
    for (const Section& section : sections_) barriers += section.size();
    if (++results_ < static_cast<int>(bursts * (kinds + barriers))) return;
    results_ = 0;
    array().broadcast<&Cell::next_round>(round_);
  }

  std::vector<Section> sections_;
  std::map<std::pair<int, int>, int> got_;
  int round_ = 0, results_ = 0;
  std::vector<float> ballast_ = std::vector<float>(5'000, 1.5f);
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    job.array<Cell>({rows, columns})[{0, 0}].send<&Cell::make_first>();
  });
}
