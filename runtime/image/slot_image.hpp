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
/// Maps the file's code; `bias` is the base of its addresses in memory. `whom` says for errors who gets it:
/// "slot 3". Throws skein::Error at the system's limit of mappings.
void map_text(const ElfFile& file, std::byte* bias, const std::string& whom);
/// Returns the code of the file; bytes behind the file's end are zero. Throws skein::Error.
std::vector<std::byte> read_text(const ElfFile& file, const TextRun& run);
/// Writes data and addresses. `base` is the slot's image base, here and below.
void fill(const SlotTemplate& slot_template, std::byte* base);
/// Calls the functions of the slot's code that choose functions by processor, after all of it is filled.
void resolve_ifuncs(const SlotTemplate& slot_template, std::byte* base);
/// Binds again what libraries choose by processor, if the last PE had another one.
void bind_by_processor(const SlotTemplate& slot_template, std::byte* base);

/// Makes memory that is read-only after relocation read-only, or writable again. It holds for this PE: it is
/// done again when the rank arrives, and undone before it leaves. If the system refuses, at its limit of
/// mappings, the memory stays writable.
void seal(const ElfFile& file, std::byte* bias);
void unseal(const ElfFile& file, std::byte* bias);

}  // namespace skein::image
