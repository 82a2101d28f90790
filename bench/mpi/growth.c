// SPDX-License-Identifier: Apache-2.0
// growth FILE SIZE... [-- NAME...]: the cost of one of many, while so many exist at once: makes, uses and
// gives back each number of each resource below (or of the named ones). Prints lines: the resource, the
// number, nanoseconds for each on rank 0's process. FILE: for resources that are files.
//
// Measures processor time, for a machine may have other things to do; the least of three rounds.
#include <sys/mman.h>
#include <time.h>

#include "timing.h"

enum { most = 10000, most_ranks = 64, rounds = 3, about = 2000 };

static int rank, size;
static int out[most][most_ranks], in[most][most_ranks];
static MPI_Request requests[2 * most];
static MPI_Op own_op;
static MPI_Comm comms[most], ring;
static MPI_Win windows[most];
static MPI_Datatype types[most], ints[most_ranks];
static MPI_Group groups[most], world_group;
static MPI_Info infos[most];
static MPI_Op ops[most];
static MPI_Errhandler handlers[most];
static MPI_Session sessions[most];
static MPI_File files[most];
static int keys[most], numbers[most], ones[most_ranks], places[most_ranks];
static void* blocks[most];
static const char* path;

static void add(void* from, void* to, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)to)[i] += ((int*)from)[i];
}
static void wait_for(int n) { MPI_Waitall(n, requests, MPI_STATUSES_IGNORE); }

// ---- nonblocking collectives

#define OUTSTANDING(name, ...)                     \
  static void name(int n) {                        \
    for (int i = 0; i < n; ++i) MPI_##__VA_ARGS__; \
    wait_for(n);                                   \
  }
#define WORLD MPI_COMM_WORLD, &requests[i]
OUTSTANDING(ialltoall, Ialltoall(out[i], 1, MPI_INT, in[i], 1, MPI_INT, WORLD))
OUTSTANDING(iscan, Iscan(out[i], in[i], 1, MPI_INT, MPI_SUM, WORLD))
OUTSTANDING(iallreduce_own, Iallreduce(out[i], in[i], 1, MPI_INT, own_op, WORLD))
OUTSTANDING(ialltoallw, Ialltoallw(out[i], ones, places, ints, in[i], ones, places, ints, WORLD))
OUTSTANDING(ineighbor, Ineighbor_alltoall(out[i], 1, MPI_INT, in[i], 1, MPI_INT, ring, &requests[i]))
OUTSTANDING(ireduce_scatter, Ireduce_scatter(out[i], in[i], ones, MPI_INT, MPI_SUM, WORLD))
OUTSTANDING(igather, Igather(out[i], 1, MPI_INT, in[i], 1, MPI_INT, 0, WORLD))
OUTSTANDING(ibarrier, Ibarrier(WORLD))
OUTSTANDING(iallreduce, Iallreduce(out[i], in[i], 1, MPI_INT, MPI_SUM, WORLD))
OUTSTANDING(ibcast, Ibcast(out[i], 1, MPI_INT, 0, WORLD))

