// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein::vmpi {

/// The recorder's mark of a request (RequestTable::mark_of): its number, whether it has one, and whether more
/// is recorded when its result is taken: the message that it got, or that it was cancelled. An MPI_Isendrecv
/// has two numbers and a neighbourhood collective any number of them; the mark has the last. 0: no number.
struct Mark {
  static constexpr std::uint32_t has_several = 1u << 31, tells_more = 1u << 30, is_numbered = 1u << 29,
                                 number = is_numbered - 1;
};

/// The requests whose results a Wait or Test takes. Programs mostly name requests in the order in which they
/// have started them: these are a run of numbers, and each costs a comparison. A list elsewhere has the
/// others.
class Taken {
 public:
  void begin() { first_ = next_ = no_mark; }
  /// Takes a request if it is the first or the next of the run.
  bool take(std::uint32_t mark) {
    if (mark != next_) {
      if (first_ != no_mark || (mark & ~Mark::number) != Mark::is_numbered) return false;
      first_ = mark;
    }
    next_ = mark + 1;  // the run ends at the last number: no mark is equal to the bit above
    return true;
  }
  void end_run() {
    first_ = 0;
    next_ = no_mark;
  }
  bool empty() const { return first_ == no_mark; }
  /// Precondition of the following functions: not empty().
  bool are_run() const { return next_ != no_mark; }
  std::uint32_t first_number() const { return first_ & Mark::number; }
  std::uint32_t count() const { return next_ - first_; }

 private:
  static constexpr std::uint32_t no_mark = 1;
  std::uint32_t first_, next_;
};

}  // namespace skein::vmpi
