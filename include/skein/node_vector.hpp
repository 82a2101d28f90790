// SPDX-License-Identifier: Apache-2.0
// Memory of an element that other PEs of its node can access: for loops that they share (parallel_for.hpp).
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "skein/chare/node_memory.hpp"
#include "skein/pup.hpp"

namespace skein {

/// The name of values in the memory of a node: a small value that a loop's body captures. Valid on the PEs of
/// one node, as long as the NodeVector holds the values; it must not be sent or kept.
template <class T>
class NodeSpan {
 public:
  NodeSpan() = default;
  NodeSpan(std::uint64_t place, std::uint64_t size) : place_(place), size_(size) {}

  /// Callable from anywhere on that node.
  std::size_t size() const { return size_; }
  /// Returns this PE's address of the values: for a loop over many of them.
  T* data() const { return reinterpret_cast<T*>(chare::node_memory.begin + place_); }
  T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  operator NodeSpan<const T>() const requires(!std::is_const_v<T>) { return {place_, size_}; }

 private:
  std::uint64_t place_ = chare::kNoPlace, size_ = 0;
};

/// A vector of plain values in the memory of the node: for instance a member of an element, with which it
/// moves, as a std::vector does. Only the PE that owns it resizes it. For entry methods, constructors of
/// elements and functions of callbacks; no function switches.
template <class T>
class NodeVector {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && alignof(T) <= 64,
                "a node vector has plain values: numbers, and structs of them without pointers");

 public:
  using value_type = T;

  NodeVector() = default;
  explicit NodeVector(std::size_t size, const T& value = T()) { assign(size, value); }
  NodeVector(const NodeVector& other) { copy(other.data(), other.size_); }
  NodeVector(NodeVector&& other) noexcept
      : place_(std::exchange(other.place_, chare::kNoPlace)), size_(std::exchange(other.size_, 0)) {}
  NodeVector& operator=(NodeVector other) noexcept {
    std::swap(place_, other.place_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~NodeVector() { clear(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return span().data(); }
  const T* data() const { return span().data(); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  /// Returns the name of the values, for a loop to capture.
  NodeSpan<T> span() { return {place_, size_}; }
  NodeSpan<const T> span() const { return {place_, size_}; }

  void assign(std::size_t size, const T& value) {
    allocate(size);
    std::fill_n(data(), size, value);
  }
  /// Keeps the old values that fit; new ones are T().
  void resize(std::size_t size) {
    NodeVector resized(size);
    std::copy_n(data(), std::min(size, size_), resized.data());
    *this = std::move(resized);
  }
  void clear() {
    chare::free_on_node(place_, size_ * sizeof(T));
    place_ = chare::kNoPlace;
    size_ = 0;
  }

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    const std::size_t size = pup::pup_count(ar, size_, sizeof(T));
    if constexpr (!Ar::saving) allocate(size);
    if (size > 0) ar.raw(data(), size * sizeof(T));
  }

 private:
  inline static const bool wanted_ = chare::want_node_memory();  // always true; reading it instantiates it

  /// Allocates memory for `size` values; the old values are lost.
  void allocate(std::size_t size) {
    clear();
    if (size == 0 || !wanted_) return;
    place_ = chare::allocate_on_node(size * sizeof(T));
    size_ = size;
  }
  void copy(const T* from, std::size_t size) {
    allocate(size);
    std::copy_n(from, size, data());
  }

  std::uint64_t place_ = chare::kNoPlace, size_ = 0;
};

}  // namespace skein
