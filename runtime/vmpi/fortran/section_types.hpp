// SPDX-License-Identifier: Apache-2.0
// The types made last for sections, since programs send the same sections again and again: types of elements
// of a predefined type, in up to three dimensions with gaps. In the rank's slot.
#pragma once

#include "runtime/vmpi/fortran/section.hpp"

namespace skein::vmpi::fortran {

class SectionTypes {
 public:
  explicit SectionTypes(std::pmr::memory_resource& memory) : memory_(memory) {}

  /// Returns the type that make_section_type() makes, kept if possible, with a reference for the caller.
  /// `handle`: that of `type`.
  [[nodiscard]] int get(const Section& section, std::int64_t count, MPI_Datatype handle, const Datatype& type,
                        Datatype** out);

 private:
  static constexpr int most_dimensions = 3;
  static constexpr std::size_t most = 16;
  struct Kept {
    Datatype* type = nullptr;
    MPI_Datatype handle;
    std::int64_t count;
    std::int64_t piece;
    int rank;
    Section::Dimension dimensions[most_dimensions];
    bool is(const Section& section, std::int64_t of_count, MPI_Datatype of) const;
  };
  std::pmr::memory_resource& memory_;
  Kept kept_[most];  // by hash
};

}  // namespace skein::vmpi::fortran
