// SPDX-License-Identifier: Apache-2.0
// A global array in one file; each element of a native program writes its block.
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "skein/chare.hpp"

namespace skein {

/// A row-major array of n dimensions (the last one fastest) of plain values, as they are in memory, in a
/// file: numpy.fromfile(path, dtype).reshape(shape) reads it. All writers give equal descriptions.
template <int n>
struct FileArray {
  std::string path{};  ///< a relative path starts at the working directory of the PEs. All nodes see the file
  Index<n> shape{};    ///< of the whole array, in values
  std::int64_t offset = 0;  ///< bytes of the file before the array's first value, which stay unchanged
  bool ends_file = true;    ///< the file is cut off behind the array; else what follows stays
  bool whole = true;        ///< true: the blocks must have as many values as the array
};

/// The place of an element's block in the array and in memory.
template <int n>
struct FileBlock {
  Index<n> first{};   ///< of the block's first value in the array
  Index<n> extent{};  ///< of the block, in values; may be empty
  Index<n> memory{};  ///< extent of the values in memory, if it is larger: with ghost layers, say
  Index<n> inset{};   ///< index of the block's first value in memory
};

/// The result of writing an array.
struct Written {
  std::int64_t bytes = 0;  ///< bytes of values that were written
  std::string error;       ///< empty: everything is in the file. Else the first error, with element,
                           ///< file and errno
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& bytes& error;
  }
};

namespace chare {

/// One dimension of a FileArray and of a block of it.
struct FileDimension {
  std::int64_t shape, first, extent, memory, inset;
};

/// The contribution of an element, or of several combined, to an array.
struct FileShare {
  std::string who;  ///< one of the elements
  std::string path;
  std::vector<std::int64_t> shape;
  std::int64_t offset = 0, value_bytes = 0, values = 0;
  bool ends_file = true, whole = true;
  bool error_ends_job = false;
  std::string error;
  Callback<Written> done;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& who& path& shape& offset& value_bytes& values& ends_file& whole& error_ends_job& error& done;
  }
};

/// Writes the values in memory, `values`, of the block that `share` describes; fills in the rest of `share`.
void write_block(FileShare& share, std::span<const FileDimension> dimensions, Bytes values);

/// Combines two shares. Fails if they are not shares of one array.
struct JoinFileShares {
  void operator()(FileShare& into, FileShare&& with) const;
};
/// Completes the file on PE 0, with the shares of all elements.
struct FinishFile {
  void operator()(FileShare all) const;
};

/// The type of a range's values if they are contiguous; void for any other range.
template <class Range>
struct ContiguousValue {
  using type = void;
};
template <class Range>
requires requires(const Range& values) { *std::data(values), std::size(values); }
struct ContiguousValue<Range> {
  using type = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;
};

template <class Range, int n, class Result>
FileShare write_share(const FileArray<n>& file, const Range& values, const FileBlock<n>& block,
                      const Callback<Result>& callback) {
  using V = typename ContiguousValue<Range>::type;
  static_assert(
      std::is_trivially_copyable_v<V>,
      "a block is written from plain values one behind the other: a std::vector or std::span of numbers");
  static_assert(std::is_void_v<Result> || std::is_same_v<Result, Written>,
                "the callback takes a skein::Written, or nothing");
  FileDimension dimensions[n];
  for (int i = 0; i < n; ++i)
    dimensions[i] = {file.shape[i], block.first[i], block.extent[i],
                     block.memory == Index<n>{} ? block.extent[i] : block.memory[i], block.inset[i]};
  FileShare share;
  share.path = file.path;
  share.offset = file.offset;
  share.value_bytes = sizeof(V);
  share.ends_file = file.ends_file;
  share.whole = file.whole;
  share.error_ends_job = std::is_void_v<Result>;
  share.done = callback;
  write_block(share, dimensions, std::as_bytes(std::span(std::data(values), std::size(values))));
  return share;
}

}  // namespace chare

/// Writes the element's block now, from this PE: `skein::write_block(*this, file, values, {.first = ...,
/// .extent = ...}, callback)`. The values may change on return. When all elements have written their blocks
/// and the file is complete, the callback gets a Written. A callback without parameter is called only after
/// success: an error then ends the job, naming the element, the file and the system's message. For entry
/// methods.
///
/// Counts as a reduction: every element of the array takes part, at the same place among all its
/// contributions, and elements may move between any two. Blocks must not overlap. The file is created if need
/// be, and stays open on each PE that writes until the array is complete. Two arrays may be written to it at
/// once only if they have different places in it and neither ends the file. Blocks that do not fit into the
/// array, or whose number of values is not as stated, end the job.
template <class T, class I, int n, class Range, class Result>
void write_block(Chare<T, I>& element, const FileArray<n>& file, const Range& values,
                 const std::type_identity_t<FileBlock<n>>& block, const Callback<Result>& callback) {
  element.contribute(chare::write_share(file, values, block, callback), chare::JoinFileShares(),
                     to_function<chare::FileShare>(chare::FinishFile()));
}
/// Writes the blocks of the members of a section: each member must call it.
template <class T, class I, int n, class Range, class Result>
void write_block(Chare<T, I>& element, const Section<T>& section, const FileArray<n>& file,
                 const Range& values, const std::type_identity_t<FileBlock<n>>& block,
                 const Callback<Result>& callback) {
  element.contribute(section, chare::write_share(file, values, block, callback), chare::JoinFileShares(),
                     to_function<chare::FileShare>(chare::FinishFile()));
}

}  // namespace skein
