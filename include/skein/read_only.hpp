// SPDX-License-Identifier: Apache-2.0
// Global values that are set once and are then equal on all PEs.
#pragma once

#include <typeinfo>
#include <utility>

#include "skein/chare/array_base.hpp"
#include "skein/pup.hpp"

namespace skein {

namespace chare {

class ReadOnlyBase {
 public:
  ReadOnlyBase(const ReadOnlyBase&) = delete;
  ReadOnlyBase& operator=(const ReadOnlyBase&) = delete;
  virtual std::vector<std::byte> packed() const = 0;
  virtual void receive(Bytes packed) = 0;

 protected:
  /// Numbers the value like entry methods: while static objects are made, so only these may be read-only.
  ReadOnlyBase();
  ~ReadOnlyBase() = default;
};

/// Ends the job if the values have been sent to the PEs already, or if another PE must set them.
void check_may_set(const std::type_info& type, const char* file, int line);

}  // namespace chare

/// A global: `skein::ReadOnly<Parameters> parameters;` at namespace scope. The function given to run() sets
/// it; afterwards entry methods and functions of callbacks read that value on every PE, and so do
/// constructors of arrays that are created after it was set. Until it is set it has the value it was
/// constructed with.
template <class T>
class ReadOnly final : chare::ReadOnlyBase {
 public:
  ReadOnly() = default;
  explicit ReadOnly(T value) : value_(std::move(value)) {}

  /// Sets the value. For the function given to run(); a later call, or one from elsewhere, ends the job with
  /// a message. `file` and `line` are the caller's, for the message. (Not std::source_location: Clang has
  /// none with GCC's library before version 16.)
  void set(T value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    chare::check_may_set(typeid(T), file, line);
    value_ = std::move(value);
  }

  /// Callable from anywhere; the reference holds until the end of the program.
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  std::vector<std::byte> packed() const override { return pack(value_); }
  void receive(chare::Bytes packed) override { unpack(packed, value_); }

  T value_{};
};

}  // namespace skein
