// SPDX-License-Identifier: Apache-2.0
// `environ` under its three names. A program that was linked to copy the variable has it in its own data: the
// name then stands for that place, and not for the one defined here.
#include <stddef.h>

void skein_private_environ(char*** variable);

static char** definition;
extern char** environ __attribute__((alias("definition")));
extern char** __environ __attribute__((alias("definition")));
extern char** _environ __attribute__((alias("definition")));

__attribute__((constructor)) static void give_environment(void) {
  char*** const names[] = {&environ, &__environ, &_environ};
  char*** used = &definition;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i] != &definition) used = names[i];
  skein_private_environ(used);
  environ = __environ = _environ = *used;
}
