// SPDX-License-Identifier: Apache-2.0
// Prints what the run would have taken without balancing, by the clock of its elements, for comparison with
// the closing lines (tests/job/programs/gain.py). Elements belong where they were made, or where they sent
// themselves; elements that end count until then.
//
// On two PEs three of four elements, made on PE 0, spin long. In the third interval element 0 makes another
// one on PE 0, element 1 ends, and element 2 sends itself to PE 1.
#include <algorithm>
#include <array>
#include <chrono>

#include "tests/job/native/check.hpp"

namespace {

constexpr int steps = 6, elements = 8, change = 2;
constexpr int ended = 1, sent = 2, inserted = elements;
constexpr int intervals = steps + 1, all_elements = elements + 1;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using Spun = std::array<std::array<double, 2>, intervals>;  // by interval and PE, seconds

class Ledger : public skein::Chare<Ledger, skein::Index1> {
 public:
  void note(const Spun& spun) {
    for (std::size_t k = 0; k < intervals; ++k)
      for (std::size_t pe = 0; pe < 2; ++pe) spun_[k][pe] += spun[k][pe];
    if (++noted_ < all_elements) return;
    double sum = 0;
    for (const auto& of_pe : spun_) sum += std::ranges::max(of_pe);
    printf("without moves %.4f s\n", sum);
    native_test::passed();
  }

 private:
  int noted_ = 0;
  Spun spun_{};
};

class Spinner : public skein::Chare<Spinner, skein::Index1> {
 public:
  Spinner() = default;
  Spinner(skein::Array<Ledger> ledger, int interval) : ledger_(ledger), interval_(interval) {}

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& ledger_& belongs_to_& spin_s_& interval_& spun_;
  }

  void start() { work(); }
  void resume_from_sync() {
    ++interval_;
    if (interval_ == change && index()[0] == 0) {
      array()[inserted].insert_on(0, ledger_, interval_);
      array()[inserted].send<&Spinner::start>();
    }
    if (interval_ == change && index()[0] == sent) migrate_to(belongs_to_ = 1);
    work();
  }

 private:
  void work() {
    const double start = now();
    double end = start;
    while (end < start + spin_s_) end = now();
    spun_[static_cast<std::size_t>(interval_)][static_cast<std::size_t>(belongs_to_)] = end - start;
    const bool ends = interval_ == change && index()[0] == ended;
    if (interval_ < steps && !ends) return at_sync();
    ledger_[0].send<&Ledger::note>(spun_);
    if (ends) destroy();
  }

  skein::Array<Ledger> ledger_;
  int belongs_to_ = skein::this_pe();
  double spin_s_ = belongs_to_ == 0 ? 0.03 : 0.003;
  int interval_ = 0;
  Spun spun_{};
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto ledger = job.array<Ledger>(1);
    const auto spinners = job.sparse_array<Spinner>();
    for (int i = 0; i < elements; ++i) {
      spinners[i].insert_on(i < 6 ? 0 : 1, ledger, 0);
      spinners[i].send<&Spinner::start>();
    }
  });
}
