// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/curve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace skein::lb {
namespace {

/// A column that is a combination of the others but for this part of it is none of its own.
constexpr double kDependent = 1e-9;
/// Squares of relative errors that differ by less, a sample, are equal: no time is measured to a millionth.
/// So much more than rounding makes of sums that fit alike, such as any two terms where all samples are of
/// one number of processes.
constexpr double kEqual = 1e-12;

double value_of(Term term, const CurvePoint& at) {
  switch (term) {
    case Term::share:
      return at.work / at.processes;
    case Term::whole:
      return at.work;
    case Term::constant:
      return 1;
    case Term::tree:
      return std::log2(at.processes);
    case Term::row:
      return at.processes;
    case Term::ratio:
      return at.partners / at.processes;
  }
  return 0;
}

const char* name_of(Term term) {
  switch (term) {
    case Term::share:
      return " work/processes";
    case Term::whole:
      return " work";
    case Term::constant:
      return "";
    case Term::tree:
      return " log2(processes)";
    case Term::row:
      return " processes";
    case Term::ratio:
      return " partners/processes";
  }
  return "";
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void check(std::span<const CurveSample> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& [at, seconds] = samples[i];
    const auto refuse = [&](const char* what, double value, const char* valid) {
      char text[160];
      snprintf(text, sizeof text, "sample %zu: %s is %g; it must be %s", i + 1, what, value, valid);
      throw CurveError(text);
    };
    const auto is_number = [](double value, double least) { return std::isfinite(value) && value >= least; };
    if (!is_number(at.processes, 1)) refuse("the number of processes", at.processes, "at least 1");
    if (!is_number(at.partners, 1)) refuse("the number of partners", at.partners, "at least 1");
    if (!is_number(at.work, 0) || at.work == 0) refuse("the work", at.work, "above 0");
    if (!is_number(seconds, 0) || seconds == 0) refuse("the time", seconds, "above 0 seconds");
  }
}

struct Solution {
  std::vector<double> factors;
  double squares;  // of relative errors
};

/// Columns divided by the measured times; by modified Gram-Schmidt. None where a column depends on others, or
/// a factor is below zero.
std::optional<Solution> solve(std::span<const CurveSample> samples, const std::vector<Term>& terms) {
  const std::size_t rows = samples.size(), count = terms.size();
  if (count > rows) return std::nullopt;
  std::vector<std::vector<double>> q(count, std::vector<double>(rows));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < rows; ++i) q[k][i] = value_of(terms[k], samples[i].at) / samples[i].seconds;
  std::vector<double> left(rows, 1), in_q(count);
  std::vector<std::vector<double>> r(count, std::vector<double>(count, 0));
  for (std::size_t k = 0; k < count; ++k) {
    const double whole = std::sqrt(dot(q[k], q[k]));
    for (std::size_t j = 0; j < k; ++j) {
      r[j][k] = dot(q[j], q[k]);
      for (std::size_t i = 0; i < rows; ++i) q[k][i] -= r[j][k] * q[j][i];
    }
    r[k][k] = std::sqrt(dot(q[k], q[k]));
    if (!(r[k][k] > kDependent * whole)) return std::nullopt;
    for (double& each : q[k]) each /= r[k][k];
    in_q[k] = dot(q[k], left);
    for (std::size_t i = 0; i < rows; ++i) left[i] -= in_q[k] * q[k][i];
  }
  Solution solution{std::vector<double>(count), dot(left, left)};
  for (std::size_t k = count; k-- > 0;) {
    double sum = in_q[k];
    for (std::size_t j = k + 1; j < count; ++j) sum -= r[k][j] * solution.factors[j];
    solution.factors[k] = sum / r[k][k];
    if (!(solution.factors[k] > 0)) return std::nullopt;
  }
  return solution;
}

}  // namespace

Curve Curve::fit(std::span<const CurveSample> samples, std::span<const Term> terms) {
  check(samples);
  if (samples.empty()) return {};
  // Sets of terms, as bits: fewest first, then those whose first terms come first.
  std::vector<unsigned> sets((std::size_t{1} << terms.size()) - 1);
  for (unsigned set = 0; set < sets.size(); ++set) sets[set] = set + 1;
  std::ranges::stable_sort(sets, {}, [](unsigned set) { return std::popcount(set); });
  Curve best;
  double squares = std::numeric_limits<double>::infinity();
  for (const unsigned set : sets) {
    std::vector<Term> chosen;
    for (std::size_t k = 0; k < terms.size(); ++k)
      if (set >> k & 1) chosen.push_back(terms[k]);
    const std::optional<Solution> found = solve(samples, chosen);
    if (!found || !(found->squares < squares - kEqual * static_cast<double>(samples.size()))) continue;
    squares = found->squares;
    best.parts_.clear();
    for (std::size_t k = 0; k < chosen.size(); ++k) best.parts_.push_back({chosen[k], found->factors[k]});
  }
  for (const CurveSample& sample : samples)
    best.worst_error_ = std::max(best.worst_error_, std::abs(best(sample.at) / sample.seconds - 1));
  return best;
}

double Curve::operator()(const CurvePoint& at) const {
  double seconds = 0;
  for (const Part& part : parts_) seconds += part.seconds * value_of(part.term, at);
  return seconds;
}

std::string to_string(const Curve& curve) {
  std::string text;
  for (const Curve::Part& part : curve.parts()) {
    char number[32];
    snprintf(number, sizeof number, "%s%.3g", text.empty() ? "" : " + ", part.seconds);
    text.append(number).append(name_of(part.term));
  }
  return text.empty() ? "0" : text;
}

}  // namespace skein::lb
