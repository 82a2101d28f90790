// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lb/simulate/relative_fit.hpp"

namespace skein::lb {
namespace {

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

}  // namespace

Curve Curve::fit(std::span<const CurveSample> samples, std::span<const Term> terms) {
  check(samples);
  std::vector<std::vector<double>> columns(terms.size());
  std::vector<double> seconds;
  for (const CurveSample& sample : samples) {
    for (std::size_t k = 0; k < terms.size(); ++k) columns[k].push_back(value_of(terms[k], sample.at));
    seconds.push_back(sample.seconds);
  }
  const std::vector<double> factors = fit_relative(columns, seconds);
  Curve best;
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (factors[k] > 0) best.parts_.push_back({terms[k], factors[k]});
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
