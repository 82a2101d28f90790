// SPDX-License-Identifier: Apache-2.0
// The functions that leave the sign of the gamma function in the variable `signgam` (POSIX lgamma()).
#define _DEFAULT_SOURCE
#include <math.h>

int signgam;
extern int __signgam __attribute__((alias("signgam")));

double lgamma(double x) { return lgamma_r(x, &signgam); }
float lgammaf(float x) { return lgammaf_r(x, &signgam); }
long double lgammal(long double x) { return lgammal_r(x, &signgam); }
double gamma(double x) { return lgamma(x); }
float gammaf(float x) { return lgammaf(x); }
long double gammal(long double x) { return lgammal(x); }
