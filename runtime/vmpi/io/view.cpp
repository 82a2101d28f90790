// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/view.hpp"

#include <algorithm>

#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

/// Returns the number of bytes of one filetype below an offset. Offsets ascend, so a binary search finds it.
std::int64_t bytes_below(const Datatype& type, std::int64_t offset) {
  std::int64_t low = 0, high = type.size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    bool below = false;
    for_each_block(type, middle, middle + 1, [&](std::int64_t at, std::int64_t) { below = at < offset; });
    if (below)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

std::int64_t View::offset_of(std::int64_t position) const {
  std::int64_t found = displacement;
  if (file_filetype->size() > 0)
    for_each_run(position, position + 1, [&](std::int64_t offset, std::int64_t) { found = offset; });
  return found;
}

std::int64_t View::position_of(std::int64_t offset) const {
  const Datatype& type = *file_filetype;
  const std::int64_t reach = offset - displacement, size = type.size();
  if (size == 0) return 0;
  const std::int64_t begin = type.true_lb(), end = begin + type.true_extent(), extent = type.extent();
  if (type.dense()) return std::max<std::int64_t>(0, reach - begin);
  if (extent <= 0) return reach >= end ? INT64_MAX : 0;
  // Counts whole instances that end below, and a part of each instance that begins below and ends above.
  std::int64_t instance = reach >= end ? (reach - end) / extent + 1 : 0;
  std::int64_t position = instance * size;
  for (; instance * extent + begin < reach; ++instance)
    position += bytes_below(type, reach - instance * extent);
  return position;
}

View view_of_bytes() {
  View view;
  view.etype = view.filetype = view.file_etype = view.file_filetype = predefined_datatype(MPI_BYTE);
  return view;
}

int make_view(RankState& state, std::int64_t displacement, const Datatype& etype, const Datatype& filetype,
              const Representation& representation, View& out) {
  View view{displacement, &etype, &filetype, nullptr, nullptr, representation};
  if (const int error = lay_out_in_file(state, representation, etype, view.file_etype); error != MPI_SUCCESS)
    return error;
  if (const int error = lay_out_in_file(state, representation, filetype, view.file_filetype);
      error != MPI_SUCCESS) {
    view.file_etype->release();
    return error;
  }
  etype.retain();
  filetype.retain();
  out = view;
  return MPI_SUCCESS;
}

bool can_be_seen(const Datatype& type, bool written) {
  if (type.true_lb() < 0) return false;
  if (type.dense() || type.size() == 0) return true;
  bool good = true;
  std::int64_t least = 0;
  for_each_block(type, 0, type.size(), [&](std::int64_t offset, std::int64_t bytes) {
    good = good && offset >= least;
    least = written ? offset + bytes : offset;
  });
  return good;
}

void retain_view(const View& view) {
  for (const Datatype* type : {view.etype, view.filetype, view.file_etype, view.file_filetype})
    type->retain();
}

void release_view(const View& view) {
  for (const Datatype* type : {view.etype, view.filetype, view.file_etype, view.file_filetype})
    type->release();
}

}  // namespace skein::vmpi
