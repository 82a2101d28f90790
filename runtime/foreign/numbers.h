/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that both MPIs have and that differ. A number without a row is passed unchanged: ranks, tags, codes
 * that were added. */
#ifndef SKEIN_FOREIGN_NUMBERS_H
#define SKEIN_FOREIGN_NUMBERS_H

struct Number {
  int ours, theirs;
};

static inline int number_in(int number, const struct Number* rows, int count) {
  for (int i = 0; i < count; ++i)
    if (rows[i].theirs == number) return rows[i].ours;
  return number;
}
static inline int number_out(int number, const struct Number* rows, int count) {
  for (int i = 0; i < count; ++i)
    if (rows[i].ours == number) return rows[i].theirs;
  return number;
}

/* Converts sums of powers of two. A bit without a row is not passed. */
static inline int flags_in(int sum, const struct Number* rows, int count) {
  int here = 0;
  for (int i = 0; i < count; ++i)
    if (sum & rows[i].theirs) here |= rows[i].ours;
  return here;
}
static inline int flags_out(int sum, const struct Number* rows, int count) {
  int there = 0;
  for (int i = 0; i < count; ++i)
    if (sum & rows[i].ours) there |= rows[i].theirs;
  return there;
}

#endif
