// SPDX-License-Identifier: Apache-2.0
// The parts of the C++ standard library that the ranks of a process share, and those that they do not.
#pragma once

#include <span>
#include <string_view>

namespace skein::image {

/// Makes the library allocate now, on the process's heap, what it otherwise allocates at first use and keeps:
/// the standard streams and the locale's tables for numbers. At first use these would come from a slot and go
/// away with it: a PE that never started a rank crashed in `ostream << int` when one arrived. Called before
/// any rank exists, and before the streams are copied.
void prepare_cxx_library();

/// Returns the names of the standard stream objects. Each rank has its own, with its own precision, fill and
/// error state, over the stream buffers of the process. Executables have copies of them anyhow when compilers
/// address them directly; the loader gives the same to images that reach them through the global offset
/// table.
std::span<const std::string_view> standard_streams();

}  // namespace skein::image
