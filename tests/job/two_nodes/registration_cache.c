// SPDX-License-Identifier: Apache-2.0
// Preloaded before the MPI underneath (LD_PRELOAD): acts like the registration cache of a network that reads
// and writes memory by itself, as far as its contract with a program goes. Memory of messages is registered,
// which pins its pages, until this process gives the addresses back to the system by madvise(); a message
// over a registration whose pages are no longer those at the addresses goes astray. A file that the processes
// of the node share records which process gave back pages of the arena; a stale registration ends the job.
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { page = 4096, most_given_back = 1 << 20, most_registered = 1 << 20 };

/// Pages that a process of this node has given back for the whole node.
struct Given {
  uintptr_t begin, end;
};
static struct {
  atomic_int count;
  struct Given ranges[most_given_back];
} * given;

static struct Registration {
  uintptr_t begin, end;  // equal: none
  int time;              // how many ranges had been given back
} cache[most_registered];
static int registered = 0;
static int used_again = 0;  // true if a message used memory that was registered before

// runtime/arena/arena.hpp
static const uintptr_t arena_begin = 0x110000000000, arena_end = 0x510000000000;

static void fail(const char* what) {
  fprintf(stderr, "registration cache: %s\n", what);
  abort();
}

__attribute__((constructor)) static void open_notes(void) {
  char host[64] = "", name[200];
  gethostname(host, sizeof host);
  snprintf(name, sizeof name, "%s/%s.given", getenv("REGISTRATION_NOTES"), host);
  const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof *given) != 0) fail("no notes");
  given = mmap(NULL, sizeof *given, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (given == MAP_FAILED) fail("no notes");
  close(file);
}

int madvise(void* memory, size_t bytes, int advice) {
  const uintptr_t begin = (uintptr_t)memory, end = begin + bytes;
  if (advice == MADV_DONTNEED || advice == MADV_REMOVE)
    for (int i = 0; i < registered; ++i)
      if (cache[i].begin < end && begin < cache[i].end) cache[i].begin = cache[i].end;
  const long result = syscall(SYS_madvise, memory, bytes, advice);
  if (result == 0 && advice == MADV_REMOVE) {
    const int i = atomic_fetch_add(&given->count, 1);
    if (i >= most_given_back) fail("too much was given back");
    given->ranges[i] = (struct Given){begin, end};
  }
  return (int)result;
}

static void use(const void* memory, int bytes) {
  const uintptr_t begin = (uintptr_t)memory & -page,
                  end = ((uintptr_t)memory + (size_t)bytes + page - 1) & -page;
  if (begin < arena_begin || begin >= arena_end || bytes == 0) return;
  const int now = atomic_load(&given->count);
  int known = 0;
  for (int i = 0; i < registered; ++i) {
    const struct Registration* const one = &cache[i];
    const uintptr_t from = one->begin > begin ? one->begin : begin, to = one->end < end ? one->end : end;
    if (from >= to) continue;
    known |= one->begin <= begin && one->end >= end;
    used_again = 1;
    for (int k = one->time; k < now; ++k)
      if (given->ranges[k].begin < to && from < given->ranges[k].end)
        fail("a message over pages that were given back since they were registered");
  }
  if (known) return;
  if (registered == most_registered) fail("too much was registered");
  cache[registered++] = (struct Registration){begin, end, now};
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (type == MPI_BYTE) use(data, count);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (type == MPI_BYTE) use(data, count);
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Finalize(void) {
  if (!used_again) fail("no memory was used twice, so this shows nothing");
  return PMPI_Finalize();
}
