// SPDX-License-Identifier: Apache-2.0
// A value for each cell of a box.
#pragma once

#include "box.hpp"
#include "gas.hpp"

namespace samr {

template <class T>
class FieldOf {
 public:
  FieldOf() = default;
  explicit FieldOf(const Box& box) : box_(box), values_(static_cast<std::size_t>(box.cells())) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& box_& values_;
  }

  const Box& box() const { return box_; }
  const std::vector<T>& values() const { return values_; }
  bool is_empty() const { return values_.empty(); }

  /// Precondition: the box contains it.
  T& operator[](const Cell& cell) { return values_[place(cell)]; }
  const T& operator[](const Cell& cell) const { return values_[place(cell)]; }
  /// From a cell's place to that of the next along the axis.
  std::ptrdiff_t stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? box_.length(0) : std::ptrdiff_t{box_.length(0)} * box_.length(1);
  }
  std::size_t place(const Cell& cell) const {
    const auto along = [&](std::size_t a) { return static_cast<std::size_t>(cell[a] - box_.first[a]); };
    const auto nx = static_cast<std::size_t>(box_.length(0)), ny = static_cast<std::size_t>(box_.length(1));
    return (along(2) * ny + along(1)) * nx + along(0);
  }

  /// What of it is in a box.
  FieldOf piece(const Box& box) const {
    FieldOf part(common(box_, box));
    part.paste(*this);
    return part;
  }
  /// Takes the values of the cells that both have.
  void paste(const FieldOf& other) {
    const Box both = common(box_, other.box_);
    for (std::int32_t z = both.first[2]; z < both.end[2]; ++z)
      for (std::int32_t y = both.first[1]; y < both.end[1] && both.length(0) > 0; ++y) {
        const Cell start{both.first[0], y, z};
        std::copy_n(other.values_.data() + other.place(start), both.length(0), values_.data() + place(start));
      }
  }

 private:
  Box box_;
  std::vector<T> values_;
};

using Field = FieldOf<State>;

}  // namespace samr
