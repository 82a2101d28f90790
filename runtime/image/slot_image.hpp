// SPDX-License-Identifier: Apache-2.0
// How files get into the memory of a slot: code mapped, data filled in from a template.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/image/image.hpp"

namespace skein::image {

/// Throws skein::Error if the file was overwritten since it was read: its code must not be mapped any more.
void check_unchanged(ElfFile& file);
/// Maps the file's code; `bias` is what its addresses count from in memory. `whom` it is for, in errors:
/// "slot 3". Throws skein::Error at the system's limit of mappings.
void map_text(const ElfFile& file, std::byte* bias, const std::string& whom);
/// The code, as it is in the file; what lies behind the file's end is zero. Throws skein::Error.
std::vector<std::byte> read_text(const ElfFile& file, const TextRun& run);
/// Writes data and addresses. `base` is the slot's image base, here and below.
void fill(const SlotTemplate& slot_template, std::byte* base);
/// Calls the functions that choose functions by processor: of the slot's code, when all of it is filled.
void resolve_ifuncs(const SlotTemplate& slot_template, std::byte* base);
/// Where the last PE had another processor: what libraries choose by it is bound again.
void bind_by_processor(const SlotTemplate& slot_template, std::byte* base);

/// Makes what is read-only after relocation read-only, or writable again: on this PE, where it has to be done
/// anew when the rank arrives, and undone before it leaves. A system that refuses, at its limit of mappings,
/// leaves it writable.
void seal(const ElfFile& file, std::byte* bias);
void unseal(const ElfFile& file, std::byte* bias);

}  // namespace skein::image
