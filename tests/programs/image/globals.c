/* SPDX-License-Identifier: Apache-2.0
   Private data of a C program: initialised, zero, constant tables of addresses, pointers to functions,
   setjmp, thread-local variables, variables copied from the C library. */
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static int counter;
int exported = 41;
int* pointer_to_exported = &exported;
static double zeroes[20000];
static const char* const names[] = {"zero", "one", "two"};

static int add_one(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int (*functions[])(int) = {add_one, twice};

__thread int local_number = 7;
__thread int* local_pointer = &exported; /* its initial value is relocated */
static __thread char local_text[40] = "thread-local";
static __thread double local_zero;
extern __thread int other_file_number; /* globals_other.c */
int* address_of_other_file_number(void);

static int* constructed;
__attribute__((constructor)) static void construct(int argc, char** argv, char** environment) {
  EXPECT(argc == 2 && strcmp(argv[1], "argument") == 0 && environment != 0);
  constructed = &counter;
  skein_test_reached("constructor");
}
__attribute__((destructor)) static void destruct(void) { skein_test_reached("destructor"); }

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

/* Is noinline and has an array, so that a stack protector is verified after the switches. */
__attribute__((noinline)) static int recurse(int depth) {
  volatile char pad[1000];
  pad[0] = (char)depth;
  pad[999] = (char)depth;
  if (depth == 0) {
    skein_test_yield();
    return 0;
  }
  const int below = recurse(depth - 1);
  return below + (pad[0] == (char)depth && pad[999] == (char)depth);
}

int main(int argc, char** argv) {
  const int rank = skein_test_rank();
  static jmp_buf environment;
  skein_test_reached("main");
  EXPECT(argc == 2 && argv[2] == 0);
  EXPECT(constructed == &counter);
  EXPECT(local_number == 7 && local_zero == 0 && strcmp(local_text, "thread-local") == 0);
  EXPECT(local_pointer == &exported);
  EXPECT(other_file_number == 1234);

  int* const address = &local_number;
  for (int round = 0; round < 20; ++round) {
    counter += rank + 1;
    exported = rank;
    zeroes[100 * round] = rank;
    local_number = 100 * rank + round;
    local_zero += 0.5;
    other_file_number = rank;
    snprintf(local_text, sizeof local_text, "rank %d", rank);
    errno = 1000 + rank;
    const int jumped = setjmp(environment);
    if (jumped == 0) {
      EXPECT(recurse(20) == 20);
      EXPECT(errno == 1000 + rank);
      longjmp(environment, round + 1);
    }
    EXPECT(jumped == round + 1);
    EXPECT(counter == (rank + 1) * (round + 1));
    EXPECT(*pointer_to_exported == rank);
    EXPECT(zeroes[100 * round] == rank && zeroes[100 * round + 1] == 0);
    EXPECT(*address == 100 * rank + round);
    EXPECT(local_zero == 0.5 * (round + 1));
    EXPECT(other_file_number == rank && *address_of_other_file_number() == rank);
    char expected[40];
    snprintf(expected, sizeof expected, "rank %d", rank);
    EXPECT(strcmp(local_text, expected) == 0);
    EXPECT(strcmp(names[1], "one") == 0 && functions[0](1) == 2 && functions[1](4) == 8);
    int values[64];
    for (int i = 0; i < 64; ++i) values[i] = i * 37 % 64;
    qsort(values, 64, sizeof values[0], compare); /* the C library calls back */
    for (int i = 0; i < 64; ++i) EXPECT(values[i] == i);
  }
  fprintf(stdout, "rank %d: %d\n", rank, counter);
  return 0;
}
