// SPDX-License-Identifier: Apache-2.0
// An independent reading of MPI 4.1, section 5.1: a datatype is a list of (basic type, displacement), written
// out in full, and every constructor is its formula over such lists. It is slow and plain, for comparison
// with the engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "skein/mpi/mpi.h"

namespace oracle {

struct Entry {
  enum What { data, lb_marker, ub_marker } what;
  std::int64_t displacement;
  std::int64_t size;
  std::int64_t alignment;
};

struct Typemap {
  std::vector<Entry> entries;

  static Typemap basic(std::int64_t size, std::int64_t alignment) {
    return {{{Entry::data, 0, size, alignment}}};
  }

  std::int64_t size() const {
    std::int64_t sum = 0;
    for (const Entry& e : entries) sum += e.what == Entry::data ? e.size : 0;
    return sum;
  }
  std::int64_t elements() const {
    return std::count_if(entries.begin(), entries.end(),
                         [](const Entry& e) { return e.what == Entry::data; });
  }
  bool has(Entry::What what) const {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.what == what; });
  }

  std::int64_t true_lb() const {
    std::int64_t least = INT64_MAX;
    for (const Entry& e : entries)
      if (e.what == Entry::data) least = std::min(least, e.displacement);
    return elements() == 0 ? 0 : least;
  }
  std::int64_t true_ub() const {
    std::int64_t most = INT64_MIN;
    for (const Entry& e : entries)
      if (e.what == Entry::data) most = std::max(most, e.displacement + e.size);
    return elements() == 0 ? 0 : most;
  }
  std::int64_t lb() const {
    if (!has(Entry::lb_marker)) return true_lb();
    std::int64_t least = INT64_MAX;
    for (const Entry& e : entries)
      if (e.what == Entry::lb_marker) least = std::min(least, e.displacement);
    return least;
  }
  std::int64_t ub() const {
    if (has(Entry::ub_marker)) {
      std::int64_t most = INT64_MIN;
      for (const Entry& e : entries)
        if (e.what == Entry::ub_marker) most = std::max(most, e.displacement);
      return most;
    }
    std::int64_t alignment = 1;
    for (const Entry& e : entries)
      if (e.what == Entry::data) alignment = std::max(alignment, e.alignment);
    std::int64_t extent = true_ub() - lb();
    while (extent % alignment != 0) ++extent;
    return lb() + extent;
  }
  std::int64_t extent() const { return ub() - lb(); }

  /// Appends `old` moved by `displacement`.
  void append(const Typemap& old, std::int64_t displacement) {
    for (Entry e : old.entries) {
      e.displacement += displacement;
      entries.push_back(e);
    }
  }

  static Typemap hvector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                         const Typemap& old) {
    Typemap made;
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t k = 0; k < blocklength; ++k) made.append(old, i * stride + k * old.extent());
    return made;
  }
  static Typemap contiguous(std::int64_t count, const Typemap& old) {
    return hvector(count, 1, old.extent(), old);
  }
  static Typemap vector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                        const Typemap& old) {
    return hvector(count, blocklength, stride * old.extent(), old);
  }
  template <class Numbers>
  static Typemap hindexed(const Numbers& blocklengths, const Numbers& displacements, const Typemap& old) {
    Typemap made;
    for (std::size_t i = 0; i < blocklengths.size(); ++i)
      for (std::int64_t k = 0; k < blocklengths[i]; ++k)
        made.append(old, displacements[i] + k * old.extent());
    return made;
  }
  template <class Numbers>
  static Typemap indexed(const Numbers& blocklengths, Numbers displacements, const Typemap& old) {
    for (auto& d : displacements) d = d * static_cast<std::int64_t>(old.extent());
    return hindexed(blocklengths, displacements, old);
  }
  template <class Numbers>
  static Typemap structure(const Numbers& blocklengths, const Numbers& displacements,
                           const std::vector<Typemap>& types) {
    Typemap made;
    for (std::size_t i = 0; i < types.size(); ++i)
      for (std::int64_t k = 0; k < blocklengths[i]; ++k)
        made.append(types[i], displacements[i] + k * types[i].extent());
    return made;
  }
  static Typemap resized(std::int64_t lb, std::int64_t extent, const Typemap& old) {
    Typemap made;
    for (const Entry& e : old.entries)
      if (e.what == Entry::data) made.entries.push_back(e);
    made.entries.push_back({Entry::lb_marker, lb, 0, 1});
    made.entries.push_back({Entry::ub_marker, lb + extent, 0, 1});
    return made;
  }

  /// Packs `count` instances, element by element.
  std::vector<std::byte> pack(const std::byte* origin, std::int64_t count) const {
    std::vector<std::byte> out;
    const std::int64_t apart = extent();
    for (std::int64_t i = 0; i < count; ++i)
      for (const Entry& e : entries) {
        if (e.what != Entry::data) continue;
        const std::byte* from = origin + i * apart + e.displacement;
        out.insert(out.end(), from, from + e.size);
      }
    return out;
  }
  /// Unpacks as many bytes as there are.
  void unpack(std::byte* origin, std::int64_t count, const std::vector<std::byte>& in) const {
    std::size_t position = 0;
    const std::int64_t apart = extent();
    for (std::int64_t i = 0; i < count; ++i)
      for (const Entry& e : entries) {
        if (e.what != Entry::data) continue;
        for (std::int64_t b = 0; b < e.size && position < in.size(); ++b)
          origin[i * apart + e.displacement + b] = in[position++];
      }
  }
};

}  // namespace oracle
