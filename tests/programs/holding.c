/* SPDX-License-Identifier: Apache-2.0
 * holding: rank r writes r + 1 MiB of a static array of 8 MiB and nothing of 16 MiB that it allocates, and
 * meets a sync point; writes 3 MiB more, allocated by three calls, and meets the second; frees one of these,
 * and meets the third. */
#include <string.h>

#include "check.h"

enum { mib = 1 << 20 };
int MPI_Migrate(void);
static char table[8 * mib];

int main(int argc, char** argv) {
  begin(&argc, &argv);
  memset(table, 1, (size_t)(my_rank + 1) * mib);
  char* volatile reserve = malloc(16 * mib);
  MPI_Migrate();
  char* more[3];
  for (int i = 0; i < 3; ++i) memset(more[i] = malloc(mib), 1, mib);
  MPI_Migrate();
  free(more[0]);
  MPI_Migrate();
  free(more[1]);
  free(more[2]);
  free(reserve);
  MPI_Finalize();
  return 0;
}
