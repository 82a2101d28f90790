// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/upcalls.hpp"

namespace skein {

Upcalls upcalls;
int own_pe = 0;

}  // namespace skein
