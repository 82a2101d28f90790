// SPDX-License-Identifier: Apache-2.0
// The jobs of these programs: elements that stop at sync points, and add up a sum that a formula gives.
#pragma once

#include "tests/job/native/check.hpp"

namespace native_test {

/// Passes `points` sync points; then all contribute the square of their index.
class Stopper : public skein::Chare<Stopper, skein::Index1> {
 public:
  static inline Moves moves = Moves::none;
  static inline long total = 0;  ///< on PE 0, of the last job

  static long expected(long elements) { return (elements - 1) * elements * (2 * elements - 1) / 6; }

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& left_& moved_;
  }
  void start(int points) {
    left_ = points;
    moved_ = 0;
    resume_from_sync();
  }
  void resume_from_sync() {
    if (left_-- > 0) return at_sync();
    const long square = static_cast<long>(index()[0]) * index()[0];
    contribute(std::tuple(square, moved_), skein::each(skein::sum, skein::sum),
               skein::to_function<std::tuple<long, int>>([](const std::tuple<long, int>& sums) {
                 total = std::get<0>(sums);
                 EXPECT_MOVES(std::get<1>(sums), moves);
               }));
  }
  void just_moved() { ++moved_; }

 private:
  int left_ = 0, moved_ = 0;
};

}  // namespace native_test
