// SPDX-License-Identifier: Apache-2.0
// MPI handles are numbers: the ABI's for predefined objects (all below 4096), and for the others
//
//   handle = kind << 26 | index        (31 bits, so it is a Fortran INTEGER as it stands)
//
// with an index into the rank's table of that kind. So a handle of the wrong kind, or one that was freed, is
// recognised, and conversion between C and Fortran is a cast.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "runtime/vmpi/settings.hpp"

namespace skein::vmpi {

enum class HandleKind : std::uint32_t {
  comm = 1,
  group,
  request,
  datatype,
  op,
  errhandler,
  info,
  message,
  window,
  file,
  session
};

inline constexpr std::uint32_t kHandleIndexBits = 26;
inline constexpr std::uintptr_t kFirstDynamicHandle = std::uintptr_t{1} << kHandleIndexBits;

template <class Handle>
std::uintptr_t handle_value(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

/// The objects of one kind that a rank has handles to. Lives in the slot. `Handle` is the C type, for example
/// MPI_Comm.
template <class Object, class Handle, HandleKind kind>
class HandleTable {
 public:
  explicit HandleTable(std::pmr::memory_resource* memory) : entries_(memory) {}

  Handle add(Object* object) {
    if (free_ == none) [[unlikely]]
      grow();
    const std::size_t index = free_;
    free_ = entries_[index].next_free;
    entries_[index] = {object, none};
    const std::uintptr_t handle = static_cast<std::uintptr_t>(kind) << kHandleIndexBits | index;
    if (settings.note_made_handle) [[unlikely]]
      settings.note_made_handle(handle);
    return reinterpret_cast<Handle>(handle);
  }

  /// Returns nullptr for a handle of another kind, a predefined one, or one that was removed.
  Object* find(Handle handle) const {
    const std::size_t index = handle_value(handle) ^ (static_cast<std::uintptr_t>(kind) << kHandleIndexBits);
    return index < entries_.size() ? entries_[index].object : nullptr;
  }

  /// Precondition: find(handle) != nullptr.
  void remove(Handle handle) {
    const std::size_t index = handle_value(handle) & (kFirstDynamicHandle - 1);
    entries_[index] = {nullptr, free_};
    free_ = index;
  }

  /// Calls `f(object)` for each live handle.
  template <class F>
  void for_each(F f) const {
    for (const Entry& entry : entries_)
      if (entry.object) f(*entry.object);
  }

  /// Calls `f(object, handle as a number)` for each live handle.
  template <class F>
  void for_each_handle(F f) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].object)
        f(*entries_[i].object, static_cast<std::uintptr_t>(kind) << kHandleIndexBits | i);
  }

  /// Returns the number of live handles, for reports of what a program left behind.
  std::size_t size() const {
    std::size_t live = 0;
    for (const Entry& entry : entries_) live += entry.object != nullptr;
    return live;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Entry {
    Object* object = nullptr;
    std::size_t next_free = none;
  };
  [[gnu::noinline]] void grow() {
    free_ = entries_.size();
    entries_.push_back({});
  }
  std::pmr::vector<Entry> entries_;
  std::size_t free_ = none;
};

}  // namespace skein::vmpi
