// SPDX-License-Identifier: Apache-2.0
// Views: the bytes of the file that a rank sees, and their order. The stream of a view is the packed form of
// as many filetypes as are needed, one extent apart from the displacement on. Positions are bytes of the
// stream; offsets are bytes of the file.
#pragma once

#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/datatype/walk_blocks.hpp"
#include "runtime/vmpi/io/representation.hpp"

namespace skein::vmpi {

/// In the slot, part of its file. Holds references to its types.
struct View {
  std::int64_t displacement = 0;
  const Datatype* etype = nullptr;  ///< types as the program passed them
  const Datatype* filetype = nullptr;
  /// The types in their form in the file. In the representations of memory they are the program's types.
  const Datatype* file_etype = nullptr;
  const Datatype* file_filetype = nullptr;
  Representation representation;

  /// Returns the bytes of the stream for each etype.
  std::int64_t etype_bytes() const { return file_etype->size(); }

  /// Calls visit(offset, bytes) for positions [from, to), in ascending order, as filetypes have (MPI 4.1,
  /// 14.1.1).
  template <class Visit>
  void for_each_run(std::int64_t from, std::int64_t to, Visit&& visit) const {
    for_each_block(*file_filetype, from, to,
                   [&](std::int64_t offset, std::int64_t bytes) { visit(displacement + offset, bytes); });
  }
  /// Returns the offset in the file of a position of the stream; for a filetype without data, the
  /// displacement.
  std::int64_t offset_of(std::int64_t position) const;
  /// Returns the number of bytes of the stream below an offset of the file. Precondition: ascending().
  std::int64_t position_of(std::int64_t offset) const;
  /// Returns true if later positions are at later offsets, also from one filetype to the next.
  bool ascending() const { return file_filetype->extent() >= file_filetype->true_extent(); }
};

/// Returns the view of a file that was just opened: bytes from 0 on, as in memory.
View view_of_bytes();
/// Makes a view, with references to the types, and makes their forms in the file. Returns an MPI error class;
/// `out` changes only on MPI_SUCCESS.
[[nodiscard]] int make_view(RankState& state, std::int64_t displacement, const Datatype& etype,
                            const Datatype& filetype, const Representation& representation, View& out);
/// Returns true if a type's bytes ascend and, if they are written, none occurs twice, as required of an etype
/// and a filetype (MPI 4.1, 14.1.1).
[[nodiscard]] bool can_be_seen(const Datatype& type, bool written);
void retain_view(const View& view);
void release_view(const View& view);

}  // namespace skein::vmpi
