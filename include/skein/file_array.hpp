// SPDX-License-Identifier: Apache-2.0
// A global array in one file, of which each element of a native program writes its block.
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "skein/chare.hpp"

namespace skein {

/// A row-major array of n dimensions (the last one fastest) of plain values, as they are in memory, in a
/// file: numpy.fromfile(path, dtype).reshape(shape) reads it. The same for all who write to it.
template <int n>
struct FileArray {
  std::string path{};       ///< relative ones: to the working directory of the PEs. All nodes see the file
  Index<n> shape{};         ///< of the whole array, in values
  std::int64_t offset = 0;  ///< bytes of the file before its first value, which stay what they are
  bool ends_file = true;    ///< whether the file ends behind it: what is there is cut off; else it stays
  bool whole = true;        ///< whether the blocks must have as many values as the array
};

/// Which block of it the values are.
template <int n>
struct FileBlock {
  Index<n> first{};   ///< of the block's first value in the array
  Index<n> extent{};  ///< of the block, in values; may be empty
  Index<n> memory{};  ///< extent of the values in memory, where that is more: with ghost layers, say
  Index<n> inset{};   ///< of the block's first value there
};

/// What became of it.
struct Written {
  std::int64_t bytes = 0;  ///< of values, that were written
  std::string error;  ///< empty: everything is in the file. Else the first that went wrong, with element,
                      ///< file and errno
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& bytes& error;
  }
};

namespace chare {

/// One dimension of a FileArray and a block of it.
struct FileDimension {
  std::int64_t shape, first, extent, memory, inset;
};

/// What an element, or several, have written of an array.
struct FileShare {
  std::string who;  ///< one of them
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

/// Writes what `share` says of the block, whose values in memory are `values`; fills in the rest of it.
void write_block(FileShare& share, std::span<const FileDimension> dimensions, Bytes values);

/// Fails if these are not shares of one array.
struct JoinFileShares {
  void operator()(FileShare& into, FileShare&& with) const;
};
/// On PE 0, with the shares of all.
struct FinishFile {
  void operator()(FileShare all) const;
};

/// The type of the values of a range that lie one behind the other; void for any other range.
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

/// For entry methods: `skein::write_block(*this, file, values, {.first = ..., .extent = ...}, callback)`.
/// Writes the element's block now, by this PE and from where it is: the values may change on return. When all
/// elements have written theirs and the file is complete, the callback gets a Written; one that takes nothing
/// is called only if nothing went wrong: otherwise the job ends, naming the element, the file and what the
/// system says.
///
/// It is a reduction: every element of the array takes part, at the same place among all that it contributes
/// to, and elements may move between any two. Blocks must not overlap. The file is created if need be, open
/// on each PE that writes until the array is complete, and must not be written by two of these at once, but
/// for FileArrays of different places in it that do not end it. Blocks that do not fit into the array, or do
/// not have as many values as they say, end the job.
template <class T, class I, int n, class Range, class Result>
void write_block(Chare<T, I>& element, const FileArray<n>& file, const Range& values,
                 const std::type_identity_t<FileBlock<n>>& block, const Callback<Result>& callback) {
  element.contribute(chare::write_share(file, values, block, callback), chare::JoinFileShares(),
                     to_function<chare::FileShare>(chare::FinishFile()));
}
/// Writes the blocks of the members of a section: each must call it.
template <class T, class I, int n, class Range, class Result>
void write_block(Chare<T, I>& element, const Section<T>& section, const FileArray<n>& file,
                 const Range& values, const std::type_identity_t<FileBlock<n>>& block,
                 const Callback<Result>& callback) {
  element.contribute(section, chare::write_share(file, values, block, callback), chare::JoinFileShares(),
                     to_function<chare::FileShare>(chare::FinishFile()));
}

}  // namespace skein
