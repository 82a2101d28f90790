// SPDX-License-Identifier: Apache-2.0
// Loads the module around SimGrid. The build tells whether the module was made, and loading whether it works.
#include <dlfcn.h>

#include "lb/simulate/network.hpp"

#define SKEIN_SIMULATE_TEXT_OF(macro) #macro
#define SKEIN_SIMULATE_TEXT(macro) SKEIN_SIMULATE_TEXT_OF(macro)

namespace skein::simulate {
namespace {

using Make = decltype(&SKEIN_SIMULATE_SIMGRID);

Make load() {
  if (!SKEIN_SIMULATE_HAVE_SIMGRID)
    throw SimulationError(
        "the simgrid network needs SimGrid, which this build lacks; install libsimgrid-dev and build again, "
        "or use the fast network");
  void* const module = dlopen("libskein_simulate_simgrid.so", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = module ? dlsym(module, SKEIN_SIMULATE_TEXT(SKEIN_SIMULATE_SIMGRID)) : nullptr;
  if (symbol == nullptr)
    throw SimulationError(
        std::string("the simgrid network needs SimGrid (Debian's libsimgrid3.32), whose module cannot be "
                    "loaded: ") +
        dlerror());
  return reinterpret_cast<Make>(symbol);
}

}  // namespace

std::unique_ptr<Network> make_simgrid_network(const Platform& platform) {
  // The module is loaded once and stays.
  static const Make make = load();
  return std::unique_ptr<Network>(make(platform));
}

}  // namespace skein::simulate
