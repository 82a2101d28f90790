// SPDX-License-Identifier: Apache-2.0
// Measured times as a function of processes and work: sums of terms none of which is below zero, fitted by
// least squares of relative errors. Pure.
//
// The fit also chooses the terms of a curve: of all subsets of the allowed terms, it takes the sum with the
// least squares; among equally good sums, the one with fewest terms, and among those the one whose terms come
// first. So two points do not lead to three terms, and one point leads to the first term. (This is the
// least-squares problem with non-negative coefficients of C. L. Lawson, R. J. Hanson, "Solving Least Squares
// Problems", 1974, chapter 23, solved by trying all subsets: there are few.)
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace skein::lb {

enum class Term : unsigned char {
  share,     // work / processes: work that is divided
  whole,     // work: work that each process does in full
  constant,  // 1
  tree,      // log2(processes): reductions
  row,       // processes: work done for one process after the other
  ratio      // partners / processes: messages to and from each
};

/// The point at which a curve is evaluated or was measured.
struct CurvePoint {
  double processes = 1;  // at least 1
  double work = 1;       // above 0, in any unit that stays the same
  double partners = 1;   // at least 1: the processes that these exchange messages with
};

struct CurveSample {
  CurvePoint at;
  double seconds;  // above 0
};

/// Reports that no curve follows from the samples; the text says which sample is wrong.
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
  /// Fits a curve to the samples; without samples it is zero everywhere. Throws CurveError.
  static Curve fit(std::span<const CurveSample> samples, std::span<const Term> terms);

  double operator()(const CurvePoint& at) const;
  /// Returns the non-zero parts, in the order of the terms that the curve was fitted from.
  const std::vector<Part>& parts() const { return parts_; }
  /// Returns the largest relative error of the fit.
  double worst_error() const { return worst_error_; }
  bool is_zero() const { return parts_.empty(); }

 private:
  std::vector<Part> parts_;
  double worst_error_ = 0;
};

/// Returns the curve as text, in seconds: "2.5e-08 work/processes + 3e-06 log2(processes)".
std::string to_string(const Curve& curve);

}  // namespace skein::lb
