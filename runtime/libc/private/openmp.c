// SPDX-License-Identifier: Apache-2.0
// A library in front of the OpenMP library, for a rank has one thread: the number of threads that the program
// asks for is noted here and not passed to the library, which goes on saying one; a region that asks for more
// is refused by the launcher, or runs on one thread (--threads). For libgomp, and for libomp and its
// relatives (__kmpc_).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

/// Notes, in the launcher, that a region asks for so many threads, by its clause or by an earlier
/// omp_set_num_threads(); returns only if the user has let it run on one.
void skein_openmp_threads_wanted(int threads, bool by_clause);

int omp_get_dynamic(void);

static struct {
  // ---- threads
  int wanted_by_call;
  unsigned clause_ahead;  // for the next region of libomp, which is set before it
  // ---- functions of the library, found at their first call
  unsigned (*reductions)(void (*)(void*), void*, unsigned, unsigned);
  void (*push)(void*, int32_t, int32_t);
  void* fork;
} openmp = {.wanted_by_call = 1};

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

/// `clause`: of num_threads, or 0. With dynamic adjustment the program lets the library decide.
static void enter_region(unsigned clause) {
  const int threads = clause ? (int)clause : openmp.wanted_by_call;
  if (threads > 1 && !omp_get_dynamic()) skein_openmp_threads_wanted(threads, clause != 0);
}

static void note_wanted(int64_t threads) {
  openmp.wanted_by_call = threads > 1 ? threads < INT32_MAX ? (int)threads : INT32_MAX : 1;
}

// ---- the API, with its names in Fortran

void omp_set_num_threads(int threads) { note_wanted(threads); }
void omp_set_num_threads_(const int32_t* threads) { note_wanted(*threads); }
void omp_set_num_threads_8_(const int64_t* threads) { note_wanted(*threads); }

int omp_get_num_procs(void) { return 1; }
int32_t omp_get_num_procs_(void) { return 1; }

// ---- regions of libgomp, whose third argument is the number of threads, or 0

#define REGION(name, parameters, arguments)                  \
  void name parameters {                                     \
    static void(*library) parameters;                        \
    if (!library) library = (void(*) parameters)next(#name); \
    enter_region(threads);                                   \
    library arguments;                                       \
  }
#define LOOP(name)                                                                                        \
  REGION(name,                                                                                            \
         (void (*body)(void*), void* data, unsigned threads, long begin, long end, long step, long chunk, \
          unsigned flags),                                                                                \
         (body, data, threads, begin, end, step, chunk, flags))
#define RUNTIME_LOOP(name)                                                                                  \
  REGION(                                                                                                   \
      name,                                                                                                 \
      (void (*body)(void*), void* data, unsigned threads, long begin, long end, long step, unsigned flags), \
      (body, data, threads, begin, end, step, flags))

REGION(GOMP_parallel, (void (*body)(void*), void* data, unsigned threads, unsigned flags),
       (body, data, threads, flags))
REGION(GOMP_parallel_sections,
       (void (*body)(void*), void* data, unsigned threads, unsigned count, unsigned flags),
       (body, data, threads, count, flags))
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
RUNTIME_LOOP(GOMP_parallel_loop_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  if (!openmp.reductions) *(void**)&openmp.reductions = next("GOMP_parallel_reductions");
  enter_region(threads);
  return openmp.reductions(body, data, threads, flags);
}

// ---- regions of libomp: the number of threads is set before

void __kmpc_push_num_threads(void* place, int32_t thread, int32_t threads) {
  if (!openmp.push) *(void**)&openmp.push = next("__kmpc_push_num_threads");
  openmp.clause_ahead = threads > 0 ? (unsigned)threads : 0;
  openmp.push(place, thread, threads);
}

/// Runs before the library's function, which it returns, for a call with any arguments.
__attribute__((used)) static void* begin_fork(void) {
  if (!openmp.fork) openmp.fork = next("__kmpc_fork_call");
  const unsigned clause = openmp.clause_ahead;
  openmp.clause_ahead = 0;
  enter_region(clause);
  return openmp.fork;
}

void __kmpc_fork_call(void);
__asm__(
    ".pushsection .text\n"
    ".p2align 4\n"
    ".globl __kmpc_fork_call\n"
    ".type __kmpc_fork_call, @function\n"
    "__kmpc_fork_call:\n"
    ".cfi_startproc\n"
    "pushq %rdi\n"
    "pushq %rsi\n"
    "pushq %rdx\n"
    "pushq %rcx\n"
    "pushq %r8\n"
    "pushq %r9\n"
    "pushq %rax\n"
    ".cfi_adjust_cfa_offset 56\n"
    "call begin_fork\n"
    "movq %rax, %r11\n"
    "popq %rax\n"
    "popq %r9\n"
    "popq %r8\n"
    "popq %rcx\n"
    "popq %rdx\n"
    "popq %rsi\n"
    "popq %rdi\n"
    ".cfi_adjust_cfa_offset -56\n"
    "jmp *%r11\n"
    ".cfi_endproc\n"
    ".size __kmpc_fork_call, . - __kmpc_fork_call\n"
    ".popsection\n");
