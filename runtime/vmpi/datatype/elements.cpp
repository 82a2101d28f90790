// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/elements.hpp"

#include <algorithm>

#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

/// Walks along a type until a limit, of bytes or of elements by `measure`, is used up; counts the bytes and
/// elements passed. Passes whole inner types at once, so the cost grows with the parts on one path, not with
/// the elements.
struct Walk {
  enum class Measure { bytes, elements };
  Measure measure;
  std::int64_t left;
  std::int64_t bytes = 0;
  std::int64_t elements = 0;

  std::int64_t cost(const Datatype& type) const {
    return measure == Measure::bytes ? type.size() : type.signature().elements;
  }

  /// Passes as many whole instances as fit, at most `count`. Returns true if these are all.
  bool pass(const Datatype& type, std::int64_t count) {
    const std::int64_t each = cost(type);
    if (each == 0) return true;
    const std::int64_t whole = std::min(count, left / each);
    left -= whole * each;
    bytes += whole * type.size();
    elements += whole * type.signature().elements;
    return whole == count;
  }

  /// Passes at most `count` instances, the last one in part.
  void along(const Datatype& type, std::int64_t count) {
    if (pass(type, count) || type.scalar()) return;
    for_each_run(type, [&](const BlockRun& p) {
      const std::int64_t instances = p.count * p.blocklength;
      const bool all = left >= instances * cost(*p.inner);
      along(*p.inner, instances);
      return all;
    });
  }
};

}  // namespace

std::optional<std::int64_t> count_instances(const Datatype& type, std::int64_t bytes) {
  if (type.size() == 0) return bytes == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  if (bytes % type.size() != 0) return std::nullopt;
  return bytes / type.size();
}

std::optional<std::int64_t> count_elements(const Datatype& type, std::int64_t bytes) {
  if (type.size() == 0) return bytes == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  Walk walk{Walk::Measure::bytes, bytes};
  walk.along(type, INT64_MAX);
  return walk.left == 0 ? std::optional(walk.elements) : std::nullopt;
}

std::optional<std::int64_t> bytes_of_elements(const Datatype& type, std::int64_t elements) {
  if (type.size() == 0) return elements == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  Walk walk{Walk::Measure::elements, elements};
  walk.along(type, INT64_MAX);
  return walk.bytes;
}

}  // namespace skein::vmpi
