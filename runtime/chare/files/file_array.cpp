// SPDX-License-Identifier: Apache-2.0
// A reduction collects what elements have written. Then PE 0 has all PEs close the file, which is when some
// file systems first report failed writes, sets its length, and calls back.
#include "skein/file_array.hpp"

#include <memory>

#include "runtime/chare/files/open_files.hpp"
#include "skein/job.hpp"

namespace skein::chare {
namespace {

std::string text_of_shape(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "{" : ", ") + std::to_string(extent);
  return text + "}";
}

/// Returns the product of extents in bytes. Ends the job if it does not fit into 63 bits.
std::int64_t product(std::span<const FileDimension> dimensions, std::int64_t FileDimension::*extent,
                     std::int64_t value_bytes) {
  std::int64_t values = 1, bytes;
  for (const FileDimension& dimension : dimensions)
    if (__builtin_mul_overflow(values, dimension.*extent, &values) ||
        __builtin_mul_overflow(values, value_bytes, &bytes))
      fail("write_block(): an array of more than 2^63 bytes");
  return values;
}

void check_dimensions(const FileShare& share, std::span<const FileDimension> dimensions, std::size_t bytes) {
  const std::string of = "write_block() to '" + share.path + "': ";
  if (share.path.empty()) fail("write_block(): the path of the file is empty");
  if (share.offset < 0) fail(of + "the offset is " + std::to_string(share.offset) + ", before the file");
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const FileDimension& d = dimensions[i];
    const std::string along = of + "along dimension " + std::to_string(i) + " ";
    if (d.shape < 0 || d.first < 0 || d.extent < 0 || d.first + d.extent > d.shape)
      fail(along + "the block has " + std::to_string(d.extent) + " values from " + std::to_string(d.first) +
           " on, and the array " + std::to_string(d.shape));
    if (d.inset < 0 || d.inset + d.extent > d.memory)
      fail(along + "the block has " + std::to_string(d.extent) + " values from " + std::to_string(d.inset) +
           " on in memory, where there are " + std::to_string(d.memory));
  }
  const std::int64_t values = product(dimensions, &FileDimension::memory, share.value_bytes);
  const std::size_t given = bytes / static_cast<std::size_t>(share.value_bytes);
  if (static_cast<std::size_t>(values) != given)
    fail(of + "there are " + std::to_string(given) + " values for a block that has " +
         std::to_string(values) + " in memory");
}

/// Calls `run(file_value, memory_value, count)` for the runs of values that are contiguous in both, counted
/// in values, until it returns false. No extent is 0.
template <class Run>
void for_each_run(std::span<const FileDimension> dimensions, Run run) {
  // A run covers the last dimensions, up to and including the first of these that is not whole.
  std::size_t outer = dimensions.size() - 1;
  std::int64_t count = dimensions[outer].extent;
  const auto is_whole = [](const FileDimension& d) { return d.extent == d.shape && d.extent == d.memory; };
  while (outer > 0 && is_whole(dimensions[outer])) count *= dimensions[--outer].extent;
  std::vector<std::int64_t> at(outer);  // position in the block
  for (;;) {
    std::int64_t in_file = 0, in_memory = 0;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const FileDimension& d = dimensions[i];
      const std::int64_t here = i < outer ? at[i] : 0;
      in_file = in_file * d.shape + d.first + here;
      in_memory = in_memory * d.memory + d.inset + here;
    }
    if (!run(in_file, in_memory, count)) return;
    std::size_t i = outer;
    while (i > 0 && ++at[i - 1] == dimensions[i - 1].extent) at[--i] = 0;
    if (i == 0) return;
  }
}

// ---- all PEs close the file

/// A file being closed, on PE 0 until all PEs have answered. Messages carry its address.
struct Closing {
  FileShare share;
  int pes_left;
};

struct CloseWish {
  std::uint64_t closing = 0;  // its address
  std::string path;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& closing& path;
  }
};
struct Closed {
  std::uint64_t closing = 0;
  std::string error;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& closing& error;
  }
};

void note_error(FileShare& share, const std::string& error) {
  if (share.error.empty()) share.error = error;
}

void complete(FileShare& share) {
  std::int64_t wanted = 1;
  for (const std::int64_t extent : share.shape) wanted *= extent;
  if (share.whole && share.values != wanted)
    note_error(share, "'" + share.path + "' is incomplete, or blocks overlap: they have " +
                          std::to_string(share.values) + " values, and the array " +
                          text_of_shape(share.shape) + " has " + std::to_string(wanted));
  if (share.ends_file && share.error.empty())
    note_error(share, set_length(share.path, share.offset + wanted * share.value_bytes));
  if (share.error_ends_job && !share.error.empty()) fail("write_block(): " + share.error);
  share.done({share.values * share.value_bytes, share.error});
}

struct TakeClosed {
  void operator()(const Closed& reply) const {
    auto* const closing = reinterpret_cast<Closing*>(reply.closing);
    note_error(closing->share, reply.error);
    if (--closing->pes_left == 0) complete(std::unique_ptr<Closing>(closing)->share);
  }
};
struct CloseHere {
  void operator()(const CloseWish& wish) const {
    std::string error = close_file(wish.path);
    if (!error.empty()) error = "PE " + std::to_string(this_pe()) + ": " + error;
    to_function<Closed>(TakeClosed())({wish.closing, error});
  }
};

}  // namespace

void write_block(FileShare& share, std::span<const FileDimension> dimensions, Bytes values) {
  check_dimensions(share, dimensions, values.size());
  (void)product(dimensions, &FileDimension::shape, share.value_bytes);
  share.who = calls_here.running.element ? name_of(*calls_here.running.element) : "";
  for (const FileDimension& dimension : dimensions) share.shape.push_back(dimension.shape);
  if (product(dimensions, &FileDimension::extent, share.value_bytes) == 0) return;
  for_each_run(dimensions, [&](std::int64_t in_file, std::int64_t in_memory, std::int64_t count) {
    const auto bytes_of_values = [&](std::int64_t n) {
      return static_cast<std::size_t>(n * share.value_bytes);
    };
    const std::string error = write_at(share.path, share.offset + in_file * share.value_bytes,
                                       values.subspan(bytes_of_values(in_memory), bytes_of_values(count)));
    if (!error.empty()) {
      share.error = share.who + ": " + error;
      return false;
    }
    share.values += count;
    return true;
  });
}

void JoinFileShares::operator()(FileShare& into, FileShare&& with) const {
  const auto text = [](const FileShare& share) {
    return share.who + " to '" + share.path + "' with shape " + text_of_shape(share.shape) + ", " +
           std::to_string(share.value_bytes) + " bytes each from " + std::to_string(share.offset) + " on";
  };
  const auto same = [](const FileShare& a, const FileShare& b) {
    return a.path == b.path && a.shape == b.shape && a.offset == b.offset && a.value_bytes == b.value_bytes &&
           a.ends_file == b.ends_file && a.whole == b.whole && a.error_ends_job == b.error_ends_job &&
           a.done.destination() == b.done.destination();
  };
  if (!same(into, with))
    fail("write_block(): all elements write to one array with one callback, but here " + text(into) +
         ", and " + text(with));
  into.values += with.values;
  note_error(into, with.error);
}

void FinishFile::operator()(FileShare all) const {
  const std::string path = all.path;
  auto* const closing = new Closing{std::move(all), pe_count()};
  const CloseWish wish{reinterpret_cast<std::uintptr_t>(closing), path};
  for (int pe = 0; pe < pe_count(); ++pe) to_function<CloseWish>(CloseHere(), pe)(wish);
}

}  // namespace skein::chare
