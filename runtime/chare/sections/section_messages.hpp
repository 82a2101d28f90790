// SPDX-License-Identifier: Apache-2.0
// Messages between the root of a section and the parts of its tree.
#pragma once

#include "skein/chare/section_base.hpp"

namespace skein::chare {

/// Header of Kind::section_part: the children follow, then the indices of the members.
struct PartHeader {
  SectionName section;
  std::uint32_t version, children, members_below, index_bytes;
  std::int32_t parent;
  std::uint32_t unused = 0;
};
/// Header of Kind::section_close.
struct CloseHeader {
  SectionName section;
  std::uint32_t version, broadcasts;
};
/// Header of Kind::section_broadcast_wish and, with the version filled in, of Kind::section_broadcast: the
/// arguments follow.
struct SectionBroadcastHeader {
  SectionName section;
  std::uint32_t version, entry;
};
/// Header of Kind::section_moved: the index follows.
struct MovedHeader {
  SectionName section;
  std::int32_t pe;
  std::uint32_t unused = 0;
};

template <class F>
void for_each_member(Bytes members, std::size_t index_bytes, F f) {
  for (; !members.empty(); members = members.subspan(index_bytes)) f(members.first(index_bytes));
}

}  // namespace skein::chare
