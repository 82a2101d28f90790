// SPDX-License-Identifier: Apache-2.0
// Measured times as a function of processes and work: sums of terms none of which is below zero, fitted by
// least squares of relative errors. Pure.
//
// Which terms are in a curve is found out, too: of all sums of the terms that are allowed the one with the
// least squares; where several are as good, that with fewest terms, and of these the one whose terms come
// first. So two points are no reason for three terms, and of one point the first term follows. (That is the
// least-squares problem with non-negative coefficients of C. L. Lawson, R. J. Hanson, "Solving Least Squares
// Problems", 1974, chapter 23, by trying all sets of terms: there are few.)
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace skein::lb {

enum class Term : unsigned char {
  share,     // work / processes: what is divided
  whole,     // work: what each process does all of
  constant,  // 1
  tree,      // log2(processes): reductions
  row,       // processes: what is done for one after the other
  ratio      // partners / processes: messages to and from each
};

/// Where a curve is looked at, or was measured.
struct CurvePoint {
  double processes = 1;  // at least 1
  double work = 1;       // above 0, in any unit that stays the same
  double partners = 1;   // at least 1: the processes that exchange with these
};

struct CurveSample {
  CurvePoint at;
  double seconds;  // above 0
};

/// No curve follows from the samples; the text says which one is wrong.
struct CurveError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

class Curve {
 public:
  struct Part {
    Term term;
    double seconds;  // at a term of 1
  };

  Curve() = default;  // zero everywhere
  explicit Curve(std::vector<Part> parts) : parts_(std::move(parts)) {}
  /// Throws CurveError. Without samples: zero everywhere.
  static Curve fit(std::span<const CurveSample> samples, std::span<const Term> terms);

  double operator()(const CurvePoint& at) const;
  /// In the order of the terms they were fitted from; those that are zero are left out.
  const std::vector<Part>& parts() const { return parts_; }
  /// The largest relative error of the fit.
  double worst_error() const { return worst_error_; }
  bool is_zero() const { return parts_.empty(); }

 private:
  std::vector<Part> parts_;
  double worst_error_ = 0;
};

/// "2.5e-08 work/processes + 3e-06 log2(processes)", in seconds.
std::string to_string(const Curve& curve);

}  // namespace skein::lb
