// SPDX-License-Identifier: Apache-2.0
// left waited|left|any: elements come to one sync point, and the job ends as soon as all have gone on, while
// the strategy decides about it. Then the process goes on for a while, and uses memory, which must not be
// that of the strategy. `waited`: the job waited for a strategy that takes 1.5 s; `left`: only for the
// patience of 0.3 s.
#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 6;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
void rest(double for_s) { std::this_thread::sleep_for(std::chrono::duration<double>(for_s)); }

double resumed_at = 0;

class Stopper : public skein::Chare<Stopper, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}

  void stop() { at_sync(); }
  void resume_from_sync() {
    contribute(index()[0], skein::sum, skein::to_function<int>([](int sum) {
                 EXPECT_EQUAL(sum, elements * (elements - 1) / 2);
                 resumed_at = now();
                 rest(0.05);  // meanwhile the strategy is asked, and begins
               }));
  }
};

/// Returns true if every block held what was written to it.
bool memory_is_sound() {
  bool sound = true;
  for (const double end = now() + 0.5; now() < end; rest(0.001)) {
    std::vector<std::vector<int>> blocks;
    for (int size = 1; size < 4000; size = size * 3 / 2 + 1)
      blocks.emplace_back(static_cast<std::size_t>(size), size);
    for (const auto& block : blocks)
      for (const int each : block) sound &= each == static_cast<int>(block.size());
  }
  return sound;
}

}  // namespace

int main(int argc, char** argv) {
  resumed_at = 0;
  const int status = skein::run(
      argc, argv, [](skein::Job& job) { job.array<Stopper>(elements).broadcast<&Stopper::stop>(); });
  const double waited_s = now() - resumed_at;
  if (status != 0 || !memory_is_sound()) return EXIT_FAILURE;
  if (resumed_at == 0) return EXIT_SUCCESS;  // only PE 0 knows it
  const std::string_view expected = argv[1];
  const bool as_expected = expected == "any" || (expected == "waited" ? waited_s > 0.7 : waited_s < 5);
  if (!as_expected) {
    fprintf(stderr, "the job ended %.3f s after its last method\n", waited_s);
    return EXIT_FAILURE;
  }
  native_test::passed();
  return EXIT_SUCCESS;
}
