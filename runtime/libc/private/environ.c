// SPDX-License-Identifier: Apache-2.0
// `environ` under its three names. A program that was linked to copy the variable has it in its own data: the
// name then stands for that place, and not for the one defined here.
void skein_private_environ(char*** variable);

static char** definition;
extern char** environ __attribute__((alias("definition")));
extern char** __environ __attribute__((alias("definition")));
extern char** _environ __attribute__((alias("definition")));

__attribute__((constructor)) static void give_environment(void) {
  char*** used = &environ;
  if (used == &definition) used = &__environ;
  if (used == &definition) used = &_environ;
  skein_private_environ(used);
  environ = __environ = _environ = *used;
}
