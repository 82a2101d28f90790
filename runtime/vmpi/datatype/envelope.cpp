// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/envelope.hpp"

#include <algorithm>

namespace skein::vmpi {
namespace {

enum class ArgKind : std::uint8_t { integer, address, large_count };

/// Returns the kind of the `index`-th argument in the constructor with int arguments.
ArgKind small_kind(int combiner, std::int64_t index, const Construction& c) {
  switch (combiner) {
    case MPI_COMBINER_HVECTOR:         // count, blocklength, stride
    case MPI_COMBINER_HINDEXED_BLOCK:  // count, blocklength, displacements
      return index < 2 ? ArgKind::integer : ArgKind::address;
    case MPI_COMBINER_HINDEXED:  // count, blocklengths, displacements
    case MPI_COMBINER_STRUCT:
      return index < 1 + c.args[0] ? ArgKind::integer : ArgKind::address;
    case MPI_COMBINER_RESIZED:
      return ArgKind::address;
    default:
      return ArgKind::integer;
  }
}

ArgKind kind_of(std::int64_t index, const Construction& c) {
  if (!c.large) return small_kind(c.combiner, index, c);
  const auto last = static_cast<std::int64_t>(c.args.size()) - 1;
  switch (c.combiner) {
    case MPI_COMBINER_SUBARRAY:  // dimensions, sizes, subsizes, starts, order: the first and the last stay
                                 // ints
      return index == 0 || index == last ? ArgKind::integer : ArgKind::large_count;
    case MPI_COMBINER_DARRAY:  // processes, rank, dimensions, then the sizes of the array
      return index >= 3 && index < 3 + c.args[2] ? ArgKind::large_count : ArgKind::integer;
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
      return ArgKind::integer;
    default:
      return ArgKind::large_count;
  }
}

/// Returns true for named types: the parts that pairs keep for their typemap are no contents.
bool named(const Datatype& type) { return type.construction().combiner == MPI_COMBINER_NAMED; }

template <class Take>
void for_each_argument(const Datatype& type, Take&& take) {
  if (named(type)) return;
  const Construction& c = type.construction();
  for (std::size_t i = 0; i < c.args.size(); ++i) take(kind_of(static_cast<std::int64_t>(i), c), c.args[i]);
}

}  // namespace

ContentSizes content_sizes(const Datatype& type) {
  ContentSizes sizes;
  for_each_argument(type, [&](ArgKind kind, std::int64_t) {
    ++(kind == ArgKind::integer   ? sizes.ints
       : kind == ArgKind::address ? sizes.addresses
                                  : sizes.large_counts);
  });
  if (!named(type)) sizes.types = static_cast<std::int64_t>(type.construction().inner.size());
  return sizes;
}

void get_contents(const Datatype& type, std::span<int> ints, std::span<std::int64_t> addresses,
                  std::span<std::int64_t> large_counts, std::span<const Datatype*> types) {
  std::size_t i = 0, a = 0, l = 0;
  for_each_argument(type, [&](ArgKind kind, std::int64_t value) {
    switch (kind) {
      case ArgKind::integer:
        ints[i++] = static_cast<int>(value);
        break;
      case ArgKind::address:
        addresses[a++] = value;
        break;
      case ArgKind::large_count:
        large_counts[l++] = value;
        break;
    }
  });
  if (!named(type))
    std::copy(type.construction().inner.begin(), type.construction().inner.end(), types.begin());
}

}  // namespace skein::vmpi
