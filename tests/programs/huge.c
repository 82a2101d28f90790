// SPDX-License-Identifier: Apache-2.0
// `huge`: with --huge-pages 32M a large heap asks for huge pages on whichever PE its rank is, and a small one
// nowhere. Written memory keeps its contents, and other memory reads as zero.
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { mib = 1 << 20, large_bytes = 48 * mib, small_bytes = 3 * mib, stride = 40000 };

/// Returns true if this process has asked for huge pages at `address`.
static int asks(const void* address) {
  FILE* const file = fopen("/proc/self/smaps", "r");
  CHECK(file);
  char line[512];
  int inside = 0, found = -1;
  while (found < 0 && fgets(line, sizeof line, file)) {
    unsigned long begin, end;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      inside = begin <= (unsigned long)address && (unsigned long)address < end;
    if (inside && !strncmp(line, "VmFlags:", 8)) found = strstr(line, " hg") != NULL;
  }
  fclose(file);
  return found;
}

static void look(const unsigned char* data, long bytes, int round) {
  for (long i = 0; i < bytes; ++i)
    CHECK(data[i] == (i % stride ? 0 : (unsigned char)(my_rank + i / stride + round)));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int can_ask = access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0;
  const int is_large = my_rank % 2 == 0;
  const long bytes = is_large ? large_bytes : small_bytes;
  unsigned char* const data = calloc(1, (size_t)bytes);
  CHECK(data);
  for (int round = 0; round < 3; ++round) {
    for (long i = 0; i < bytes; i += stride) data[i] = (unsigned char)(my_rank + i / stride + round);
    maybe_move();
    if (can_ask) CHECK(asks(data + bytes / 2) == is_large);
    maybe_move();
    look(data, bytes, round);
  }
  free(data);
  finish("huge");
  return 0;
}
