/* SPDX-License-Identifier: Apache-2.0
   What the runner (tests/unit/image/run_ranks.cpp) offers to the programs that it loads. They are linked
   against a stub under the name of Skein's MPI library, as MPI programs are. */
#ifndef SKEIN_TEST_HARNESS_H
#define SKEIN_TEST_HARNESS_H
#ifdef __cplusplus
extern "C" {
#endif

int skein_test_rank(void);
/* Runs all other ranks; then makes the rank go through what happens at an arrival from another PE. */
void skein_test_yield(void);
void skein_test_fail(const char* file, int line, const char* condition);
/* Tells the runner that the rank's program came to a place; it checks the order. */
void skein_test_reached(const char* place);

#ifdef __cplusplus
}
#endif
#define EXPECT(condition) ((condition) ? (void)0 : skein_test_fail(__FILE__, __LINE__, #condition))
#endif
