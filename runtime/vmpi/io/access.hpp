// SPDX-License-Identifier: Apache-2.0
// Accesses of one rank alone: bytes of its memory, and their positions in its view's stream. Contiguous
// memory is handed to the MPI underneath in place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/io/windows.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

enum class Way : std::uint8_t { read, write };

/// An access to data in the form of the file, at positions [position, position + data.bytes) of a view.
struct Access {
  const View* view;
  Way way = Way::read;
  std::int64_t position = 0;
  Data data;

  std::int64_t end() const { return position + static_cast<std::int64_t>(data.bytes); }
};

struct Outcome {
  int error = MPI_SUCCESS;  ///< error class
  std::size_t bytes = 0;    ///< bytes moved; fewer than wanted at the end of the file
};

/// Accesses the file for the calling rank alone. Waits for a turn in atomic mode; may switch then.
Outcome access_alone(File& file, const Access& access);

/// Collects runs, and calls take(offset, bytes) once for adjacent ones.
template <class Take>
class Joined {
 public:
  explicit Joined(Take& take) : take_(take) {}
  void add(std::int64_t offset, std::int64_t bytes) {
    if (bytes_ > 0 && offset == offset_ + bytes_) {
      bytes_ += bytes;
      return;
    }
    flush();
    offset_ = offset;
    bytes_ = bytes;
  }
  void flush() {
    if (bytes_ > 0) take_(offset_, bytes_);
    bytes_ = 0;
  }

 private:
  Take& take_;
  std::int64_t offset_ = 0, bytes_ = 0;
};

/// Calls take(offset, bytes) for positions [from, to) of a view's stream, with adjacent runs as one.
template <class Take>
void for_each_joined_run(const View& view, std::int64_t from, std::int64_t to, Take&& take) {
  Joined<Take> joined(take);
  view.for_each_run(from, to, [&](std::int64_t offset, std::int64_t bytes) { joined.add(offset, bytes); });
  joined.flush();
}

// The rounds of a collective access: members tell the collectors which runs of their windows they access, and
// send or get the bytes.

/// Accesses the file by collectors. Called by all members, with the same windows. May switch, may move.
Outcome access_by_collectors(File& file, int tag, const Access& access, const Windows& windows);

}  // namespace skein::vmpi
