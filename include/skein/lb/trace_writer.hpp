// SPDX-License-Identifier: Apache-2.0
// Writes a trace while the job runs: for the recorder, and for whoever has no room for a whole one.
//
// Each PE has one TraceFile, all of the same path: chunks are appended whole, each with a checksum and with
// whose events it has and at which place in their streams, so that in which order PEs write matters to nobody
// and a run that is killed leaves all that was written. An object's events are encoded where it is (Encoder),
// in memory that is bounded: when an encoder is full, or old, or its object leaves the PE, they are given to
// the file as a piece of its stream.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "skein/lb/trace.hpp"
#include "skein/lb/trace_varint.hpp"

namespace skein::trace {

/// Events of shapes that an encoder has met before, as they come: put down where it has room for them.
class Batch {
 public:
  static constexpr std::size_t most = 64;
  /// Shapes below this one can be put down.
  static constexpr std::size_t shapes = 255;
  /// The next event's: its burst, its call and its serial, as its shape has them; at most two. Before put().
  void number(std::uint32_t value) { numbers_ = put_varint(numbers_, value); }
  /// Writes two at once, up to `most_first` and `most_second`, in fewer instructions and some more room.
  static constexpr std::uint32_t most_first = (1u << 14) - 1, most_second = (1u << 28) - 1;
  void numbers(std::uint32_t first, std::uint32_t second) {
    const std::uint64_t word = padded_varint<2>(first) | padded_varint<4>(second) << 16;
    std::memcpy(numbers_, &word, sizeof word);
    numbers_ += 6;
  }
  /// Precondition: the last one did not make it full().
  void put(std::uint8_t shape) { *order_++ = shape; }
  /// At an address that is a multiple: so whether it is shows in one pointer.
  bool full() const { return reinterpret_cast<std::uintptr_t>(order_) % most == 0; }
  bool empty() const { return order_ == begin_; }

 private:
  friend class Encoder;
  std::uint8_t* order_ = nullptr;
  std::uint8_t* numbers_ = nullptr;
  std::uint8_t* begin_ = nullptr;
};

/// One piece of one object's stream in the making. Not thread-safe. add() is the hot path: it takes the event
/// to be like the one that followed the last time, and costs some 5 ns if it is.
class Encoder {
 public:
  Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();
  /// Returns the number of the event's shape, for batches: what it is but for its times and its serial, and
  /// whether it has them. Or unknown_shape, of an event that has other numbers as well.
  std::size_t add(const Event& event);
  static constexpr std::size_t unknown_shape = SIZE_MAX;
  /// Between the two, whatever is put into the batch is added, and nothing else is done with the encoder. Its
  /// shapes were added before, and shape_count() was not 0 since.
  void begin(Batch& batch);
  void end(const Batch& batch);
  /// An event of such a shape beyond those of batches, whose numbers were put into the last batch.
  void add_again(std::size_t shape);
  std::size_t shape_count() const;  // 0: it knows none any more
  bool empty() const;
  std::size_t bytes() const;  // held now
  std::uint64_t events() const;

  struct State;  // of lb/trace/

 private:
  friend class TraceFile;
  std::unique_ptr<State> state_;
};

/// The precision of times. Rounded ones take half the room: to a power of two of nanoseconds, at most 1/64 of
/// what is typical of such events and at most 1024 ns; their sum is what it was, to half of that for each
/// piece.
enum class Precision : std::uint8_t { exact, rounded };

class TraceFile {
 public:
  /// Makes the file anew, with the header; or, on the other PEs, opens the one that was made. Throws
  /// TraceError.
  static TraceFile create(const std::string& path, const Header& header);
  static TraceFile open(const std::string& path);
  TraceFile(TraceFile&&) noexcept;
  TraceFile& operator=(TraceFile&&) noexcept;
  ~TraceFile();

  /// The number of a name: the same whoever asks for it on this PE; the reader joins those of all PEs.
  std::uint32_t name(std::string_view text);
  /// Once for each id on each PE that uses it; the reader takes one of equal ones.
  void add(const Communicator& communicator);
  void add(const RecordedStep& step);
  /// An object that the header does not know.
  void add_object(ObjectIndex object, PeIndex made_on, const std::string& label);
  /// The piece is the `serial`-th of this object (0, 1, ... over the whole job); empties the encoder, which
  /// remembers what its events look like: go on with it. Pieces are gathered, also of several objects, and
  /// written when they are some 100 KiB.
  void add(ObjectIndex object, std::uint64_t serial, Encoder& events, Precision precision = Precision::exact);
  /// Writes what was gathered; a file that is given up does so, too.
  void flush();
  /// The end of the job, written by one PE after all others have flushed: makes the trace complete.
  void end(const Disturbance& disturbance = {});
  /// The first error in writing (a full disk); nothing is written after it. Empty: none.
  const std::string& error() const;

 private:
  struct State;
  explicit TraceFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace skein::trace
