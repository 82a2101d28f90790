// SPDX-License-Identifier: Apache-2.0
// The variable `stdin`: each rank reads its own stream.
#include <stdio.h>

#undef stdin
void skein_private_stdin(FILE** variable);

FILE* stdin;

__attribute__((constructor)) static void give_stream(void) { skein_private_stdin(&stdin); }
