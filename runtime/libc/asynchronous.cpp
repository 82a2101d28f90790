// SPDX-License-Identifier: Apache-2.0
// Operations that the C library does by threads of its own while the program goes on: these threads would
// work on the memory and with the descriptors of a rank that has moved away. Here an operation is done when
// it is requested, which the standard permits (POSIX aio_write; as MPI_File_iwrite does), so aio_error(),
// aio_suspend() and relatives find it done. Operations on pipes and sockets, which may have to wait for the
// program itself, are left to the C library: these pin their rank.
#include <aio.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

static_assert(sizeof(aiocb) == sizeof(aiocb64) &&
                  offsetof(aiocb, aio_offset) == offsetof(aiocb64, aio_offset),
              "the forms for large files are aliases");

/// Notifies as the sigevent asks; calls a thread's function here and now.
void notify(const sigevent& wanted) {
  if (wanted.sigev_notify == SIGEV_THREAD && wanted.sigev_notify_function)
    return wanted.sigev_notify_function(wanted.sigev_value);
  if (wanted.sigev_notify != SIGEV_SIGNAL) return;
  siginfo_t info = {};
  info.si_signo = wanted.sigev_signo;
  info.si_code = SI_ASYNCIO;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value = wanted.sigev_value;
  (void)::syscall(SYS_rt_sigqueueinfo, info.si_pid, wanted.sigev_signo, &info);
}

void note_result(aiocb& block, ssize_t result) {
  block.__error_code = result < 0 ? errno : 0;
  block.__return_value = result;
}

bool may_wait(const Rank& rank, const aiocb& block) {
  const OpenDescriptor* known = find_descriptor(rank, block.aio_fildes);
  return known && known->pinned_because;
}

void transfer(aiocb& block) {
  void* const buffer = const_cast<void*>(block.aio_buf);
  const bool reads = block.aio_lio_opcode == LIO_READ;
  ssize_t result = reads ? pread(block.aio_fildes, buffer, block.aio_nbytes, block.aio_offset)
                         : pwrite(block.aio_fildes, buffer, block.aio_nbytes, block.aio_offset);
  if (result < 0 && errno == ESPIPE)  // an object without positions: in order
    result = reads ? read(block.aio_fildes, buffer, block.aio_nbytes)
                   : write(block.aio_fildes, buffer, block.aio_nbytes);
  note_result(block, result);
}

int start_transfer(aiocb* block, int operation, int (*real)(aiocb*)) {
  if (may_wait(calling_rank("a function of asynchronous files"), *block)) {
    const CLibraryScope scope;
    return real(block);
  }
  if (block->aio_reqprio < 0 || block->aio_reqprio > sysconf(_SC_AIO_PRIO_DELTA_MAX)) {
    errno = EINVAL;
    return -1;
  }
  block->aio_lio_opcode = operation;
  transfer(*block);
  notify(block->aio_sigevent);
  return 0;
}
int rank_aio_read(aiocb* block) { return start_transfer(block, LIO_READ, aio_read); }
int rank_aio_write(aiocb* block) { return start_transfer(block, LIO_WRITE, aio_write); }

/// Syncs; earlier requests are done already.
int rank_aio_fsync(int operation, aiocb* block) {
  if (operation != O_SYNC && operation != O_DSYNC) {
    errno = EINVAL;
    return -1;
  }
  if (fcntl(block->aio_fildes, F_GETFL) < 0) return -1;
  note_result(*block, operation == O_SYNC ? fsync(block->aio_fildes) : fdatasync(block->aio_fildes));
  notify(block->aio_sigevent);
  return 0;
}

