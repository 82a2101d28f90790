// SPDX-License-Identifier: Apache-2.0
// Reads a datatype's construction as a typemap: each type is a list of parts, each a vector of blocks of one
// inner type, in the order of the standard's typemap, which is the order of packing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// A part: `count` blocks at offset, offset + stride, ...; each of `blocklength` inner instances, one inner
/// extent apart.
struct BlockRun {
  std::int64_t offset;
  std::int64_t count;
  std::int64_t stride;
  std::int64_t blocklength;
  const Datatype* inner;
};

namespace detail {
/// Multiplies user-given numbers. Saturates: overflows are far outside the bounds that the constructors
/// accept, so they refuse them (see check_bounds in construct.cpp).
inline std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}
}  // namespace detail

/// Calls visit(const BlockRun&) -> bool for the non-empty parts of a non-scalar type until one returns false.
template <class Visit>
void for_each_run(const Datatype& type, Visit&& visit) {
  const Construction& c = type.construction();
  const auto& args = c.args;
  const auto part = [&](std::int64_t offset, std::int64_t count, std::int64_t stride,
                        std::int64_t blocklength, const Datatype* inner) {
    return count <= 0 || blocklength <= 0 || visit(BlockRun{offset, count, stride, blocklength, inner});
  };
  if (c.lowered != nullptr) {
    part(0, 1, 0, 1, c.lowered);
    return;
  }
  const Datatype* inner = c.inner.empty() ? nullptr : c.inner[0];
  using detail::saturating_product;
  switch (c.combiner) {
    case MPI_COMBINER_NAMED:  // a pair
      if (part(0, 1, 0, 1, inner)) part(args[0], 1, 0, 1, c.inner[1]);
      break;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      part(0, 1, 0, 1, inner);
      break;
    case MPI_COMBINER_CONTIGUOUS:
      part(0, 1, 0, args[0], inner);
      break;
    case MPI_COMBINER_VECTOR:
      part(0, args[0], saturating_product(args[2], inner->extent()), args[1], inner);
      break;
    case MPI_COMBINER_HVECTOR:
      part(0, args[0], args[2], args[1], inner);
      break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT: {
      const std::int64_t n = args[0];
      const std::int64_t* lengths = args.data() + 1;
      const std::int64_t* offsets = lengths + n;
      const std::int64_t unit = c.combiner == MPI_COMBINER_INDEXED && inner != nullptr ? inner->extent() : 1;
      for (std::int64_t i = 0; i < n; ++i) {
        const Datatype* of = c.combiner == MPI_COMBINER_STRUCT ? c.inner[static_cast<std::size_t>(i)] : inner;
        if (!part(saturating_product(offsets[i], unit), 1, 0, lengths[i], of)) return;
      }
      break;
    }
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: {
      const std::int64_t n = args[0];
      const std::int64_t unit = c.combiner == MPI_COMBINER_INDEXED_BLOCK ? inner->extent() : 1;
      for (std::int64_t i = 0; i < n; ++i)
        if (!part(saturating_product(args[static_cast<std::size_t>(2 + i)], unit), 1, 0, args[1], inner))
          return;
      break;
    }
    default:
      SKEIN_CHECK(false, "combiner %d has no typemap", c.combiner);
  }
}

/// Calls visit(const BasicType&, offset, n) for runs of n equal elements side by side, over `count` instances
/// of `type`, the first at `offset` and the others `stride` bytes apart.
template <class Visit>
void for_each_run(const Datatype& type, std::int64_t offset, std::int64_t count, std::int64_t stride,
                  Visit&& visit) {
  if (type.scalar()) {
    if (stride == type.size()) {
      visit(*type.basic(), offset, count);
    } else {
      for (std::int64_t i = 0; i < count; ++i) visit(*type.basic(), offset + i * stride, std::int64_t{1});
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    for_each_run(type, [&](const BlockRun& p) {
      for (std::int64_t k = 0; k < p.count; ++k)
        for_each_run(*p.inner, offset + i * stride + p.offset + k * p.stride, p.blocklength,
                     p.inner->extent(), visit);
      return true;
    });
}

}  // namespace skein::vmpi
