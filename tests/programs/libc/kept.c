// SPDX-License-Identifier: Apache-2.0
// `kept`: semaphores, queues, terminals, timers, the program break and transfers beside the program, which
// the C library opens, maps or starts by itself for a rank, belong to the rank, wherever it is. Ranks of one
// PE wait for each other by them.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static int job;  // differs in each job of the node

static void others_run(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

/// Returns "NAME.job.rank" for this rank, or for another.
static const char* name_of(const char* what, int rank) {
  static char text[64];
  snprintf(text, sizeof text, "/skein-%s.%d.%d", what, job, rank);
  return text;
}

static void named_semaphores(void) {
  const unsigned value = 3 + 10 * (unsigned)my_rank;
  sem_t* mine = sem_open(name_of("own", my_rank), O_CREAT | O_EXCL, 0600, value);
  CHECK(mine != SEM_FAILED);
  int now = -1;
  others_run();
  CHECK(sem_post(mine) == 0 && sem_getvalue(mine, &now) == 0 && now == (int)value + 1);
  // Opening it once more gives the same memory, which has to be closed twice.
  sem_t* again = sem_open(name_of("own", my_rank), 0);
  others_run();
  CHECK(again == mine && sem_close(again) == 0 && sem_trywait(mine) == 0);
  others_run();
  // Each rank waits for the rank before it, which may be on the same PE; the last one begins.
  sem_t* next = sem_open(name_of("own", (my_rank + 1) % rank_count), 0);
  CHECK(next != SEM_FAILED);
  for (unsigned i = 0; i < value; ++i) CHECK(sem_wait(mine) == 0);
  others_run();
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += soon.tv_nsec < 990000000 ? 5000000 : 0;
  CHECK(sem_timedwait(mine, &soon) == -1 && errno == ETIMEDOUT);
  others_run();
  if (my_rank == rank_count - 1) CHECK(sem_post(next) == 0);
  soon.tv_sec += 100;
  CHECK((my_rank % 2 ? sem_wait(mine) : sem_timedwait(mine, &soon)) == 0);
  if (my_rank < rank_count - 1) CHECK(sem_post(next) == 0);
  others_run();
  CHECK(sem_close(mine) == 0 && sem_close(next) == 0 && sem_unlink(name_of("own", my_rank)) == 0);
}

static void system_v(void) {
  const int mine = semget(IPC_PRIVATE, 1, 0600), queue = msgget(IPC_PRIVATE, 0600);
  CHECK(mine >= 0 && queue >= 0);
  int sets[64], queues[64];
  CHECK(rank_count <= 64);
  MPI_Allgather(&mine, 1, MPI_INT, sets, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(&queue, 1, MPI_INT, queues, 1, MPI_INT, MPI_COMM_WORLD);
  others_run();
  struct sembuf up = {0, 1, 0}, down = {0, -1, 0};
  struct message {
    long type;
    int rank;
  } message = {7, my_rank};
  const int next = (my_rank + 1) % rank_count;
  if (my_rank == rank_count - 1) CHECK(semop(sets[next], &up, 1) == 0);
  const struct timespec moment = {0, 2000000};
  CHECK(semop(mine, &down, 1) == 0 && semtimedop(mine, &down, 1, &moment) == -1 && errno == EAGAIN);
  if (my_rank < rank_count - 1) CHECK(semop(sets[next], &up, 1) == 0);
  if (my_rank % 2 == 0) CHECK(msgsnd(queues[next], &message, sizeof message.rank, 0) == 0);
  if (my_rank % 2) {
    CHECK(msgrcv(queue, &message, sizeof message.rank, 7, 0) == sizeof message.rank);
    CHECK(message.rank == my_rank - 1);
  }
  others_run();
  CHECK(semctl(mine, 0, IPC_RMID) == 0 && msgctl(queue, IPC_RMID, NULL) == 0);
}

static void queues(void) {
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 64};
  for (int i = 0; i < my_rank % 3; ++i) CHECK(dup(0) >= 0);  // a different number in each rank
  mqd_t mine = mq_open(name_of("queue", my_rank), O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
  if (mine < 0 && errno == ENOSYS) return;
  CHECK(mine >= 0);
  others_run();
  mqd_t next = mq_open(name_of("queue", (my_rank + 1) % rank_count), O_WRONLY);
  CHECK(next >= 0);
  char text[64];
  for (int round = 0; round < 3; ++round) {
    others_run();
    // From rank to rank: a rank that waits may have the sender on its own PE.
    int sum = -1;
    if (my_rank > 0) CHECK(mq_receive(mine, text, sizeof text, NULL) > 0 && sscanf(text, "%d", &sum) == 1);
    snprintf(text, sizeof text, "%d", sum + 1);
    CHECK(mq_send(next, text, strlen(text) + 1, 0) == 0);
    if (my_rank == 0) {
      CHECK(mq_receive(mine, text, sizeof text, NULL) > 0 && sscanf(text, "%d", &sum) == 1);
      CHECK(sum == rank_count - 1);
    }
  }
  others_run();
  CHECK(mq_close(mine) == 0 && mq_close(next) == 0 && mq_unlink(name_of("queue", my_rank)) == 0);
  CHECK(mq_close(mine) == -1 && errno == EBADF);
}

/// Uses the system's call numbers for a file that goes along, and a descriptor that keeps the rank where it
/// is.
static void system_calls(void) {
  char name[64], text[8] = "";
  snprintf(name, sizeof name, "called.%d", my_rank);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_RDWR | O_TRUNC, 0600);
  CHECK(file >= 0 && write(file, "xyz", 3) == 3);
  others_run();
  CHECK(pread(file, text, 3, 0) == 3 && strcmp(text, "xyz") == 0);
  const int events = (int)syscall(SYS_eventfd2, 3, 0);
  others_run();
  uint64_t count = 0;
  CHECK(events >= 0 && read(events, &count, sizeof count) == sizeof count && count == 3);
  const int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (self >= 0) {
    others_run();
    CHECK(fcntl(self, F_GETFD) >= 0 && close(self) == 0);
  } else {
    others_run();
  }
  CHECK(syscall(SYS_close, events) == 0 && syscall(SYS_close, file) == 0 && remove(name) == 0);
  CHECK(fcntl(file, F_GETFD) == -1 && errno == EBADF);
}

static void terminals(void) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  const char* name = ptsname(master);
  CHECK(name);
  others_run();
  char now[64];
  CHECK(ptsname_r(master, now, sizeof now) == 0 && strcmp(now, name) == 0);
  const int slave = open(name, O_RDWR | O_NOCTTY);
  CHECK(slave >= 0 && isatty(slave));
  others_run();
  char text[16] = "";
  snprintf(now, sizeof now, "%d\n", my_rank);
  CHECK(write(slave, now, strlen(now)) > 0);
  others_run();
  CHECK(read(master, text, sizeof text - 1) > 0 && atoi(text) == my_rank);
  CHECK(close(master) == 0 && close(slave) == 0);
}

