// SPDX-License-Identifier: Apache-2.0
// Named semaphores, which the C library maps and lists once a process: a rank that has one open stays on its
// PE. And waits for semaphores, and for those and the queues of System V: a rank of the same PE may have to
// end them.
#include <fcntl.h>
#include <semaphore.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

#include <cerrno>
#include <cstdarg>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/libc/trying.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsSemaphore[] = "it has a named semaphore open (sem_open)";

sem_t* rank_sem_open(const char* name, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list args;
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    value = va_arg(args, unsigned);
    va_end(args);
  }
  Rank& rank = calling_rank("sem_open");
  const CLibraryScope scope;
  sem_t* const semaphore = sem_open(name, flags, mode, value);
  if (semaphore != SEM_FAILED) attach_handle(rank, semaphore, kHoldsSemaphore);
  return semaphore;
}
int rank_sem_close(sem_t* semaphore) {
  Rank& rank = calling_rank("sem_close");
  const CLibraryScope scope;
  const int result = sem_close(semaphore);
  if (result == 0) detach_handle(rank, semaphore);
  return result;
}

bool is_over(clockid_t clock, const timespec& deadline) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
}
bool would_block() { return errno == EAGAIN; }

int rank_sem_wait(sem_t* semaphore) {
  if (in_forked_child()) return sem_wait(semaphore);
  return try_until([=] { return sem_trywait(semaphore); }, would_block);
}
int rank_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  const bool is_time = deadline->tv_nsec >= 0 && deadline->tv_nsec < 1'000'000'000;
  if (in_forked_child() || !is_time || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
    return sem_clockwait(semaphore, clock, deadline);
  bool late = false;
  const int result = try_until([=] { return sem_trywait(semaphore); },
                               [&] { return would_block() && !(late = is_over(clock, *deadline)); });
  if (late) errno = ETIMEDOUT;
  return result;
}
int rank_sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return rank_sem_clockwait(semaphore, CLOCK_REALTIME, deadline);
}

// ---- System V: its numbers are the node's, and mean the same on all PEs of it

bool waits_as_asked(const sembuf* operations, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (operations[i].sem_flg & IPC_NOWAIT) return false;
  return count > 0 && count <= 64;
}
int operate(int set, const sembuf* operations, std::size_t count, const timespec* time) {
  if (in_forked_child() || !waits_as_asked(operations, count))
    return semtimedop(set, const_cast<sembuf*>(operations), count, time);
  sembuf at_once[64];
  for (std::size_t i = 0; i < count; ++i) {
    at_once[i] = operations[i];
    at_once[i].sem_flg = static_cast<short>(at_once[i].sem_flg | IPC_NOWAIT);
  }
  timespec deadline = {};
  if (time) {
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += time->tv_sec + (deadline.tv_nsec + time->tv_nsec) / 1'000'000'000;
    deadline.tv_nsec = (deadline.tv_nsec + time->tv_nsec) % 1'000'000'000;
  }
  return try_until([&] { return semop(set, at_once, count); },
                   [&] { return would_block() && !(time && is_over(CLOCK_MONOTONIC, deadline)); });
}
int rank_semtimedop(int set, sembuf* operations, std::size_t count, const timespec* time) {
  return operate(set, operations, count, time);
}
int rank_semop(int set, sembuf* operations, std::size_t count) {
  return operate(set, operations, count, nullptr);
}

int rank_msgsnd(int queue, const void* message, std::size_t bytes, int flags) {
  if (in_forked_child() || flags & IPC_NOWAIT) return msgsnd(queue, message, bytes, flags);
  return try_until([=] { return msgsnd(queue, message, bytes, flags | IPC_NOWAIT); }, would_block);
}
ssize_t rank_msgrcv(int queue, void* message, std::size_t bytes, long type, int flags) {
  if (in_forked_child() || flags & IPC_NOWAIT) return msgrcv(queue, message, bytes, type, flags);
  return try_until([=] { return msgrcv(queue, message, bytes, type, flags | IPC_NOWAIT); },
                   [] { return errno == ENOMSG; });
}

}  // namespace

const Overrides semaphore_overrides({
    {"sem_open", address_of(rank_sem_open)},
    {"sem_close", address_of(rank_sem_close)},
    {"sem_wait", address_of(rank_sem_wait)},
    {"sem_timedwait", address_of(rank_sem_timedwait)},
    {"sem_clockwait", address_of(rank_sem_clockwait)},
    {"semop", address_of(rank_semop)},
    {"semtimedop", address_of(rank_semtimedop)},
    {"msgsnd", address_of(rank_msgsnd)},
    {"msgrcv", address_of(rank_msgrcv)},
});

}  // namespace skein::libc
