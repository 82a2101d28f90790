// SPDX-License-Identifier: Apache-2.0
// `waiting`: ranks that wait for a time, or for descriptors, let the other ranks of their PE run, and their
// PE serve messages. Each wait here ends by an action of another rank.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static void wait_usleep(void) { CHECK(usleep(200) == 0); }
static void wait_sleep(void) { CHECK(sleep(0) == 0); }
static void wait_nanosleep(void) { CHECK(nanosleep(&(struct timespec){0, 200000}, NULL) == 0); }
static void wait_thrd(void) { CHECK(thrd_sleep(&(struct timespec){0, 200000}, NULL) == 0); }
static void wait_clock(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 200000;
  if (until.tv_nsec >= 1000000000) ++until.tv_sec, until.tv_nsec -= 1000000000;
  CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 200000}, NULL) == 0);
}
static void wait_yield(void) { CHECK(sched_yield() == 0); }
static void wait_poll(void) { CHECK(poll(NULL, 0, 1) == 0); }
static void wait_ppoll(void) { CHECK(ppoll(NULL, 0, &(struct timespec){0, 200000}, NULL) == 0); }
static void wait_select(void) { CHECK(select(0, NULL, NULL, NULL, &(struct timeval){0, 200}) == 0); }
static void wait_pselect(void) {
  CHECK(pselect(0, NULL, NULL, NULL, &(struct timespec){0, 200000}, NULL) == 0);
}
static void wait_epoll(void) {
  const int epoll = epoll_create1(0);
  struct epoll_event event;
  CHECK(epoll >= 0 && epoll_wait(epoll, &event, 1, 1) == 0 && epoll_pwait(epoll, &event, 1, 1, NULL) == 0);
  CHECK(close(epoll) == 0);
}

static void (*const waits[])(void) = {wait_usleep, wait_sleep,   wait_nanosleep, wait_thrd,
                                      wait_clock,  wait_yield,   wait_poll,      wait_ppoll,
                                      wait_select, wait_pselect, wait_epoll};
enum { kinds = sizeof waits / sizeof *waits };

static void name_file(char* name, int rank, int round) { sprintf(name, "waiting.%d.%d", rank, round); }

static void make_file(int round) {
  char name[32];
  name_file(name, my_rank, round);
  const int file = open(name, O_CREAT | O_WRONLY, 0600);
  CHECK(file >= 0 && close(file) == 0);
}

/// Each rank waits for the file of the next one, in another way each round, and the last makes the first
/// file.
static void chain(int round) {
  char name[32];
  name_file(name, my_rank + 1, round);
  if (my_rank + 1 < rank_count)
    while (access(name, F_OK) != 0) waits[round % kinds]();
  make_file(round);
  MPI_Barrier(MPI_COMM_WORLD);
  name_file(name, my_rank, round);
  CHECK(remove(name) == 0);
}

/// Checks that a synchronous send ends once its receiver's PE has served it, though the receiver waits for a
/// file that is made after that.
static void served_while_asleep(int round) {
  if (rank_count < 2) return;
  const int from = 0, to = rank_count - 1;
  char name[32];
  int value = -1;
  name_file(name, from, kinds + round);
  if (my_rank == to) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, from, round, MPI_COMM_WORLD, &request);
    while (access(name, F_OK) != 0) waits[round % kinds]();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(value == 1000 + round && remove(name) == 0);
  } else if (my_rank == from) {
    value = 1000 + round;
    MPI_Ssend(&value, 1, MPI_INT, to, round, MPI_COMM_WORLD);
    make_file(kinds + round);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define TAKES_AT_LEAST(seconds, wait)        \
  do {                                       \
    const double start = now();              \
    CHECK(wait);                             \
    CHECK(now() - start >= 0.999 * seconds); \
  } while (0)

/// Checks that no wait ends early, and that results are reported as usual.
static void results(void) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  struct pollfd ask = {ends[0], POLLIN, -1};
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7};
  const int epoll = epoll_create1(0);
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval time = {0, 12000};
  const struct timespec millis = {0, 12000000};

  TAKES_AT_LEAST(0.012, usleep(12000) == 0);
  TAKES_AT_LEAST(0.012, nanosleep(&millis, NULL) == 0);
  TAKES_AT_LEAST(0.012, clock_nanosleep(CLOCK_MONOTONIC, 0, &millis, NULL) == 0);
  TAKES_AT_LEAST(0.012, poll(&ask, 1, 12) == 0);
  CHECK(ask.revents == 0);
  TAKES_AT_LEAST(0.012, select(ends[0] + 1, &set, NULL, NULL, &time) == 0);
  CHECK(!FD_ISSET(ends[0], &set) && time.tv_sec == 0 && time.tv_usec == 0);
  TAKES_AT_LEAST(0.012, epoll_wait(epoll, &event, 1, 12) == 0);

  CHECK(write(ends[1], "!", 1) == 1);
  CHECK(poll(&ask, 1, -1) == 1 && ask.revents == POLLIN);
  FD_SET(ends[0], &set);
  FD_SET(ends[1], &set);
  fd_set writable = set;
  time.tv_sec = 5;
  CHECK(select(ends[1] + 1, &set, &writable, NULL, &time) == 2 && time.tv_sec >= 4);
  CHECK(FD_ISSET(ends[0], &set) && !FD_ISSET(ends[1], &set));
  CHECK(FD_ISSET(ends[1], &writable) && !FD_ISSET(ends[0], &writable));
  CHECK(pselect(ends[0] + 1, &set, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
  CHECK(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 7 && event.events == EPOLLIN);

  CHECK(nanosleep(&(struct timespec){0, 1000000000}, NULL) == -1 && errno == EINVAL);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){-1, 0}, NULL) == EINVAL);
  CHECK(select(-1, NULL, NULL, NULL, &time) == -1 && errno == EINVAL);
  CHECK(ppoll(&ask, 1, &(struct timespec){0, -1}, NULL) == -1 && errno == EINVAL);
  CHECK(close(epoll) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
  CHECK(poll(&(struct pollfd){ends[0], POLLIN, 0}, 1, 1000) == 1);  // POLLNVAL
  FD_SET(ends[0], &set);
  CHECK(select(ends[0] + 1, &set, NULL, NULL, &time) == -1 && errno == EBADF);
}

/// All others wait for the message of a rank that sleeps, so that no rank can go on meanwhile.
static void asleep(int ms) {
  int value = 1;
  if (my_rank == 0) CHECK(usleep((useconds_t)ms * 1000) == 0);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc > 1) {
    asleep(number_argument(argc, argv, 1, 0));
    finish("waiting");
    return 0;
  }
  for (int round = 0; round < kinds; ++round) {
    chain(round);
    maybe_move();
    served_while_asleep(round);
    maybe_move();
  }
  results();
  maybe_move();
  finish("waiting");
  return 0;
}
