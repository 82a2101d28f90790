// SPDX-License-Identifier: Apache-2.0
// Jobs in which several reserved PEs decide together while the others continue: timelines worked out by hand.
#include <doctest/doctest.h>

#include "tests/unit/simulate/rotating_job.hpp"

using namespace rotating_job;

TEST_CASE("lazy: several reserved PEs decide together") {
  const Timeline timeline = simulate(two_ranks(4), two_and_two(5000), rotating("lazy:pes=2", 2));
  // PE 2 leads, and hears PE 0; PE 3 hears PE 1. Both shares are there at 20,110 + 1000 + 44, and taken in
  // 50. PE 3 reports that its member has sent its share: 100, 1000 + 16, and 50, so that PE 2 knows at
  // 22,370, and tells PE 3 to begin, 8 bytes: at 22,470 + 1000 + 4, taken in 50. From then, 23,524, both
  // decide for 5249, and the 10 of gathering one object. The decision ends at 28,783, which PE 2 knows: the
  // message that PE 3 had begun was there long before. PE 2 sends the result: to PE 0 at 28,883, to PE 1 at
  // 28,983. As with one PE, both hear it behind point 3, promise the fourth point at 30,270, and hold there
  // at 40,270. PE 3 passes on the promise of PE 1, so that PE 2 has it at 30,270 + 1016 + 50 + 100 + 1016 +
  // 50, in time.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 40320);
  CHECK(step.collect == collecting_of_two);
  REQUIRE(step.late);
  CHECK(step.late->asked_at == 2);
  CHECK(step.late->applied_at == 4);
  CHECK(step.late->decide == 5249 + 10);
  CHECK(timeline.reserved_pes == 2);
  CHECK(timeline.makespan == 40320 + collecting_of_two + moving + 100 + 10 + 10000);
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
}

TEST_CASE("lazy: with several deciders and wait=always, each message counts") {
  const Timeline timeline = simulate(two_ranks(3), two_and_two(5000), rotating("lazy:pes=2,wait=always", 2));
  // As above until 28,783. PE 0 has heard it at 28,883 + 1016 + 50, and PE 1 100 later, at 30,049. It
  // promises, 100 later, the second point; PE 3 has that at 30,149 + 1016 + 50, and passes it on: PE 2 has it
  // at 31,215 + 100 + 1016 + 50 = 32,381. It tells PE 1, after PE 0, at 32,581, who has heard it 1016 + 50
  // later.
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].at == 33647);
  CHECK(timeline.steps[0].late->applied_at == 2);
  CHECK(timeline.makespan == 33647 + collecting_of_two + moving + 10 + 10000 + 10 + 10000);
}

TEST_CASE("lazy: a quick decision of several is there when the one that leads knows that all began") {
  // They decide for 259 from 23,524 on, as above. PE 3 says that it has begun: 100, 1000, and 50. So PE 2
  // tells PE 1 at 24,674 + 200, who has heard it at 25,940, promises, and so on as above: 24,674 is 4,109
  // before.
  const Timeline timeline = simulate(two_ranks(3), two_and_two(), rotating("lazy:pes=2,wait=always", 2));
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].at == 33647 - (28783 - 24674));
  CHECK(timeline.steps[0].late->decide == 259);
}

TEST_CASE("lazy: the end of the job waits for what several PEs decide, who call MPI") {
  // They begin at 23,524, as above, and the ranks end at 50,000 and some.
  const Timeline timeline = simulate(two_ranks(4), two_and_two(1e6), rotating("lazy:pes=2", 2));
  CHECK(timeline.steps.empty());
  CHECK(timeline.decisions == 1);
  CHECK(timeline.makespan == 23524 + 10 + 249 + 1000000);
}
