// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein::image {

/// Returns a number for the kind of processor that this process runs on, equal where libraries make the same
/// choices among their functions (family and model, instruction sets, the saved registers). Never 0. Computed
/// once; cpuid is slow in virtual machines.
std::uint64_t processor_signature();

}  // namespace skein::image
