// SPDX-License-Identifier: Apache-2.0
// `unbuffered`: rank 0 asks for unbuffered output, and prints pieces of lines: no piece waits in the stream,
// wherever the rank has moved.
#include <stdio_ext.h>

#include "check.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (my_rank == 0) {
    printf("begun before");
    CHECK(setvbuf(stdout, NULL, _IONBF, 0) == 0 && __fpending(stdout) == 0);
  }
  for (int piece = 0; piece < 20; ++piece) {
    maybe_move();
    if (my_rank != 0) continue;
    CHECK(printf(" %d", piece) > 0 && __fpending(stdout) == 0);
    CHECK(fputs(",", stdout) >= 0 && putchar('.') == '.' && __fpending(stdout) == 0);
  }
  if (my_rank == 0) printf("\n");
  finish("unbuffered");
  return 0;
}
