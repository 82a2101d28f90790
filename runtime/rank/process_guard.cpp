// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/process_guard.hpp"

#include "runtime/rank/switch.hpp"

namespace skein {

void use_process_guards() {
  const unsigned long own = scheduling::scheduler->pe_pointer_guard;
  if (own) set_pointer_guard(own);
}

ProcessGuardScope::ProcessGuardScope() : saved_(pointer_guard()) { use_process_guards(); }
ProcessGuardScope::~ProcessGuardScope() { set_pointer_guard(saved_); }

}  // namespace skein