static void program_break(void) {
  char* const begin = sbrk(0);
  int* const numbers = sbrk(65536);
  CHECK((char*)numbers == begin && (char*)sbrk(0) == begin + 65536);
  for (int i = 0; i < 16384; ++i) {
    CHECK(numbers[i] == 0);
    numbers[i] = my_rank * 16384 + i;
  }
  others_run();
  for (int i = 0; i < 16384; ++i) CHECK(numbers[i] == my_rank * 16384 + i);
  CHECK(brk(begin + 4096) == 0 && sbrk(0) == begin + 4096 && sbrk(8192) == begin + 4096);
  others_run();
  for (int i = 0; i < 3 * 1024; ++i) CHECK(numbers[i] == (i < 1024 ? my_rank * 16384 + i : 0));
  CHECK(sbrk(-12288) == begin + 12288 && sbrk(0) == begin);
  CHECK(sbrk(-1) == (void*)-1 && errno == ENOMEM && sbrk(INTPTR_MAX) == (void*)-1 && brk(begin - 1) == -1);
}

static volatile sig_atomic_t notified;
static void note(union sigval value) { notified += value.sival_int; }

static void transfers(void) {
  enum { count = 6, bytes = 1 << 18 };
  char name[64];
  snprintf(name, sizeof name, "transfers.%d", my_rank);
  const int file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
  struct aiocb blocks[count];
  memset(blocks, 0, sizeof blocks);
  char* memory = malloc(count * bytes);
  for (int i = 0; i < count; ++i) {
    memset(memory + i * bytes, 'a' + (my_rank + i) % 26, bytes);
    blocks[i] = (struct aiocb){.aio_fildes = file, .aio_offset = i * bytes, .aio_nbytes = bytes};
    blocks[i].aio_buf = memory + i * bytes;
    blocks[i].aio_sigevent.sigev_notify = SIGEV_NONE;
  }
  blocks[1].aio_sigevent = (struct sigevent){
      .sigev_notify = SIGEV_THREAD, .sigev_notify_function = note, .sigev_value.sival_int = 5};
  for (int i = 0; i < 3; ++i) CHECK(aio_write(&blocks[i]) == 0);
  others_run();
  struct aiocb* list[] = {&blocks[3], NULL, &blocks[4], &blocks[5]};
  for (int i = 3; i < count; ++i) blocks[i].aio_lio_opcode = LIO_WRITE;
  CHECK(lio_listio(LIO_NOWAIT, list, 4, NULL) == 0);
  others_run();
  for (int i = 0; i < count; ++i) {
    const struct aiocb* one = &blocks[i];
    CHECK(aio_suspend(&one, 1, NULL) == 0 && aio_error(one) == 0 && aio_return(&blocks[i]) == bytes);
  }
  CHECK(notified == 5 && aio_cancel(file, NULL) == AIO_ALLDONE);
  struct aiocb all = {.aio_fildes = file, .aio_nbytes = count * bytes};
  char* back = malloc(count * bytes);
  all.aio_buf = back;
  all.aio_sigevent.sigev_notify = SIGEV_NONE;
  CHECK(aio_fsync(O_SYNC, &blocks[0]) == 0 && aio_read(&all) == 0);
  others_run();
  CHECK(aio_error(&blocks[0]) == 0 && aio_error(&all) == 0 && aio_return(&all) == count * bytes);
  CHECK(memcmp(memory, back, count * bytes) == 0);
  free(memory);
  free(back);
  CHECK(close(file) == 0 && remove(name) == 0);
  struct aiocb bad = {.aio_fildes = file, .aio_nbytes = 1, .aio_buf = name};
  bad.aio_sigevent.sigev_notify = SIGEV_NONE;
  CHECK(aio_write(&bad) == 0 && aio_error(&bad) == EBADF && aio_return(&bad) == -1);

  // Reads from a pipe that is written to later: the rank goes on, and stays on its PE.
  int ends[2];
  char text[8] = "";
  CHECK(pipe(ends) == 0);
  struct aiocb later = {.aio_fildes = ends[0], .aio_nbytes = 6, .aio_buf = text};
  later.aio_sigevent.sigev_notify = SIGEV_NONE;
  CHECK(aio_read(&later) == 0);
  others_run();
  CHECK(aio_error(&later) == EINPROGRESS && write(ends[1], "later", 6) == 6);
  const struct aiocb* one = &later;
  while (aio_error(&later) == EINPROGRESS) aio_suspend(&one, 1, NULL);
  CHECK(aio_return(&later) == 6 && strcmp(text, "later") == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
}

static volatile int ticks;
static void tick(union sigval value) { ticks += value.sival_int == my_rank; }

static void timers(void) {
  struct sigevent wanted = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick};
  wanted.sigev_value.sival_int = my_rank;
  timer_t timer;
  CHECK(timer_create(CLOCK_MONOTONIC, &wanted, &timer) == 0);
  const struct itimerspec often = {{0, 2000000}, {0, 2000000}};
  CHECK(timer_settime(timer, 0, &often, NULL) == 0);
  for (int round = 0; round < 3; ++round) {
    const int before = ticks;
    others_run();
    while (ticks < before + 2) usleep(1000);
  }
  CHECK(timer_delete(timer) == 0);
}

