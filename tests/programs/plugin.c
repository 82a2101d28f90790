// SPDX-License-Identifier: Apache-2.0
// Libraries that a rank loads itself, and what they see of the program. Built plainly this is the program,
// exporting its symbols (-rdynamic), to be called as `plugin PLUGIN`; with -DPLUGIN it is that library, which
// needs another, built with -DBASE.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"

#if defined(BASE)

int base_count(void);
int base_count(void) {
  static int count;
  return ++count;
}

#elif defined(PLUGIN)

int base_count(void);
int host_add(int amount);
extern int host_value, host_constructed, host_destroyed;
extern _Thread_local int host_of_thread;
int plugin_call_back(int amount);
int plugin_count(void);
int plugin_rank(void);
int plugin_of_thread(int next);
const char* plugin_text(void);
int (*plugin_pointer(void))(int);

static int count = 100;
static _Thread_local int of_thread = 7;

static void __attribute__((constructor)) begin_plugin(void) { ++host_constructed; }
static void __attribute__((destructor)) end_plugin(void) { ++host_destroyed; }

int plugin_call_back(int amount) { return host_add(amount) == host_value ? host_value + host_of_thread : -1; }
int plugin_count(void) { return ++count + base_count(); }
int plugin_rank(void) {
  int rank, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
int plugin_of_thread(int next) {
  const int before = of_thread;
  of_thread = next;
  return before;
}
// Constant data is mapped from the file: sending it must work where the receiver reads the sender's slot.
const char* plugin_text(void) {
  static const char text[100000] = "constant";
  return text;
}
extern int (*const plugin_table[2])(int);
int (*const plugin_table[2])(int) = {host_add, 0};
int (*plugin_pointer(void))(int) { return plugin_table[0]; }

#else

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int host_add(int amount);
int host_value, host_constructed, host_destroyed;
_Thread_local int host_of_thread;
int host_add(int amount) { return host_value += amount; }

struct Plugin {
  void* handle;
  int (*call_back)(int);
  int (*count)(void);
  int (*rank)(void);
  int (*of_thread)(int);
  const char* (*text)(void);
  int (*(*pointer)(void))(int);
};

static struct Plugin load(const char* path, int mode) {
  struct Plugin p = {.handle = dlopen(path, mode)};
  if (!p.handle) fprintf(stderr, "%s\n", dlerror());
  CHECK(p.handle);
#define FIND(name) *(void**)&p.name = dlsym(p.handle, "plugin_" #name)
  FIND(call_back);
  FIND(count);
  FIND(rank);
  FIND(of_thread);
  FIND(text);
  FIND(pointer);
  CHECK(p.call_back && p.count && p.rank && p.of_thread && p.text && p.pointer);
  return p;
}

static void check_addresses(const struct Plugin* p) {
  Dl_info info;
  CHECK(dladdr((void*)host_add, &info) && strcmp(info.dli_sname, "host_add") == 0);
  CHECK(info.dli_saddr == (void*)host_add && strstr(info.dli_fname, "plugin"));
  CHECK(memcmp(info.dli_fbase, ELFMAG, SELFMAG) == 0);
  CHECK(dladdr(&host_value, &info) && strcmp(info.dli_sname, "host_value") == 0);
  ElfW(Sym) * symbol;
  CHECK(dladdr1((void*)p->call_back, &info, (void**)&symbol, RTLD_DL_SYMENT));
  CHECK(strcmp(info.dli_sname, "plugin_call_back") == 0 && symbol &&
        ELF64_ST_TYPE(symbol->st_info) == STT_FUNC);
  CHECK((char*)info.dli_fbase + symbol->st_value == (char*)p->call_back);
  CHECK(dladdr(&info, &info) == 0);
  CHECK(dlsym(RTLD_DEFAULT, "host_add") == (void*)host_add);
  CHECK(dlsym(RTLD_DEFAULT, "host_of_thread") == &host_of_thread);
  CHECK(dlsym(dlopen(NULL, RTLD_NOW), "host_value") == &host_value);
  CHECK(dlsym(RTLD_DEFAULT, "MPI_Comm_rank") == (void*)MPI_Comm_rank);
  // The process contains the MPI that Skein runs on, but the program does not see its names.
  CHECK(dlsym(RTLD_DEFAULT, "MPI_Not_in_any_standard") == NULL &&
        strstr(dlerror(), "MPI_Not_in_any_standard"));
  CHECK(dlerror() == NULL);
  CHECK(dlsym(RTLD_NEXT, "host_add") == NULL && dlerror());
  struct link_map* map;
  CHECK(dlinfo(p->handle, RTLD_DI_LINKMAP, &map) == 0 && strstr(map->l_name, "plugin_library"));
}

extern int (*const host_table[2])(int);
int (*const host_table[2])(int) = {host_add, 0};

/// Addresses in constant data are read-only once the linker has filled them in: the system refuses to write
/// there.
static void check_sealed(const struct Plugin* p) {
  const int zeroes = open("/dev/zero", O_RDONLY);
  CHECK(zeroes >= 0);
  CHECK(read(zeroes, (void*)host_table, sizeof host_table) == -1 && errno == EFAULT);
  CHECK(*(int (*const volatile*)(int))host_table == host_add);
  void* const table = dlsym(p->handle, "plugin_table");
  CHECK(read(zeroes, table, sizeof host_table) == -1 && errno == EFAULT);
  CHECK(p->pointer() == host_add);
  CHECK(read(zeroes, &host_value, sizeof host_value) == sizeof host_value);
  close(zeroes);
}

struct Seen {
  int count, program_at, plugin_at;
};
static int see(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct Seen* const seen = data;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const segment = &info->dlpi_phdr[i];
    const uintptr_t into = (uintptr_t)&host_value - info->dlpi_addr - segment->p_vaddr;
    if (segment->p_type == PT_LOAD && into < segment->p_memsz && *info->dlpi_name == 0)
      seen->program_at = seen->count;
  }
  if (strstr(info->dlpi_name, "plugin_library")) seen->plugin_at = seen->count;
  ++seen->count;
  return 0;
}

