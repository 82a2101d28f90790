// SPDX-License-Identifier: Apache-2.0
// Sections as the library knows them; skein/section.hpp adds the types.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The name of a section: the PE that made it, and its number there.
struct SectionName {
  std::int32_t root = 0;
  std::uint32_t number = 0;
  std::uint32_t array = 0;
  std::uint32_t members = 0;
  bool operator==(const SectionName&) const = default;
};

/// Makes a section of the elements whose packed indices, of `index_bytes` bytes each, follow each other in
/// `indices`, in any order; duplicates count once. An index outside the array ends the job.
SectionName create_section(std::uint32_t array, std::vector<std::byte> indices, std::size_t index_bytes);

/// Releases the section; does nothing if it was released already.
void release_section(const SectionName& section);

void broadcast_to_section(const SectionName& section, const EntryInfo& entry, Bytes arguments);

/// Returns the next reduction that the element contributes to, on this PE; call flush_if_complete()
/// afterwards.
OpenReduction& open_section_reduction(const SectionName& section, Element& element,
                                      const ReducerInfo& reducer, const Destination& destination);
void flush_if_complete(const SectionName& section, const OpenReduction& reduction);

}  // namespace skein::chare
