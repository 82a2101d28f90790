// SPDX-License-Identifier: Apache-2.0
// Programs send the same sections again and again. So the types that were made for them last are kept: of
// elements of a predefined type, in up to three dimensions with gaps. In the rank's slot.
#pragma once

#include "runtime/vmpi/fortran/section.hpp"

namespace skein::vmpi::fortran {

class SectionTypes {
 public:
  explicit SectionTypes(std::pmr::memory_resource& memory) : memory_(memory) {}

  /// What make_section_type() makes, kept if it can be; with a reference for the caller. `handle`: of `type`.
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
