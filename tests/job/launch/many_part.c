/* SPDX-License-Identifier: Apache-2.0 */
/* A library of many.c, of which each rank has its own: how often the rank has called PART. */
int PART(void);

int PART(void) {
  static int times;
  return ++times;
}
