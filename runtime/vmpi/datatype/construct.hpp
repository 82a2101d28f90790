// SPDX-License-Identifier: Apache-2.0
// The constructors of derived datatypes. Each returns an MPI error class; on MPI_SUCCESS *out is a new type
// with one reference, in `memory`, not committed (a duplicate is committed if its original is). It references
// the inner types, so they live on when their owner frees them. Callable from anywhere, never switch.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// A user's array of int, or of MPI_Count or MPI_Aint.
class IntView {
 public:
  IntView(const int* data) : data_(data), wide_(false) {}
  IntView(const std::int64_t* data) : data_(data), wide_(true) {}
  std::int64_t operator[](std::int64_t i) const {
    return wide_ ? static_cast<const std::int64_t*>(data_)[i] : static_cast<const int*>(data_)[i];
  }
  bool wide() const { return wide_; }

 private:
  const void* data_;
  bool wide_;
};

/// The memory to allocate from, and whether the caller is the variant with MPI_Count arguments, which
/// get_contents tells apart.
struct MakeIn {
  std::pmr::memory_resource& memory;
  bool large = false;
};

[[nodiscard]] int make_contiguous(MakeIn in, std::int64_t count, const Datatype& old, Datatype** out);
/// `stride` counts extents of `old`.
[[nodiscard]] int make_vector(MakeIn in, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                              const Datatype& old, Datatype** out);
/// `stride` counts bytes, as displacements do in all h-variants.
[[nodiscard]] int make_hvector(MakeIn in, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                               const Datatype& old, Datatype** out);
[[nodiscard]] int make_indexed(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                               const Datatype& old, Datatype** out);
[[nodiscard]] int make_hindexed(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                                const Datatype& old, Datatype** out);
[[nodiscard]] int make_indexed_block(MakeIn in, std::int64_t count, std::int64_t blocklength,
                                     IntView displacements, const Datatype& old, Datatype** out);
[[nodiscard]] int make_hindexed_block(MakeIn in, std::int64_t count, std::int64_t blocklength,
                                      IntView displacements, const Datatype& old, Datatype** out);
[[nodiscard]] int make_struct(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                              const Datatype* const* types, Datatype** out);
[[nodiscard]] int make_resized(MakeIn in, std::int64_t lb, std::int64_t extent, const Datatype& old,
                               Datatype** out);
[[nodiscard]] int make_dup(MakeIn in, const Datatype& old, Datatype** out);

[[nodiscard]] int make_subarray(MakeIn in, int dimensions, IntView sizes, IntView subsizes, IntView starts,
                                int order, const Datatype& old, Datatype** out);
/// Makes the part of a distributed array that process `rank` of `processes` holds.
[[nodiscard]] int make_darray(MakeIn in, int processes, int rank, int dimensions, IntView sizes,
                              const int* distributions, const int* arguments, const int* grid, int order,
                              const Datatype& old, Datatype** out);

}  // namespace skein::vmpi
