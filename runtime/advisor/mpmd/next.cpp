// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/mpmd/next.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace skein::mpmd {

void* next_symbol(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) {
    std::fprintf(stderr,
                 "skein mpmd: the program calls %s, which no library behind libskein_mpmd.so has: the "
                 "program uses another MPI than the one that Skein was built with\n",
                 name);
    std::abort();
  }
  return found;
}

bool is_of_mpi(const char* name) {
  Dl_info function{}, of_mpi{};
  dladdr(next_symbol(name), &function);
  dladdr(next_symbol((std::string("P") + name).c_str()), &of_mpi);
  return function.dli_fbase == of_mpi.dli_fbase;
}

}  // namespace skein::mpmd
