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
    FieldOf part;
    part.box_ = common(box_, box);
    part.values_.reserve(static_cast<std::size_t>(part.box_.cells()));
    for_each_row(part.box_, [&](const Cell& start) {
      const T* const row = values_.data() + place(start);
      part.values_.insert(part.values_.end(), row, row + part.box_.length(0));
    });
    return part;
  }
  /// Removes the values outside of the box; the others stay in the memory that the field has.
  void keep(const Box& box) {
    FieldOf part;
    part.box_ = common(box_, box);
    T* end = values_.data();
    for_each_row(part.box_, [&](const Cell& start) {
      const T* const row = values_.data() + place(start);
      // No row moves up.
      end = row == end ? end + part.box_.length(0) : std::copy(row, row + part.box_.length(0), end);
    });
    values_.resize(static_cast<std::size_t>(end - values_.data()));
    box_ = part.box_;
  }
  /// Takes the values of the cells that both have.
  void paste(const FieldOf& other) {
    const Box both = common(box_, other.box_);
    for_each_row(both, [&](const Cell& start) {
      std::copy_n(other.values_.data() + other.place(start), both.length(0), values_.data() + place(start));
    });
  }

 private:
  /// Calls f(first cell) for each row along x.
  template <class F>
  static void for_each_row(const Box& box, F f) {
    for (std::int32_t z = box.first[2]; z < box.end[2]; ++z)
      for (std::int32_t y = box.first[1]; y < box.end[1] && box.length(0) > 0; ++y)
        f(Cell{box.first[0], y, z});
  }

  Box box_;
  std::vector<T> values_;
};

using Field = FieldOf<State>;

}  // namespace samr
