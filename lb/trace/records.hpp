// SPDX-License-Identifier: Apache-2.0
// The records of a file beside events, as the texts of their chunks. Readers throw TraceError.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

using Bytes = std::vector<std::uint8_t>;

/// The most that a file may have: a damaged file must not use up all memory.
inline constexpr std::size_t kMostObjects = std::size_t{1} << 20, kMostPes = kMostObjects;

/// Packs the header with the placement and labels of the first `objects` objects, those known at the start.
Bytes pack(const Header& header, std::size_t objects);
Header unpack_header(std::span<const std::uint8_t> text, std::size_t& objects, const std::string& called);

Bytes pack(const Communicator& communicator);
Communicator unpack_communicator(std::span<const std::uint8_t> text, std::size_t objects,
                                 const std::string& called);

Bytes pack(const RecordedStep& step);
RecordedStep unpack_step(std::span<const std::uint8_t> text, const std::string& called);

/// Packs nothing if the disturbance is not known.
Bytes pack(const Disturbance& disturbance);
Disturbance unpack_disturbance(std::span<const std::uint8_t> text, const std::string& called);

struct NameRecord {
  std::uint32_t number = 0;  // among the names of its writer
  std::string text;
};
Bytes pack(const NameRecord& name);
NameRecord unpack_name(std::span<const std::uint8_t> text, const std::string& called);

struct ObjectRecord {
  PeIndex made_on = 0;
  std::string label;
};
Bytes pack(const ObjectRecord& object);
ObjectRecord unpack_object(std::span<const std::uint8_t> text, const std::string& called);

}  // namespace skein::trace