int rank_lio_listio(int mode, aiocb* const list[], int count, sigevent* wanted) {
  if ((mode != LIO_WAIT && mode != LIO_NOWAIT) || count < 0) {
    errno = EINVAL;
    return -1;
  }
  int failed = 0;
  for (aiocb* block : std::span(list, static_cast<std::size_t>(count))) {
    if (!block || block->aio_lio_opcode == LIO_NOP) continue;
    const int result = block->aio_lio_opcode == LIO_READ ? rank_aio_read(block) : rank_aio_write(block);
    if (result == 0 && mode == LIO_WAIT)
      while (aio_error(block) == EINPROGRESS) (void)aio_suspend(&block, 1, nullptr);
    failed |= result != 0 || (mode == LIO_WAIT && aio_error(block) != 0);
  }
  if (mode == LIO_NOWAIT && wanted) notify(*wanted);
  if (!failed) return 0;
  errno = EIO;
  return -1;
}

// ---- looking up names

/// Copies the list into the rank's memory, each entry with its address in one block, as the C library makes
/// it and freeaddrinfo() frees it; returns null if the memory is full.
addrinfo* copy_of(const addrinfo* list) {
  addrinfo* first = nullptr;
  addrinfo** next = &first;
  for (; list; list = list->ai_next) {
    auto* const entry = static_cast<addrinfo*>(malloc(sizeof(addrinfo) + list->ai_addrlen));
    if (!entry) break;
    *entry = *list;
    entry->ai_next = nullptr;
    entry->ai_addr = static_cast<sockaddr*>(memcpy(entry + 1, list->ai_addr, list->ai_addrlen));
    entry->ai_canonname = list->ai_canonname ? strdup(list->ai_canonname) : nullptr;
    *next = entry;
    next = &entry->ai_next;
  }
  if (!list) return first;
  if (first) freeaddrinfo(first);
  return nullptr;
}

int rank_getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  addrinfo* list = nullptr;
  {
    const CLibraryScope scope;
    if (const int error = getaddrinfo(name, service, hints, &list)) return error;
  }
  *found = copy_of(list);
  freeaddrinfo(list);
  return *found ? 0 : EAI_MEMORY;
}

int rank_getaddrinfo_a(int mode, gaicb* list[], int count, sigevent* wanted) {
  if ((mode != GAI_WAIT && mode != GAI_NOWAIT) || count < 0) {
    errno = EINVAL;
    return EAI_SYSTEM;
  }
  for (gaicb* request : std::span(list, static_cast<std::size_t>(count)))
    if (request)
      request->__return =
          rank_getaddrinfo(request->ar_name, request->ar_service, request->ar_request, &request->ar_result);
  if (mode == GAI_NOWAIT && wanted) notify(*wanted);
  return 0;
}

// ---- timers

constexpr const char kHoldsTimer[] = "it has a timer (timer_create)";

/// Creates a timer, whose number, signals and thread are the process's.
int rank_timer_create(clockid_t clock, sigevent* wanted, timer_t* timer) {
  Rank& rank = calling_rank("timer_create");
  const CLibraryScope scope;
  const int result = timer_create(clock, wanted, timer);
  if (result == 0) attach_handle(rank, *timer, kHoldsTimer);
  return result;
}
int rank_timer_delete(timer_t timer) {
  Rank& rank = calling_rank("timer_delete");
  const CLibraryScope scope;
  const int result = timer_delete(timer);
  if (result == 0) detach_handle(rank, timer);
  return result;
}

}  // namespace

const Overrides asynchronous_overrides({
    {"aio_read", address_of(rank_aio_read)},
    {"aio_read64", address_of(rank_aio_read)},
    {"aio_write", address_of(rank_aio_write)},
    {"aio_write64", address_of(rank_aio_write)},
    {"aio_fsync", address_of(rank_aio_fsync)},
    {"aio_fsync64", address_of(rank_aio_fsync)},
    {"lio_listio", address_of(rank_lio_listio)},
    {"lio_listio64", address_of(rank_lio_listio)},
    {"getaddrinfo", address_of(rank_getaddrinfo)},
    {"getaddrinfo_a", address_of(rank_getaddrinfo_a)},
    {"timer_create", address_of(rank_timer_create)},
    {"timer_delete", address_of(rank_timer_delete)},
});

}  // namespace skein::libc
