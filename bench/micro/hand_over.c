// SPDX-License-Identifier: Apache-2.0
// Prints how long a cache line takes from one core to another, in ns: two processes on the first two cores
// that this one may use increment a shared number in turn. Virtual cores are sometimes near each other and
// sometimes far.
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 200000, batches = 5 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void bind_to(int index) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof allowed, &allowed);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed) && index-- == 0) CPU_SET(cpu, &one);
  if (CPU_COUNT(&one) == 1) sched_setaffinity(0, sizeof one, &one);
}

/// Answers every number of the other parity with the next number.
static void play(_Atomic long* number, long parity) {
  for (long turn = parity; turn < 2L * rounds * batches; turn += 2) {
    while (atomic_load_explicit(number, memory_order_acquire) != turn) __builtin_ia32_pause();
    atomic_store_explicit(number, turn + 1, memory_order_release);
  }
}

int main(void) {
  _Atomic long* const number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (number == MAP_FAILED) return 1;
  const pid_t partner = fork();
  if (partner < 0) return 1;
  if (partner == 0) {
    bind_to(1);
    play(number, 1);
    _exit(0);
  }
  bind_to(0);
  double best = 1e9;
  long turn = 0;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = seconds();
    for (int round = 0; round < rounds; ++round, turn += 2) {
      while (atomic_load_explicit(number, memory_order_acquire) != turn) __builtin_ia32_pause();
      atomic_store_explicit(number, turn + 1, memory_order_release);
    }
    const double each = (seconds() - start) / (2.0 * rounds);
    if (each < best) best = each;
  }
  waitpid(partner, NULL, 0);
  printf("%.0f\n", best * 1e9);
  return 0;
}
