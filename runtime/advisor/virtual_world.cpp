// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/virtual_world.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace skein::advisor {

const VirtualWorld* virtual_world() {
  const auto of_library = reinterpret_cast<VirtualWorldFunction*>(dlsym(RTLD_DEFAULT, kVirtualWorldSymbol));
  const VirtualWorld* const world = of_library ? of_library() : nullptr;
  if (world && world->version != kVirtualWorldVersion)
    throw std::runtime_error("skein advisor: the program was built with another version of Skein (" +
                             std::to_string(kVirtualWorldVersion) + ") than libskein_mpmd.so (" +
                             std::to_string(world->version) +
                             "); build it again, or preload the library of its Skein");
  return world;
}

}  // namespace skein::advisor
