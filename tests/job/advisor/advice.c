/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of the advisor, on any number of processes: process 0 has all the work. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skein/advisor.h"

static int here, processes;

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "process %d, line %d: not so: %s (%s)\n", here, __LINE__, #condition, \
              skein_advisor_error());                                                       \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
    }                                                                                       \
  } while (0)

enum { COUNT = 6 };
static skein_advisor_element elements[COUNT];
static skein_advice advice;
static int process[COUNT];

static int ask(skein_advisor* advisor, const skein_advisor_edge* edges, size_t edge_count) {
  memset(process, -1, sizeof process);
  return skein_advisor_advise(advisor, elements, here == 0 ? COUNT : 0, edges, edge_count, NULL, 1, &advice,
                              process);
}

/* Six elements of weight 1 that took 6 s on process 0: 1 s each. On 1, 2 or 3 processes they can be dealt
 * out evenly, which gains 6 s - 6 s / processes in each of the 1000 steps of the horizon. The imbalance g
 * is processes - 1; of a gain that was seen once, the advisor believes g^2 / (g^2 + 0.1^2)
 * (skein/lb/drift.hpp). */
static void check_advice(skein_advisor* advisor) {
  CHECK(skein_advisor_add_work(advisor, here == 0 ? 6 : 0) == 0);
  CHECK(ask(advisor, NULL, 0) == 0);
  CHECK(fabs(advice.imbalance_percent - 100.0 * (processes - 1)) < 1e-9);
  CHECK(fabs(advice.modelled_imbalance_percent - advice.imbalance_percent) < 1e-9);
  CHECK(advice.rmse < 1e-9);
  CHECK(advice.balance == (processes > 1));
  CHECK((strcmp(advice.strategy, "none") != 0) == (processes > 1));
  CHECK(fabs(advice.imbalance_after_percent) < 1e-9);
  const double most = 1000 * (6 - 6.0 / processes);
  const double square = (processes - 1.0) * (processes - 1.0), believed = square / (square + 0.01);
  CHECK(advice.gain_s <= most && advice.gain_s >= 0.999 * believed * most - 1e-9);
  int dealt[16] = {0};
  for (int k = 0; here == 0 && k < COUNT; ++k) {
    CHECK(process[k] >= 0 && process[k] < processes);
    ++dealt[process[k]];
  }
  for (int p = 0; here == 0 && p < processes; ++p) CHECK(dealt[p] == COUNT / processes);
  CHECK(skein_advisor_moved(advisor, 1e-3) == 0);
}

/* Checks that a mistake of one process is an error on all, with a reason, and that the advisor then works
   as before. */
static void check_refused(skein_advisor* advisor, const skein_advisor_edge* edges, size_t edge_count,
                          const char* reason) {
  CHECK(skein_advisor_add_work(advisor, 1) == 0);
  CHECK(ask(advisor, edges, edge_count) == -1);
  CHECK(strstr(skein_advisor_error(), reason) != NULL);
}

static void check_bad_input(skein_advisor* advisor) {
  elements[2].weight = -1;
  check_refused(advisor, NULL, 0, "weight");
  elements[2].weight = NAN;
  check_refused(advisor, NULL, 0, "weight");
  elements[2].weight = 1;
  elements[2].id = 3;
  check_refused(advisor, NULL, 0, "element 3 was given twice");
  elements[2].id = 2;
  const skein_advisor_edge nowhere = {1, 77, 8};
  check_refused(advisor, &nowhere, here == 0, "from element 1 to 77");
  const float place[3 * COUNT] = {1, 2, INFINITY};
  CHECK(skein_advisor_advise(advisor, elements, here == 0 ? COUNT : 0, NULL, 0, place, 1, &advice, process) ==
        -1);
  CHECK(strstr(skein_advisor_error(), "position that is not finite") != NULL);
  CHECK(processes == 1 || skein_advisor_advise(advisor, elements, here == 0 ? COUNT : 0, NULL, 0, NULL,
                                               here == 0 ? 1 : 2, &advice, process) == -1);
  CHECK(processes == 1 || strstr(skein_advisor_error(), "process 1 measured 2 steps") != NULL);
  CHECK(skein_advisor_add_work(advisor, here == processes - 1 ? NAN : 0) == 0);
  CHECK(ask(advisor, NULL, 0) == -1);
}

/* Elements 0 to 2 interact, and 3 to 5; the last process reports the latter. On two processes each group
 * is to stay together, on either of the two. */
static void check_interactions(void) {
  skein_advisor* advisor = NULL;
  CHECK(skein_advisor_create_with(MPI_COMM_WORLD, 1000, "hyperr", &advisor) == -1);
  CHECK(strstr(skein_advisor_error(), "did you mean hyper") != NULL);
  if (skein_advisor_create_with(MPI_COMM_WORLD, 1000, "hyper", &advisor) != 0) {
    CHECK(strstr(skein_advisor_error(), "needs Zoltan, which this build lacks") != NULL);
    return;
  }
  const size_t first[] = {0, 3};
  const uint64_t groups[2][3] = {{2, 0, 1}, {3, 4, 5}}, nobodys[] = {0, 1, 77};
  const double bytes = 100;
  CHECK(skein_advisor_add_work(advisor, here == 0 ? 6 : 0) == 0);
  if (here == 0) CHECK(skein_advisor_tell_interactions(advisor, 1, first, groups[0], &bytes) == 0);
  const int last = processes - 1;
  if (here == last && last > 0)
    CHECK(skein_advisor_tell_interactions(advisor, 1, first, groups[1], &bytes) == 0);
  CHECK(ask(advisor, NULL, 0) == 0);
  CHECK(advice.balance == (processes > 1));
  CHECK((strcmp(advice.strategy, "hyper") == 0) == (processes > 1));
  if (here == 0 && processes == 2) {
    CHECK(process[0] == process[1] && process[1] == process[2]);
    CHECK(process[3] == process[4] && process[4] == process[5] && process[3] == 1 - process[0]);
  }
  /* The interactions counted for that call alone. */
  CHECK(skein_advisor_add_work(advisor, 1) == 0);
  CHECK(ask(advisor, NULL, 0) == -1);
  CHECK(strstr(skein_advisor_error(), "needs the interactions") != NULL);
  if (here == last) CHECK(skein_advisor_tell_interactions(advisor, 1, first, nobodys, &bytes) == 0);
  CHECK(ask(advisor, NULL, 0) == -1);
  CHECK(strstr(skein_advisor_error(), "interaction 0 joins element 77, which no process gave") != NULL);
  CHECK(skein_advisor_free(&advisor) == 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  for (int k = 0; k < COUNT; ++k) elements[k] = (skein_advisor_element){(uint64_t)k, 1, 1000};
  skein_advisor* advisor = NULL;
  CHECK(skein_advisor_create(MPI_COMM_WORLD, 1000, &advisor) == 0);
  check_advice(advisor);
  check_bad_input(advisor);
  check_advice(advisor);

  /* No process has an element, so there is no advice. */
  CHECK(skein_advisor_advise(advisor, NULL, 0, NULL, 0, NULL, 1, &advice, process) == 0);
  CHECK(!advice.balance && strcmp(advice.strategy, "none") == 0);

  CHECK(skein_advisor_begin_work(advisor) == 0 && skein_advisor_end_work(advisor) == 0);
  CHECK(skein_advisor_free(&advisor) == 0 && advisor == NULL);
  check_interactions();
  MPI_Finalize();
  return 0;
}
