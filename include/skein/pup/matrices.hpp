// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "skein/pup/archive.hpp"

namespace skein::pup {

/// True for Eigen's dense matrices and arrays, and types with the same interface.
template <class M>
concept matrix_like = requires(M& m) {
  typename M::Scalar;
  { m.data() } -> std::same_as<typename M::Scalar*>;
  m.rows();
  m.cols();
  m.resize(m.rows(), m.cols());
}
&&bitwise<typename M::Scalar>;

template <matrix_like M>
struct Handler<M> {
  using Scalar = typename M::Scalar;

  template <class Ar>
  static void pup(Ar& ar, M& value) {
    std::int64_t rows = value.rows(), cols = value.cols();
    ar.raw(&rows, sizeof rows);
    ar.raw(&cols, sizeof cols);
    if constexpr (!Ar::saving) {
      check(rows, cols, ar.left() / sizeof(Scalar), value);
      if (rows != value.rows() || cols != value.cols()) value.resize(rows, cols);
    }
    ar.raw(value.data(), static_cast<std::size_t>(rows * cols) * sizeof(Scalar));
  }

 private:
  /// Throws CorruptBuffer if fixed dimensions are not as packed, or if there are too few bytes for the
  /// others.
  static void check(std::int64_t rows, std::int64_t cols, std::size_t most, const M& value) {
    bool fits = rows >= 0 && cols >= 0 &&
                (cols == 0 || static_cast<std::uint64_t>(rows) <= most / static_cast<std::uint64_t>(cols));
    if constexpr (requires {
                    M::RowsAtCompileTime;
                    M::ColsAtCompileTime;
                  }) {
      fits = fits && (M::RowsAtCompileTime < 0 || rows == value.rows()) &&
             (M::ColsAtCompileTime < 0 || cols == value.cols());
    }
    (void)value;
    if (!fits)
      throw CorruptBuffer("packed data has a matrix of " + std::to_string(rows) + " by " +
                          std::to_string(cols));
  }
};

}  // namespace skein::pup
