// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein::image {

/// A number for the kind of processor that this process runs on: equal where libraries make the same choices
/// among their functions (family and model, instruction sets, what the system saves of the registers). Never
/// 0. Taken once; cpuid is slow in virtual machines.
std::uint64_t processor_signature();

}  // namespace skein::image