static void check_objects(int plugin_is_there) {
  struct Seen seen = {0, -1, -1};
  dl_iterate_phdr(see, &seen);
  CHECK(seen.program_at == 0);
  CHECK((seen.plugin_at > 0) == plugin_is_there);
}

static void check_state(const struct Plugin* p, int round) {
  host_value = 1000 * my_rank;
  host_of_thread = my_rank;
  CHECK(p->call_back(round) == 1000 * my_rank + round + my_rank && host_value == 1000 * my_rank + round);
  CHECK(p->count() == 100 + 2 * round);
  CHECK(p->of_thread(10 * my_rank + round) == (round == 1 ? 7 : 10 * my_rank + round - 1));
  CHECK(p->rank() == rank_count * (rank_count - 1) / 2);
  CHECK(p->pointer() == host_add);
}

static void exchange_text(const struct Plugin* p) {
  static char received[100000];
  const int next = (my_rank + 1) % rank_count, last = (my_rank + rank_count - 1) % rank_count;
  memset(received, 'x', sizeof received);
  MPI_Sendrecv(p->text(), sizeof received, MPI_CHAR, next, 0, received, sizeof received, MPI_CHAR, last, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(strcmp(received, "constant") == 0 && received[sizeof received - 1] == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(argc == 2);
  check_objects(0);
  const struct Plugin p = load(argv[1], RTLD_NOW);
  CHECK(host_constructed == 1);
  CHECK(dlsym(RTLD_DEFAULT, "plugin_count") == NULL);
  for (int round = 1; round <= 10; ++round) {
    check_state(&p, round);
    check_addresses(&p);
    check_objects(1);
    check_sealed(&p);
    exchange_text(&p);
    maybe_move();
  }
  // Opening it once more gives the same library, which stays until it is closed twice.
  CHECK(dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == p.handle && host_constructed == 1);
  CHECK(dlsym(RTLD_DEFAULT, "plugin_count") == (void*)p.count);
  CHECK(dlclose(p.handle) == 0 && host_destroyed == 0);
  check_state(&p, 11);
  maybe_move();
  CHECK(dlclose(p.handle) == 0 && host_destroyed == 1);
  CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL && dlclose(p.handle) != 0 && dlerror());
  check_objects(0);
  // The rank has the library's memory again, on every PE.
  for (int round = 0; round < 5; ++round) {
    char* const memory = malloc(1 << 20);
    memset(memory, round, 1 << 20);
    maybe_move();
    for (int i = 0; i < 1 << 20; ++i) CHECK(memory[i] == round);
    free(memory);
  }
  const struct Plugin again = load(argv[1], RTLD_LAZY);
  CHECK(host_constructed == 2);
  check_state(&again, 1);
  maybe_move();
  CHECK(again.of_thread(0) == 10 * my_rank + 1);
  CHECK(dlopen("/no/such/library.so", RTLD_NOW) == NULL && strstr(dlerror(), "/no/such/library.so"));
  // This library belongs to the process; the rank can move without closing it.
  void* const mathematics = dlopen("libm.so.6", RTLD_NOW);
  double (*root)(double);
  *(void**)&root = dlsym(mathematics, "floor");
  for (int i = 0; i < 3; ++i) maybe_move();
  CHECK(root && root(2.5) == 2 && dlclose(mathematics) == 0);
  finish("plugin");
}

#endif
