// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/vmpi/datatype/basic.hpp"
#include "runtime/vmpi/op/op.hpp"

namespace skein::vmpi {

/// The loop for an operation on a representation, or null where there is no such arithmetic. It does not ask
/// whether the standard allows it.
Kernel find_kernel(OpCode code, Rep rep);

}  // namespace skein::vmpi
