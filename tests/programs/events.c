// SPDX-License-Identifier: Apache-2.0
// Computes 10 times for rank + 1 milliseconds, and may move in between. So events.sh knows the least count of
// perf::TASK-CLOCK, in nanoseconds: the time comes from a counter of that kind of the program's own, since
// the thread's clock shows up to 2 ms more in 4 ms where processors are shared.
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static int open_task_clock(void) {
  struct perf_event_attr clock = {
      .type = PERF_TYPE_SOFTWARE, .size = sizeof clock, .config = PERF_COUNT_SW_TASK_CLOCK};
  return (int)syscall(SYS_perf_event_open, &clock, 0, -1, -1, 0);
}

static uint64_t counted(int clock) {
  uint64_t nanoseconds = UINT64_MAX;
  CHECK(read(clock, &nanoseconds, sizeof nanoseconds) == sizeof nanoseconds);
  return nanoseconds;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int step = 0; step < 10; ++step) {
    const int clock = open_task_clock();
    while (counted(clock) < 1000000 * (uint64_t)(my_rank + 1)) {
    }
    close(clock);
    maybe_move();
  }
  finish("events");
}
