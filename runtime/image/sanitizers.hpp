// SPDX-License-Identifier: Apache-2.0
// Programs that are built with a sanitizer.
#pragma once

#include "runtime/image/elf_file.hpp"

namespace skein::image {

/// Throws skein::Error, naming the sanitizer and what to do, if the file is built with one that cannot work
/// in ranks: whose runtime library describes all memory of a process in a shadow at fixed addresses, or knows
/// its threads by their stacks. UndefinedBehaviorSanitizer does neither.
void refuse_sanitizers(const ElfFile& file);

}  // namespace skein::image
