// SPDX-License-Identifier: Apache-2.0
// What else than events is in a file, as the text of its chunk. Readers throw TraceError.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

using Bytes = std::vector<std::uint8_t>;

/// What a file may have: a damaged one shall not take all memory.
inline constexpr std::size_t kMostObjects = std::size_t{1} << 20, kMostPes = kMostObjects;

/// Its placement and labels are of the objects that are known at the start, `objects` of them.
Bytes pack(const Header& header, std::size_t objects);
Header unpack_header(std::span<const std::uint8_t> text, std::size_t& objects, const std::string& called);

Bytes pack(const Communicator& communicator);
Communicator unpack_communicator(std::span<const std::uint8_t> text, std::size_t objects,
                                 const std::string& called);

Bytes pack(const RecordedStep& step);
RecordedStep unpack_step(std::span<const std::uint8_t> text, const std::string& called);

/// Nothing at all of one that nobody knows.
Bytes pack(const Disturbance& disturbance);
Disturbance unpack_disturbance(std::span<const std::uint8_t> text, const std::string& called);

struct NameRecord {
  std::uint32_t number = 0;  // among those of its writer
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
