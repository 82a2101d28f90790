// SPDX-License-Identifier: Apache-2.0
// The dynamic section of an ELF file and the tables that it names.
#pragma once

namespace skein::image {

class ElfFile;
class ElfReader;

/// Fills in what the dynamic section says: needed libraries, symbols, relocations, constructors. The
/// segments of `file` have been read. Throws skein::Error when a table is damaged or a relocation is of a
/// kind that Skein can not apply.
void read_dynamic_section(const ElfReader& reader, ElfFile& file);

}  // namespace skein::image