/// The results lie in the rank's memory, and go with it.
static void names_found(void) {
  const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_CANONNAME, .ai_socktype = SOCK_STREAM};
  char address[32], found[64];
  snprintf(address, sizeof address, "127.0.0.%d", 1 + my_rank % 250);
  struct addrinfo* list;
  CHECK(getaddrinfo(address, NULL, &hints, &list) == 0);
  struct gaicb request = {.ar_name = address, .ar_request = &hints}, *requests[] = {&request, NULL};
  CHECK(getaddrinfo_a(GAI_NOWAIT, requests, 2, NULL) == 0);
  others_run();
  CHECK(gai_error(&request) == 0);
  for (int form = 0; form < 2; ++form) {
    struct addrinfo* each = form == 0 ? list : request.ar_result;
    CHECK(strcmp(each->ai_canonname, address) == 0 && !each->ai_next);
    CHECK(getnameinfo(each->ai_addr, each->ai_addrlen, found, sizeof found, NULL, 0, NI_NUMERICHOST) == 0);
    CHECK(strcmp(found, address) == 0);
    freeaddrinfo(each);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  job = (int)(time(NULL) % 1000000);
  if (my_rank == 0) job = job * 1000 + (int)(clock() % 1000);
  MPI_Bcast(&job, 1, MPI_INT, 0, MPI_COMM_WORLD);
  others_run();
  program_break();
  named_semaphores();
  system_v();
  queues();
  system_calls();
  terminals();
  transfers();
  timers();
  names_found();
  finish("kept");
  return 0;
}
