// SPDX-License-Identifier: Apache-2.0
// Each rank prints the stack canary and the pointer guard that it runs with. job/programs/secrets.sh compares
// them.
#include "check.h"

int main(int argc, char** argv) {
  unsigned long canary, pointer_guard;
  begin(&argc, &argv);
  __asm__ volatile("mov %%fs:0x28, %0" : "=r"(canary));
  __asm__ volatile("mov %%fs:0x30, %0" : "=r"(pointer_guard));
  printf("%016lx %016lx\n", canary, pointer_guard);
  MPI_Finalize();
  return 0;
}