static void comm_idup(int n) {
  for (int i = 0; i < n; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]);
  wait_for(n);
  for (int i = 0; i < n; ++i) MPI_Comm_free(&comms[i]);
}
static void persistent_scan(int n) {
  for (int i = 0; i < n; ++i)
    MPI_Scan_init(out[i], in[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  MPI_Startall(n, requests);
  wait_for(n);
  for (int i = 0; i < n; ++i) MPI_Request_free(&requests[i]);
}
static void persistent_allreduce(int n) {
  for (int i = 0; i < n; ++i)
    MPI_Allreduce_init(out[i], in[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  // Half of the ranks use the opposite order.
  for (int i = 0; i < n; ++i) MPI_Start(&requests[rank % 2 ? n - 1 - i : i]);
  wait_for(n);
  for (int i = 0; i < n; ++i) MPI_Request_free(&requests[i]);
}

// ---- messages, from each rank to the next one

static int above(void) { return (rank + 1) % size; }
static int below(void) { return (rank + size - 1) % size; }
static void receives(int n) {
  for (int i = 0; i < n; ++i) MPI_Irecv(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = n; i-- > 0;) MPI_Send(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD);
  wait_for(n);
}
static void sends(int n) {
  for (int i = 0; i < n; ++i) MPI_Isend(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = n; i-- > 0;) MPI_Recv(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  wait_for(n);
}
static void unexpected(int n) {
  for (int i = 0; i < n; ++i) MPI_Send(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i)
    MPI_Recv(in[i], 1, MPI_INT, below(), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void probes(int n) {
  for (int i = 0; i < n; ++i) MPI_Send(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD);
  for (int i = n; i-- > 0;) {
    MPI_Message message;
    MPI_Mprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in[i], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
}
static void synchronous(int n) {
  for (int i = 0; i < n; ++i) MPI_Issend(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < n; ++i)
    MPI_Recv(in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  wait_for(n);
}
static void cancelled(int n) {
  for (int i = 0; i < n; ++i) MPI_Irecv(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = n; i-- > 0;) MPI_Cancel(&requests[i]);
  wait_for(n);
}
static void buffered(int n) {
  const int bytes = n * (MPI_BSEND_OVERHEAD + 64);
  void* const room = touched((size_t)bytes);
  MPI_Buffer_attach(room, bytes);
  for (int i = 0; i < n; ++i) MPI_Bsend(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) MPI_Recv(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  void* detached;
  int detached_bytes;
  MPI_Buffer_detach(&detached, &detached_bytes);
  free(room);
}
// Uses a pair of requests each.
static void persistent(int n) {
  for (int i = 0; i < n; ++i) {
    MPI_Recv_init(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, &requests[2 * i]);
    MPI_Send_init(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD, &requests[2 * i + 1]);
  }
  for (int k = 0; k < 2; ++k) {
    MPI_Startall(2 * n, requests);
    wait_for(2 * n);
  }
  for (int i = 0; i < 2 * n; ++i) MPI_Request_free(&requests[i]);
}
static void partitioned(int n) {
  for (int i = 0; i < n; ++i) {
    MPI_Precv_init(in[i], 1, 1, MPI_INT, below(), i, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2 * i]);
    MPI_Psend_init(out[i], 1, 1, MPI_INT, above(), i, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2 * i + 1]);
  }
  MPI_Startall(2 * n, requests);
  for (int i = 0; i < n; ++i) MPI_Pready(0, requests[2 * i + 1]);
  wait_for(2 * n);
  for (int i = 0; i < 2 * n; ++i) MPI_Request_free(&requests[i]);
}
static int nothing_asked(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int nothing_freed(void* state) { return (void)state, MPI_SUCCESS; }
static int nothing_cancelled(void* state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }
static void generalized(int n) {
  for (int i = 0; i < n; ++i)
    MPI_Grequest_start(nothing_asked, nothing_freed, nothing_cancelled, NULL, &requests[i]);
  for (int i = n; i-- > 0;) MPI_Grequest_complete(requests[i]);
  wait_for(n);
}
// Completes one after the other, whichever is done.
static void waitsome(int n) {
  for (int i = 0; i < n; ++i) MPI_Irecv(in[i], 1, MPI_INT, below(), i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < n; ++i) MPI_Send(out[i], 1, MPI_INT, above(), i, MPI_COMM_WORLD);
  for (int got, done = 0; done < n; done += got)
    MPI_Waitsome(n, requests, &got, numbers, MPI_STATUSES_IGNORE);
}

// ---- objects

static void comm_dup(int n) {
  for (int i = 0; i < n; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < n; ++i) MPI_Allreduce(out[i], in[i], 1, MPI_INT, MPI_SUM, comms[i]);
  for (int i = 0; i < n; ++i) MPI_Comm_free(&comms[i]);
}
static void comm_split(int n) {
  for (int i = 0; i < n; ++i) MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[i]);
  for (int i = n; i-- > 0;) MPI_Comm_free(&comms[i]);
}
static void groups_made(int n) {
  for (int i = 0; i < n; ++i) MPI_Group_incl(world_group, 1, &rank, &groups[i]);
  for (int i = 0; i < n; ++i) MPI_Group_size(groups[i], &numbers[i]);
  for (int i = 0; i < n; ++i) MPI_Group_free(&groups[i]);
}
static void datatypes(int n) {
  for (int i = 0; i < n; ++i) {
    MPI_Type_vector(2, 1, 2 + i, MPI_INT, &types[i]);
    MPI_Type_commit(&types[i]);
  }
  for (int i = 0; i < n; ++i) MPI_Type_size(types[i], &numbers[i]);
  for (int i = 0; i < n; ++i) MPI_Type_free(&types[i]);
}
static void operations(int n) {
  for (int i = 0; i < n; ++i) MPI_Op_create(add, 1, &ops[i]);
  for (int i = 0; i < n; ++i) MPI_Reduce_local(out[i], in[i], 1, MPI_INT, ops[i]);
  for (int i = 0; i < n; ++i) MPI_Op_free(&ops[i]);
}
static void infos_made(int n) {
  for (int i = 0; i < n; ++i) {
    MPI_Info_create(&infos[i]);
    MPI_Info_set(infos[i], "key", "value");
  }
  for (int i = 0; i < n; ++i) MPI_Info_free(&infos[i]);
}
static char texts[most][16];
static void info_keys(int n) {
  char value[16];
  int found;
  MPI_Info_create(&infos[0]);
  for (int i = 0; i < n; ++i) snprintf(texts[i], sizeof texts[i], "key_%d", i);
  for (int i = 0; i < n; ++i) MPI_Info_set(infos[0], texts[i], "value");
  for (int i = 0; i < n; ++i) MPI_Info_get(infos[0], texts[i], (int)sizeof value - 1, value, &found);
  for (int i = 0; i < n; ++i) MPI_Info_delete(infos[0], texts[i]);
  MPI_Info_free(&infos[0]);
}
/* Costs as much as in the C library: each call looks at all variables. */
static void environment(int n) {
  for (int i = 0; i < n; ++i) snprintf(texts[i], sizeof texts[i], "KEY_%d", i);
  for (int i = 0; i < n; ++i) setenv(texts[i], "value", 1);
  for (int i = n; i-- > 0;) unsetenv(texts[i]);
}
static void attributes(int n) {
  void* value;
  int found;
  for (int i = 0; i < n; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keys[i], &keys[i]);
  }
  for (int i = 0; i < n; ++i) MPI_Comm_get_attr(MPI_COMM_WORLD, keys[i], &value, &found);
  for (int i = 0; i < n; ++i) {
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keys[i]);
    MPI_Comm_free_keyval(&keys[i]);
  }
}
static void handle_nothing(MPI_Comm* comm, int* error, ...) { (void)comm, (void)error; }
static void error_handlers(int n) {
  for (int i = 0; i < n; ++i) MPI_Comm_create_errhandler(handle_nothing, &handlers[i]);
  for (int i = 0; i < n; ++i) MPI_Errhandler_free(&handlers[i]);
}
static void error_classes(int n) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  for (int i = 0; i < n; ++i) {
    MPI_Add_error_class(&numbers[i]);
    MPI_Add_error_code(numbers[i], &keys[i]);
    MPI_Add_error_string(keys[i], "text");
  }
  for (int i = 0; i < n; ++i) {
    MPI_Error_string(keys[i], text, &length);
    MPI_Error_class(keys[i], &length);
  }
  for (int i = n; i-- > 0;) {
    MPI_Remove_error_string(keys[i]);
    MPI_Remove_error_code(keys[i]);
    MPI_Remove_error_class(numbers[i]);
  }
}
static void sessions_begun(int n) {
  for (int i = 0; i < n; ++i) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &sessions[i]);
  for (int i = 0; i < n; ++i) MPI_Session_get_num_psets(sessions[i], MPI_INFO_NULL, &numbers[i]);
  for (int i = 0; i < n; ++i) MPI_Session_finalize(&sessions[i]);
}
static void names_published(int n) {
  char name[64], port[MPI_MAX_PORT_NAME];
  for (int i = 0; i < n; ++i) {
    snprintf(name, sizeof name, "name%d.%d", rank, i);
    MPI_Publish_name(name, MPI_INFO_NULL, "port");
  }
  for (int i = 0; i < n; ++i) {
    snprintf(name, sizeof name, "name%d.%d", rank, i);
    MPI_Lookup_name(name, MPI_INFO_NULL, port);
    MPI_Unpublish_name(name, MPI_INFO_NULL, port);
  }
}

// ---- windows

static void windows_made(int n) {
  for (int i = 0; i < n; ++i)
    MPI_Win_create(in[i], sizeof in[i], sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
  for (int i = 0; i < n; ++i) {
    MPI_Win_lock(MPI_LOCK_SHARED, above(), 0, windows[i]);
    MPI_Put(out[i], 1, MPI_INT, above(), 0, 1, MPI_INT, windows[i]);
    MPI_Win_unlock(above(), windows[i]);
  }
  for (int i = 0; i < n; ++i) MPI_Win_free(&windows[i]);
}
static void locks_held(int n) {
  for (int i = 0; i < n; ++i)
    MPI_Win_create(in[i], sizeof in[i], sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
  for (int i = 0; i < n; ++i) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, above(), 0, windows[i]);
  for (int i = 0; i < n; ++i) MPI_Win_unlock(above(), windows[i]);
  for (int i = 0; i < n; ++i) MPI_Win_free(&windows[i]);
}
static void regions_attached(int n) {
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < n; ++i) MPI_Win_attach(window, in[i], sizeof(int));
  for (int i = 0; i < n; ++i) {
    MPI_Aint at;
    MPI_Get_address(in[i], &at);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    MPI_Put(out[i], 1, MPI_INT, rank, at, 1, MPI_INT, window);
    MPI_Win_unlock(rank, window);
  }
  for (int i = 0; i < n; ++i) MPI_Win_detach(window, in[i]);
  MPI_Win_free(&window);
}
static void rputs(int n) {
  MPI_Win window;
  MPI_Win_create(in, sizeof in, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < n; ++i)
    MPI_Rput(out[i], 1, MPI_INT, above(), i * most_ranks, 1, MPI_INT, window, &requests[i]);
  wait_for(n);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

// ---- files, and resources of the C library

static void mpi_files(int n) {
  for (int i = 0; i < n; ++i)
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &files[i]);
  for (int i = 0; i < n; ++i) MPI_File_close(&files[i]);
}
static void c_files(int n) {
  for (int i = 0; i < n; ++i) blocks[i] = fopen(path, "a+");
  for (int i = 0; i < n; ++i) expect(blocks[i] && fclose(blocks[i]) == 0, "a file");
}
static void heap_blocks(int n) {
  for (int i = 0; i < n; ++i) blocks[i] = malloc(100 + (size_t)i % 7 * 300);
  for (int i = 0; i < n; ++i) free(blocks[i]);
}
static void mappings(int n) {
  for (int i = 0; i < n; ++i) {
    blocks[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(int*)blocks[i] = i;
  }
  for (int i = 0; i < n; ++i) munmap(blocks[i], 4096);
}

// ----

typedef struct {
  const char* name;
  void (*use)(int n);
  int most;  ///< some resources allow fewer
} Resource;

static const Resource resources[] = {
    {"ialltoall", ialltoall, most},
    {"iscan", iscan, most},
    {"iallreduce_own_op", iallreduce_own, most},
    {"ialltoallw", ialltoallw, most},
    {"ineighbor_alltoall", ineighbor, most},
    {"ireduce_scatter", ireduce_scatter, most},
    {"igather", igather, most},
    {"comm_idup", comm_idup, most},
    {"persistent_scan", persistent_scan, most},
    {"ibarrier", ibarrier, most},
    {"iallreduce", iallreduce, most},
    {"ibcast", ibcast, most},
    {"persistent_allreduce", persistent_allreduce, most},
    {"receives", receives, most},
    {"sends", sends, most},
    {"unexpected", unexpected, most},
    {"probes", probes, most},
    {"synchronous_sends", synchronous, most},
    {"cancelled_receives", cancelled, most},
    {"buffered_sends", buffered, most},
    {"persistent_messages", persistent, most},
    {"partitioned_messages", partitioned, most},
    {"generalized_requests", generalized, most},
    {"waitsome", waitsome, most},
    {"comm_dup", comm_dup, most},
    {"comm_split", comm_split, most},
    {"groups", groups_made, most},
    {"datatypes", datatypes, most},
    {"operations", operations, most},
    {"infos", infos_made, most},
    {"info_keys", info_keys, most},
    {"environment", environment, most},
    {"attributes", attributes, most},
    {"error_handlers", error_handlers, most},
    {"error_classes", error_classes, most},
    {"sessions", sessions_begun, most},
    {"names", names_published, most},
    {"windows", windows_made, most},
    {"locks", locks_held, most},
    {"attached_regions", regions_attached, most},
    {"rputs", rputs, most},
    {"mpi_files", mpi_files, most},
    {"c_files", c_files, 256},  // a process may often have only 1024 files open
    {"heap_blocks", heap_blocks, most},
    {"mappings", mappings, most},
};

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const Resource* resource, int n) {
  const int times = n < about ? about / n : 1;
  double least = 1e9;
  resource->use(n);
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = processor_seconds();
    for (int i = 0; i < times; ++i) resource->use(n);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = (processor_seconds() - start) / times / n;
    if (seconds < least) least = seconds;
  }
  print_row(resource->name, (size_t)n, least);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_group(MPI_COMM_WORLD, &world_group);
  MPI_Op_create(add, 1, &own_op);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
  for (int i = 0; i < size; ++i) {
    ones[i] = 1;
    places[i] = i * (int)sizeof(int);
    ints[i] = MPI_INT;
  }
  path = argv[1];
  int names = 2;
  while (names < argc && strcmp(argv[names], "--") != 0) ++names;
  for (size_t r = 0; r < sizeof resources / sizeof *resources; ++r) {
    int wanted = names + 1 >= argc;
    for (int i = names + 1; i < argc; ++i) wanted |= strcmp(argv[i], resources[r].name) == 0;
    for (int i = 2; i < names && wanted; ++i)
      if (atoi(argv[i]) <= resources[r].most) measure(&resources[r], atoi(argv[i]));
  }
  MPI_Op_free(&own_op);
  MPI_Comm_free(&ring);
  MPI_Group_free(&world_group);
  MPI_Finalize();
  return 0;
}
