// SPDX-License-Identifier: Apache-2.0
// Pools of tasks that strategies may cut. However often pools are divided and merged again, no task is lost
// or counted twice: the final tasks are those of the beginning and those that pools have given to the parts
// of others. The runtime chooses the indices of parts, or the class does, with an index type of its own.
//
// --divided: the job must have had parts; --merged: it must also have merged parts; --heavy: one pool has as
// much to do as 40 others; --ended: in the middle of the job parts give back their tasks, and end;
// --ended-later: a step later, before all is brought to one PE. With one PE nothing moves in that LB step.
#include <cmath>
#include <cstring>
#include <numeric>

#include "runtime/base/clock.hpp"
#include "tests/job/native/check.hpp"

namespace {

constexpr int pools = 20, steps = 8, tasks = 40;
bool expect_parts = false, expect_merges = false, heavy = false;
native_test::Moves wanted = native_test::Moves::none;
int parts_end_at = -1;  // step; negative: never

struct Branch {
  std::uint32_t pool = 0, part = 0;
  bool operator==(const Branch&) const = default;
};
Branch index_of(int pool, Branch) { return {static_cast<std::uint32_t>(pool), 0}; }
skein::Index1 index_of(int pool, skein::Index1) { return pool; }
int number_of(const Branch& index) { return static_cast<int>(index.pool); }
int number_of(const skein::Index1& index) { return index[0]; }

int tasks_of(int pool) { return heavy && pool == 0 ? 40 * tasks : tasks; }

void spin(double seconds) {
  const double end = skein::seconds() + seconds;
  while (skein::seconds() < end) {
  }
}

/// The final totals over all pools and their parts: values of tasks, tasks, parts that were ever made, and
/// merged; elements, and the parts among them.
using Totals = std::tuple<long, long, int, int, int, std::size_t>;

template <class I>
class Pool : public skein::Chare<Pool<I>, I> {
 public:
  Pool() = default;
  explicit Pool(int count) : values_(static_cast<std::size_t>(count), 7) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& values_& step_& made_& merged_& told_;
  }

  std::unique_ptr<Pool> split(double fraction) {
    const auto given = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(values_.size())));
    if (given == 0 || given >= values_.size()) return nullptr;
    auto part = std::make_unique<Pool>();
    part->values_.assign(values_.end() - static_cast<std::ptrdiff_t>(given), values_.end());
    part->step_ = step_;
    values_.resize(values_.size() - given);
    ++made_;
    return part;
  }
  void merge(Pool&& part) {
    EXPECT_EQUAL(part.step_, step_);
    values_.insert(values_.end(), part.values_.begin(), part.values_.end());
    made_ += part.made_;
    merged_ += part.merged_ + 1;
    part.values_.clear();
  }
  I part_index(std::uint32_t number) const requires std::same_as<I, Branch> {
    return {this->index().pool, number + 1};
  }
  void parts_changed() {
    told_ = this->parts().size();
    double shares = 0;
    bool is_there = false;
    for (const auto& part : this->parts()) {
      shares += part.share;
      is_there |= part.index == this->index();
    }
    EXPECT(is_there);
    EXPECT(std::abs(shares - 1) < 1e-9);
    EXPECT_EQUAL(this->parts().size(), this->array().parts(this->parts().back().index).size());
  }

  void step() {
    if (step_ == parts_end_at && !is_pool()) return give_back();
    spin(10e-6 * static_cast<double>(values_.size()));
    // Only the pool, not its parts, gives a task to a part of its neighbour.
    if (is_pool()) {
      const I neighbour = index_of((number_of(this->index()) + 1) % pools, I{});
      const auto parts = this->array().parts(neighbour);
      // An element that was reported as a part may have ended since the last LB step.
      const auto& to = parts[parts_end_at >= 0 ? 0 : static_cast<std::size_t>(step_) % parts.size()].index;
      this->array()[to].template send<&Pool::take>(step_ + 1);
    }
    ++step_;
    this->at_sync();
  }
  void take(int value) { values_.push_back(value); }
  void take_back(const std::vector<int>& values, int made, int merged) {
    values_.insert(values_.end(), values.begin(), values.end());
    made_ += made;
    merged_ += merged;
  }
  void resume_from_sync() {
    EXPECT_EQUAL(this->parts().size(), told_);
    if (step_ < steps) return step();
    // Tasks may be on their way, as elements do not meet at every sync point.
    if (number_of(this->index()) == 0 && is_pool())
      skein::Job().at_quiescence(skein::to<&Pool::count>(this->array()));
  }
  void count() {
    this->contribute(Totals(std::accumulate(values_.begin(), values_.end(), 0L), values_.size(), made_,
                            merged_, 1, is_pool() ? this->parts().size() : 0),
                     skein::each(skein::sum, skein::sum, skein::sum, skein::sum, skein::sum, skein::sum),
                     skein::to_function<Totals>([](Totals totals) { check(totals); }));
  }

 private:
  bool is_pool() const { return this->parts().front().index == this->index(); }
  void give_back() {
    this->array()[this->parts().front().index].template send<&Pool::take_back>(values_, made_, merged_);
    this->destroy();
  }
  static void check(const Totals& totals) {
    long initial = 0;
    for (int i = 0; i < pools; ++i) initial += tasks_of(i);
    EXPECT_EQUAL(std::get<1>(totals), initial + pools * steps);
    EXPECT_EQUAL(std::get<0>(totals), 7 * initial + pools * steps * (steps + 1) / 2);
    if (wanted != native_test::Moves::any) EXPECT_EQUAL(std::get<2>(totals) > 0, expect_parts);
    if (expect_merges && wanted != native_test::Moves::any) EXPECT(std::get<3>(totals) > 0);
    EXPECT(std::get<3>(totals) <= std::get<2>(totals));
    EXPECT_EQUAL(static_cast<std::size_t>(std::get<4>(totals)), std::get<5>(totals));
    native_test::passed();
  }

  std::vector<int> values_;
  int step_ = 0, made_ = 0, merged_ = 0;
  std::size_t told_ = 1;  // parts, as parts_changed() reported them
};

}  // namespace

int main(int argc, char** argv) {
  bool own_index = false;
  wanted = native_test::moves_wanted(argc, argv);
  for (int i = 1; i < argc; ++i) {
    expect_parts |= strcmp(argv[i], "--divided") == 0;
    expect_merges |= strcmp(argv[i], "--merged") == 0;
    heavy |= strcmp(argv[i], "--heavy") == 0;
    own_index |= strcmp(argv[i], "--own-index") == 0;
    if (strcmp(argv[i], "--ended") == 0) parts_end_at = steps / 2;
    if (strcmp(argv[i], "--ended-later") == 0) parts_end_at = steps / 2 + 1;
  }
  return skein::run(argc, argv, [=](skein::Job& job) {
    const auto fill = [](const auto& array) {
      using I = std::remove_cvref_t<decltype(array[{}].index())>;
      for (int i = 0; i < pools; ++i) array[index_of(i, I{})].insert(tasks_of(i));
    };
    if (own_index) {
      const auto array = job.sparse_array<Pool<Branch>>();
      fill(array);
      job.at_quiescence(skein::to<&Pool<Branch>::step>(array));
    } else if (heavy) {
      const auto array = job.sparse_array<Pool<skein::Index1>>();
      fill(array);
      job.at_quiescence(skein::to<&Pool<skein::Index1>::step>(array));
    } else {
      job.array<Pool<skein::Index1>>(pools, tasks).broadcast<&Pool<skein::Index1>::step>();
    }
  });
}
