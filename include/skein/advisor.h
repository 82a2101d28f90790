/* SPDX-License-Identifier: Apache-2.0 */
/* Advice on load balance for MPI programs in C; advisor.hpp describes the functions, and which are
 * collective. All return 0, or -1 after an error, which skein_advisor_error() then describes. */
#ifndef SKEIN_ADVISOR_H
#define SKEIN_ADVISOR_H
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct skein_advisor skein_advisor;

typedef struct skein_advisor_element {
  uint64_t id;
  double weight;
  uint64_t bytes;
} skein_advisor_element;

typedef struct skein_advisor_edge {
  uint64_t from;
  uint64_t to;
  double bytes;
} skein_advisor_edge;

typedef struct skein_advice {
  int balance;       /* 1: move the elements to process[] */
  char strategy[32]; /* "none" where it is better not to balance */
  double gain_s;
  double imbalance_percent;
  double imbalance_after_percent;
  double modelled_imbalance_percent;
  double rank_correlation;
  double rmse;
  int awaited;         /* 1: no answer yet (SKEIN_MPMD=lazy) */
  int dropped;         /* 1: a late decision that was worse than staying */
  uint64_t calls_late; /* this answers the question of so many calls ago */
} skein_advice;

/* Creates an advisor. `horizon_steps` 0: as many steps as were measured. */
int skein_advisor_create(MPI_Comm comm, double horizon_steps, skein_advisor** advisor);
/* Creates an advisor that asks the strategy NAME[:key=value,...]; NULL or "": the model's choice. */
int skein_advisor_create_with(MPI_Comm comm, double horizon_steps, const char* strategy,
                              skein_advisor** advisor);
int skein_advisor_free(skein_advisor** advisor);

int skein_advisor_begin_work(skein_advisor* advisor);
int skein_advisor_end_work(skein_advisor* advisor);
int skein_advisor_add_work(skein_advisor* advisor, double seconds);

/* Gives interactions for the next skein_advisor_advise(): interaction h joins the elements, by id, from
 * element[first[h]] to before element[first[h + 1]]; every process that has one of them needs its bytes[h]
 * bytes. `first` has interaction_count + 1 entries. */
int skein_advisor_tell_interactions(skein_advisor* advisor, size_t interaction_count, const size_t* first,
                                    const uint64_t* element, const double* bytes);

/* Asks for advice. `positions` is NULL, or has three floats for each element. `process`, of `element_count`
 * places, receives the new process of each element. */
int skein_advisor_advise(skein_advisor* advisor, const skein_advisor_element* elements, size_t element_count,
                         const skein_advisor_edge* edges, size_t edge_count, const float* positions,
                         uint64_t steps, skein_advice* advice, int* process);
int skein_advisor_moved(skein_advisor* advisor, double seconds);

/* Returns the message of this thread's last error. */
const char* skein_advisor_error(void);

#ifdef __cplusplus
}
#endif
#endif
