/* SPDX-License-Identifier: Apache-2.0
   A library with state that calls no MPI: each rank has its own unless the user names it. */
int plain_next(void);
int plain_next(void) {
  static int count;
  return ++count;
}
