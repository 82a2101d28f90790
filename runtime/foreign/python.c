/* SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter that ranks run in place of a python3 that cannot exist twice in a process: distributions
 * link theirs at a fixed address, and have a library with the same interpreter, which the launcher preloads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int (*const run)(int, char**) = (int (*)(int, char**))dlsym(RTLD_DEFAULT, "Py_BytesMain");
  if (run) return run(argc, argv);
  fprintf(stderr, "%s: libpython3 has no Py_BytesMain(): it is older than Python 3.8\n", argv[0]);
  return 1;
}
