// SPDX-License-Identifier: Apache-2.0
// Elements that step, until a file `over` exists. Between the fourth step and the fifth, while no element is
// at a sync point, PE 0 makes a file `ready` and waits for a file `go`; with --stopped in a lazy job, it does
// so when elements stop at the fifth for a decision. It makes `passed` when twenty more steps are over.
// stopped.sh meanwhile stops a PE that only decides.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "skein/timer.hpp"
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 5, pause_after = 4, passed_after = 25;

bool exists(const char* file) { return access(file, F_OK) == 0; }
void make(const char* file) {
  const int made = open(file, O_CREAT | O_WRONLY, 0600);
  EXPECT(made >= 0 && close(made) == 0);
}
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

bool pauses_at_stop = false;
void pause() {
  for (make("ready"); !exists("go");) rest();
}
/// Is called on PE 0 when it has nothing else to do; so the job is not quiet before.
void pause_at_stop() {
  const skein::lb::lazy::Member& member = skein::balance::pace->member;
  if (member.agreed_stop() != skein::lb::lazy::kNever) return pause();
  skein::when_idle(skein::to_function<void>([] { pause_at_stop(); }));
}

class Stepper : public skein::Chare<Stepper, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_;
  }
  void step(int number) {
    EXPECT(skein::this_pe() < skein::pe_count());
    EXPECT_EQUAL(number, ++step_);
    at_sync();
  }
  void resume_from_sync() {
    contribute(step_, skein::greatest, skein::to_function<int>([](int step) { all_have_made(step); }));
  }

 private:
  static void all_have_made(int step);
  int step_ = 0;
};

skein::Array<Stepper> all;

void Stepper::all_have_made(int step) {
  if (step == pause_after && pauses_at_stop)
    skein::when_idle(skein::to_function<void>([] { pause_at_stop(); }));
  if (step == pause_after && !pauses_at_stop) pause();
  if (step == passed_after) make("passed");
  if (exists("over")) return native_test::passed();
  rest();
  all.broadcast<&Stepper::step>(step + 1);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) pauses_at_stop |= argv[i] == std::string_view("--stopped");
  return skein::run(argc, argv, [](skein::Job& job) {
    all = job.array<Stepper>(elements);
    all.broadcast<&Stepper::step>(1);
  });
}
