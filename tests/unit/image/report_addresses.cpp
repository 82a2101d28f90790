// SPDX-License-Identifier: Apache-2.0
// Settles its address space and prints how, with what two processes must agree on:  METHOD FINGERPRINT
// ADDRESS where ADDRESS is of a function of the C library.
#include <dlfcn.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "runtime/image/address_space.hpp"

int main(int, char** argv) {
  using skein::image::AddressSpaceState;
  const AddressSpaceState state = skein::image::settle_address_space(argv);
  static const char* const names[] = {"fixed-before", "personality", "boot", "none"};
  if (!state.obstacle.empty()) fprintf(stderr, "%s\n", state.obstacle.c_str());
  printf("%s %016" PRIx64 " %p\n", names[static_cast<int>(state.method)], skein::image::address_fingerprint(),
         dlsym(RTLD_DEFAULT, "qsort"));
  return 0;
}
