// SPDX-License-Identifier: Apache-2.0
// Calls that pile up, run, and pile up again find their memory where they left it: only the first round
// faults pages. Once the PEs have been idle for a while the memory is given back, and so is memory that a
// method has freed.
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/native/check.hpp"
#include "tests/job/native/resident.hpp"

namespace {

constexpr int rounds = 12, first_counted = 4;
constexpr long calls = 500'000;
constexpr long bytes_a_round = 16 * calls;  // at least: each call's argument, and its destination

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  void begin() {
    malloc_trim(0);
    before_ = native_test::resident_bytes();
    burst();
  }
  void burst() {
    if (++round_ == first_counted) faults_ = page_faults();
    if (round_ == rounds) return end();
    for (long i = 0; i < calls; ++i) skein::aggregate<&Member::take>(self(), i);
    skein::flush_aggregated();
    self().send<&Member::burst>();
  }
  void take(long number) { taken_ += number; }
  void wait_for_less() {
    if (native_test::resident_bytes() - before_ < bytes_a_round / 2)
      return rounds_freed_++ ? native_test::passed() : free_more();
    EXPECT(++looks_ < 1000);
    skein::after(0.01, skein::to<&Member::wait_for_less>(self()));
  }

 private:
  void free_more() {
    {
      const std::vector<std::vector<char>> small(bytes_a_round / 64, std::vector<char>(64, 'x'));
      EXPECT(native_test::resident_bytes() - before_ > bytes_a_round / 2);
    }
    self().send<&Member::wait_for_less>();
  }
  void end() {
    EXPECT_EQUAL(taken_, (rounds - 1) * calls * (calls - 1) / 2);
    const long would_be = (rounds - first_counted) * bytes_a_round / sysconf(_SC_PAGESIZE);
    EXPECT(page_faults() - faults_ < would_be / 4);
    wait_for_less();
  }

  long before_ = 0, faults_ = 0, taken_ = 0;
  int round_ = 0, looks_ = 0, rounds_freed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) { job.group<Member>()[0].send<&Member::begin>(); });
}
