/* SPDX-License-Identifier: Apache-2.0 */
/* A library of many.c; each rank has its own copy, which counts how often the rank has called PART. */
int PART(void);

int PART(void) {
  static int times;
  return ++times;
}
