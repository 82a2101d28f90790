// SPDX-License-Identifier: Apache-2.0
// `own_stacks`: ranks wait, and move, on stacks that the program has made itself, wherever these lie: the
// contents of the main stack and of these stacks move along. `own_stacks dead`: each rank once calls a
// function that uses 4 MiB of its stack, which need not move along.
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "check.h"

enum { stack_bytes = 128 * 1024, rounds = 4, numbers = 1500, dead_bytes = 4 << 20 };

typedef struct {
  ucontext_t context, back;
  int salt;
} Coroutine;

static Coroutine* started;

/// Fills a frame of the calling stack with numbers, which are checked after each turn of other flows.
#define FILL(name, salt)      \
  volatile int name[numbers]; \
  for (int i = 0; i < numbers; ++i) name[i] = 31 * i + (salt)
#define LOOK(name, salt) \
  for (int i = 0; i < numbers; ++i) CHECK(name[i] == 31 * i + (salt))

static void body(void) {
  Coroutine* const self = started;
  FILL(mine, self->salt);
  for (int round = 0;; ++round) {
    maybe_move();
    LOOK(mine, self->salt);
    MPI_Barrier(MPI_COMM_WORLD);
    swapcontext(&self->context, &self->back);
    LOOK(mine, self->salt);
  }
}

static void start(Coroutine* coroutine, void* stack, void (*function)(void), int salt) {
  coroutine->salt = salt;
  CHECK(getcontext(&coroutine->context) == 0);
  coroutine->context.uc_stack.ss_sp = stack;
  coroutine->context.uc_stack.ss_size = stack_bytes;
  coroutine->context.uc_link = NULL;
  makecontext(&coroutine->context, function, 0);
}

static void go_on(Coroutine* coroutine) {
  started = coroutine;
  CHECK(swapcontext(&coroutine->back, &coroutine->context) == 0);
}

/// Two flows take turns with frames of the calling stack; most of the main stack's frames lie below the frame
/// in which a coroutine's stack may lie.
__attribute__((noinline)) static void take_turns(void* stack, int depth) {
  FILL(mine, my_rank + depth);
  if (depth > 0) {
    take_turns(stack, depth - 1);
  } else {
    Coroutine first;
    start(&first, stack, body, 7 * my_rank + 1);
    for (int round = 0; round < rounds; ++round) {
      go_on(&first);
      LOOK(mine, my_rank + depth);
    }
  }
  LOOK(mine, my_rank + depth);
}

static char fixed[stack_bytes];

/// A coroutine makes another one, in whose turn the rank moves.
static void nest(void) {
  Coroutine* const self = started;
  char* const stack = malloc(stack_bytes);
  take_turns(stack, 1);
  free(stack);
  swapcontext(&self->context, &self->back);
}

__attribute__((noinline)) static int use_stack(void) {
  volatile char array[dead_bytes];
  memset((char*)array, my_rank + 1, sizeof array);
  return array[my_rank];
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc > 1) {
    CHECK(use_stack() == my_rank + 1);
    for (int round = 0; round < rounds; ++round) maybe_move();
    finish("own_stacks dead");
    return 0;
  }
  // The stack lies in a frame of the main stack: the stack pointer is there, but above the memory in use.
  char frame[stack_bytes];
  take_turns(frame, 3);
  take_turns(fixed, 3);
  char* const heap = malloc(stack_bytes);
  take_turns(heap, 3);
  char* const mapped =
      mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  CHECK(mapped != MAP_FAILED);
  take_turns(mapped, 3);
  CHECK(munmap(mapped, stack_bytes) == 0);
  Coroutine outer;
  start(&outer, heap, nest, 0);
  go_on(&outer);
  free(heap);
  // This stack has a guard, which keeps the rank on its PE.
  char* const guarded =
      mmap(NULL, stack_bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(guarded != MAP_FAILED && mprotect(guarded, 4096, PROT_NONE) == 0);
  take_turns(guarded + 4096, 3);
  CHECK(munmap(guarded, stack_bytes + 4096) == 0);
  finish("own_stacks");
  return 0;
}
