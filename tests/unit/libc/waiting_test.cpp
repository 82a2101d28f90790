// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

int steps = 0;

void run_until_done(const Rank& rank) {
  while (!rank.done) run_ready();
}

}  // namespace

TEST_CASE("waiting: a rank that sleeps lets the others run, and the time is none of its load") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& sleeper = make_rank(0);
    Rank& other = make_rank(1);
    run_program(sleeper, [] {
      CHILD_CHECK(RANK(usleep)(300'000) == 0);
      CHILD_CHECK(steps == 1);  // of the other rank; there would be none if the process had slept
    });
    CHILD_CHECK(!sleeper.done && any_asleep() && wakes_within(300'000'000) && !any_ready());
    run_program(other, [] { ++steps; });
    CHILD_CHECK(other.done && steps == 1);
    run_until_done(sleeper);
    CHILD_CHECK(!any_asleep() && !wakes_within(1'000'000'000));
    CHILD_CHECK(ns_of(sleeper.meter.busy_ticks) < 150e6);
  }));
}

TEST_CASE("waiting: those who sleep wake in the order of their times") {
  CHECK_CHILD_PASSED(run_in_child([] {
    static int order[rank_count];
    static int woken;
    for (int id = 0; id < rank_count; ++id) {
      run_program(make_rank(id), [] {
        const int rank = current_rank()->id;
        CHILD_CHECK(RANK(usleep)(20'000 * static_cast<useconds_t>(rank_count - rank)) == 0);
        order[woken++] = rank;
      });
    }
    for (int id = 0; id < rank_count; ++id) run_until_done(rank_in_slot(id));
    for (int i = 0; i < rank_count; ++i) CHILD_CHECK(order[i] == rank_count - 1 - i);
  }));
}

TEST_CASE("waiting: whoever is no rank, and a child that a rank forked off, waits as ever") {
  CHECK_CHILD_PASSED(run_in_child([] {
    CHILD_CHECK(usleep(1) == 0 && poll(nullptr, 0, 1) == 0);
    Rank& rank = make_rank(0);
    const AsRank program(rank);  // without a fiber: a switch would fault
    const pid_t child = fork();
    if (child == 0) {
      timeval time{0, 1000};
      const bool waited = RANK(usleep)(1000) == 0 && RANK(poll)(nullptr, 0, 1) == 0 &&
                          RANK(select)(0, nullptr, nullptr, nullptr, &time) == 0 && RANK(sched_yield)() == 0;
      _exit(waited ? 0 : 1);
    }
    int status = -1;
    CHILD_CHECK(waitpid(child, &status, 0) == child && status == 0);
  }));
}
