// SPDX-License-Identifier: Apache-2.0
// The MPI functions of the launcher by the names by which programs refer to them: C's, Fortran's, and the
// profiling names of both. For the image loader (image::ProgramOptions::overrides).
#pragma once

#include <span>

#include "runtime/libc/override.hpp"

namespace skein::vmpi {

using ApiSymbol = libc::Override;

/// Static data; has each name once.
extern const std::span<const ApiSymbol> api_symbols;

}  // namespace skein::vmpi
