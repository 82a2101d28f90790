// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/section_types.hpp"

#include <algorithm>

#include "runtime/vmpi/handles.hpp"

namespace skein::vmpi::fortran {
namespace {

std::size_t hash(const Section& section, std::int64_t count, MPI_Datatype handle) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t h = handle_value(handle) ^ static_cast<std::uint64_t>(count) * odd;
  for (int i = 0; i < section.rank; ++i) {
    h = (h ^ static_cast<std::uint64_t>(section.dimensions[i].extent)) * odd;
    h = (h ^ static_cast<std::uint64_t>(section.dimensions[i].step)) * odd;
  }
  return (h ^ static_cast<std::uint64_t>(section.piece)) * odd >> 32;
}

}  // namespace

bool SectionTypes::Kept::is(const Section& section, std::int64_t of_count, MPI_Datatype of) const {
  return type && handle == of && count == of_count && piece == section.piece && rank == section.rank &&
         std::equal(dimensions, dimensions + rank, section.dimensions,
                    [](const Section::Dimension& a, const Section::Dimension& b) {
                      return a.extent == b.extent && a.step == b.step;
                    });
}

int SectionTypes::get(const Section& section, std::int64_t count, MPI_Datatype handle, const Datatype& type,
                      Datatype** out) {
  const bool is_named = handle_value(handle) < kFirstDynamicHandle;
  if (!is_named || section.rank > most_dimensions)
    return make_section_type(memory_, section, count, type, out);
  Kept& kept = kept_[hash(section, count, handle) % most];
  if (!kept.is(section, count, handle)) {
    if (const int error = make_section_type(memory_, section, count, type, out); error != MPI_SUCCESS)
      return error;
    if (kept.type) kept.type->release();
    kept = {*out, handle, count, section.piece, section.rank, {}};
    std::copy_n(section.dimensions, section.rank, kept.dimensions);
  }
  kept.type->retain();
  *out = kept.type;
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi::fortran
