// SPDX-License-Identifier: Apache-2.0
// Sections as the library knows them; skein/section.hpp adds the types.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The name of a section: where it was made, and the how manieth there.
struct SectionName {
  std::int32_t root = 0;
  std::uint32_t number = 0;
  std::uint32_t array = 0;
  std::uint32_t members = 0;
  bool operator==(const SectionName&) const = default;
};

/// Makes a section of the elements whose packed indices follow each other in `indices`, each of `index_bytes`
/// bytes and in any order; one that is named twice is a member once. An index outside the array ends the job.
SectionName create_section(std::uint32_t array, std::vector<std::byte> indices, std::size_t index_bytes);

/// Nothing, if it was released already.
void release_section(const SectionName& section);

void broadcast_to_section(const SectionName& section, const EntryInfo& entry, Bytes arguments);

/// The reduction that the element contributes to next, on this PE; flush_if_complete() comes afterwards.
OpenReduction& open_section_reduction(const SectionName& section, Element& element,
                                      const ReducerInfo& reducer, const Destination& destination);
void flush_if_complete(const SectionName& section, const OpenReduction& reduction);

}  // namespace skein::chare
