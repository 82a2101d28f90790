// SPDX-License-Identifier: Apache-2.0
// Exceptions in private images. The unwinder asks _dl_find_object() for the table of the code at an address;
// the launcher exports one that answers for slots by arithmetic, whatever the number of ranks (registering
// tables with __register_frame() took 8.5 us a throw at 1,000 ranks, this takes 0.8), and passes other
// addresses on. It must be linked into the launcher itself, with its symbols exported.
#pragma once

#include <span>

#include "runtime/libc/override.hpp"

namespace skein::image {

/// Returns _dl_find_object and dl_iterate_phdr for unwinders that programs were linked with statically. The
/// latter lists the process's objects, then the images of the rank that runs.
std::span<const libc::Override> unwind_overrides();

}  // namespace skein::image
