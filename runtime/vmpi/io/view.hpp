// SPDX-License-Identifier: Apache-2.0
// A view: which bytes of the file a rank sees, in which order. The stream of a view is the packed form of as
// many filetypes as are needed, one extent apart from the displacement on; a position is a byte of it.
// Offsets are bytes of the file.
#pragma once

#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/datatype/walk_blocks.hpp"
#include "runtime/vmpi/io/representation.hpp"

namespace skein::vmpi {

/// In the slot, part of its file. Holds references to its types.
struct View {
  std::int64_t displacement = 0;
  const Datatype* etype = nullptr;  ///< as the program gave them
  const Datatype* filetype = nullptr;
  /// The types as they lie in the file. In the representations of memory they are the program's own.
  const Datatype* file_etype = nullptr;
  const Datatype* file_filetype = nullptr;
  Representation representation;

  /// Bytes of the stream for each etype.
  std::int64_t etype_bytes() const { return file_etype->size(); }

  /// visit(offset, bytes) for positions [from, to), ascending as filetypes are (MPI 4.1, 14.1.1).
  template <class Visit>
  void for_each_run(std::int64_t from, std::int64_t to, Visit&& visit) const {
    for_each_block(*file_filetype, from, to,
                   [&](std::int64_t offset, std::int64_t bytes) { visit(displacement + offset, bytes); });
  }
  /// Where that position of the stream is in the file. Of a filetype without data: the displacement.
  std::int64_t offset_of(std::int64_t position) const;
  /// How many bytes of the stream lie below an offset of the file. Precondition: ascending().
  std::int64_t position_of(std::int64_t offset) const;
  /// Whether later positions are at later offsets, from one filetype to the next too.
  bool ascending() const { return file_filetype->extent() >= file_filetype->true_extent(); }
};

/// Bytes from 0 on, as they are in memory: the view of a file that was opened.
View view_of_bytes();
/// Takes references to the types, whose forms in the file are made here. An MPI error class; `out` is
/// unchanged where it is not MPI_SUCCESS.
[[nodiscard]] int make_view(RankState& state, std::int64_t displacement, const Datatype& etype,
                            const Datatype& filetype, const Representation& representation, View& out);
/// Whether a type's bytes ascend, and none is there twice (which is allowed where nothing is written), as an
/// etype's and a filetype's must (MPI 4.1, 14.1.1).
[[nodiscard]] bool can_be_seen(const Datatype& type, bool written);
void retain_view(const View& view);
void release_view(const View& view);

}  // namespace skein::vmpi
