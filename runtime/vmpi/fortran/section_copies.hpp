// SPDX-License-Identifier: Apache-2.0
// Contiguous copies that replace array sections in one operation. In the rank's slot.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "runtime/vmpi/fortran/section.hpp"
#include "runtime/vmpi/fortran/sections.hpp"

namespace skein::vmpi::fortran {

/// The contiguous copy of one section.
struct SectionCopy {
  SectionCopy(const Descriptor& descriptor, Side which) : section(descriptor), side(which) {}
  Section section;
  Side side;
  std::byte* bytes = nullptr;
  /// The bytes at the start, if the program may change the section during the operation: only changed bytes
  /// are written back.
  std::byte* before = nullptr;
};

struct SectionCopies {
  static constexpr int most = 2;
  std::pmr::memory_resource* memory;
  int count = 0;
  SectionCopy* of[most] = {};
  /// Makes a copy, filled in. `keeps`: the program goes on while the operation runs.
  std::byte* add(const Descriptor& descriptor, Side side, bool keeps);
  void fill_in();
  void write_back();
};

SectionCopies& make_copies(std::pmr::memory_resource& memory);
void free_copies(SectionCopies& copies);

/// Returns a request that does what `inner` does with the copies, which it takes over, and then writes them
/// back. Started if `inner` is active, else persistent like `inner`. Called from a rank; may switch.
MPI_Request follow_with_copies(MPI_Request inner, bool persistent, SectionCopies& copies);

}  // namespace skein::vmpi::fortran
