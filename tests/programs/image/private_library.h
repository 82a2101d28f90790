/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKEIN_TEST_PRIVATE_LIBRARY_H
#define SKEIN_TEST_PRIVATE_LIBRARY_H
extern int lower_state;
extern int* lower_pointer;
extern __thread int lower_local;
int lower_is_constructed(void);
int upper_add(int amount);
int upper_local(void);
#endif
