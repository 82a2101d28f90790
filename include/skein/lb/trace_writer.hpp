// SPDX-License-Identifier: Apache-2.0
// Writes a trace piece by piece: while the job runs, or where memory does not hold all of it.
//
// Each PE has one TraceFile, all with the same path. Chunks are appended whole, each with a checksum, its
// object and its place in that object's stream: so the order in which PEs write does not matter, and a killed
// run leaves everything that was written. An Encoder encodes an object's events where the object is, in
// bounded memory: when an encoder is full or old, or its object leaves the PE, its events go to the file as a
// piece.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "skein/lb/trace.hpp"
#include "skein/lb/trace_varint.hpp"

namespace skein::trace {

/// A buffer for events whose shapes an encoder has met before.
class Batch {
 public:
  static constexpr std::size_t most = 64;
  /// Only shapes below this number can be put into a batch.
  static constexpr std::size_t shapes = 255;
  /// Adds a number of the next event: its burst, call or serial, as the shape has them. At most two, before
  /// put().
  void number(std::uint32_t value) { numbers_ = put_varint(numbers_, value); }
  /// Adds two numbers of up to `most_first` and `most_second`, in fewer instructions and some more bytes.
  static constexpr std::uint32_t most_first = (1u << 14) - 1, most_second = (1u << 28) - 1;
  void numbers(std::uint32_t first, std::uint32_t second) {
    const std::uint64_t word = padded_varint<2>(first) | padded_varint<4>(second) << 16;
    std::memcpy(numbers_, &word, sizeof word);
    numbers_ += 6;
  }
  /// Adds an event of this shape. Precondition: not full().
  void put(std::uint8_t shape) { *order_++ = shape; }
  /// The batch ends at an address that is a multiple of `most`, so that one pointer shows whether it is full.
  bool full() const { return reinterpret_cast<std::uintptr_t>(order_) % most == 0; }
  bool empty() const { return order_ == begin_; }

 private:
  friend class Encoder;
  std::uint8_t* order_ = nullptr;
  std::uint8_t* numbers_ = nullptr;
  std::uint8_t* begin_ = nullptr;
};

/// Encodes one piece of one object's stream. Not thread-safe. add() is the hot path: it predicts that the
/// event is like the one that followed last time, and costs some 5 ns if it is.
class Encoder {
 public:
  Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();
  /// Adds an event and returns the number of its shape, for batches: the event without its times and serial,
  /// and whether it has them. Returns unknown_shape for an event with other numbers.
  std::size_t add(const Event& event);
  static constexpr std::size_t unknown_shape = SIZE_MAX;
  /// Between begin() and end(), the contents of the batch are added, and the encoder must not be used
  /// otherwise. The batch's shapes must have been added before, and shape_count() not have been 0 since then.
  void begin(Batch& batch);
  void end(const Batch& batch);
  /// Adds an event of a shape too large for batches, whose numbers were put into the last batch.
  void add_again(std::size_t shape);
  std::size_t shape_count() const;  // 0: all shapes are forgotten
  bool empty() const;
  std::size_t bytes() const;  // held now
  std::uint64_t events() const;

  struct State;  // of lb/trace/

 private:
  friend class TraceFile;
  std::unique_ptr<State> state_;
};

/// The precision of times. Rounded times take half the room: they are multiples of a power of two
/// nanoseconds, at most 1/64 of the typical time of such events and at most 1024 ns; the error of their sum
/// is at most half of that for each piece.
enum class Precision : std::uint8_t { exact, rounded };

class TraceFile {
 public:
  /// Creates the file with the header; open() opens it on the other PEs. Both throw TraceError.
  static TraceFile create(const std::string& path, const Header& header);
  static TraceFile open(const std::string& path);
  TraceFile(TraceFile&&) noexcept;
  TraceFile& operator=(TraceFile&&) noexcept;
  ~TraceFile();

  /// Returns the number of a name, equal for equal names on this PE; the reader joins the names of all PEs.
  std::uint32_t name(std::string_view text);
  /// Adds a communicator, once for each id on each PE that uses it; the reader takes one of equal ones.
  void add(const Communicator& communicator);
  void add(const RecordedStep& step);
  /// Adds an object that the header does not list.
  void add_object(ObjectIndex object, PeIndex made_on, const std::string& label);
  /// Adds the `serial`-th piece of this object (0, 1, ... over the whole job) and empties the encoder, which
  /// keeps its shapes: continue with it. Pieces, also of several objects, are gathered and written from some
  /// 100 KiB on.
  void add(ObjectIndex object, std::uint64_t serial, Encoder& events, Precision precision = Precision::exact);
  /// Writes the gathered pieces; the destructor does so, too.
  void flush();
  /// Ends the job: called by one PE after all others have flushed; makes the trace complete.
  void end(const Disturbance& disturbance = {});
  /// Returns the first error in writing (a full disk), or an empty text; nothing is written after an error.
  const std::string& error() const;

 private:
  struct State;
  explicit TraceFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace skein::trace
