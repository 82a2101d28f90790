// SPDX-License-Identifier: Apache-2.0
// Variables of the C library of which each rank has its own.
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>

// `environ` under its three names. If a program was linked to copy the variable, the name stands for the copy
// in its own data, and not for the variable defined here.
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

// The functions that store the sign of the gamma function in the variable `signgam` (POSIX lgamma()).
int signgam;
extern int __signgam __attribute__((alias("signgam")));

double lgamma(double x) { return lgamma_r(x, &signgam); }
float lgammaf(float x) { return lgammaf_r(x, &signgam); }
long double lgammal(long double x) { return lgammal_r(x, &signgam); }
double gamma(double x) { return lgamma(x); }
float gammaf(float x) { return lgammaf(x); }
long double gammal(long double x) { return lgammal(x); }

// The variable `stdin`: each rank reads its own stream.
#undef stdin
void skein_private_stdin(FILE** variable);

FILE* stdin;

__attribute__((constructor)) static void give_stream(void) { skein_private_stdin(&stdin); }
