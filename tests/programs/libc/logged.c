// SPDX-License-Identifier: Apache-2.0
// `logged`: ranks of one PE write to the system's log in turns, each under the name and with the mask that it
// has set. With LOG_PERROR the lines come to standard error, too.
#include <syslog.h>

#include "../check.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  char name[32];
  snprintf(name, sizeof name, "logged-%d", my_rank);
  openlog(name, LOG_PERROR, LOG_USER);
  setlogmask(my_rank % 2 ? LOG_UPTO(LOG_ERR) : LOG_UPTO(LOG_DEBUG));
  for (int turn = 0; turn < rank_count; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != my_rank) continue;
    syslog(LOG_ERR, "error %d", 10 * my_rank);
    syslog(LOG_DEBUG, "detail %d", 10 * my_rank);
  }
  closelog();
  finish("logged");
  return 0;
}
