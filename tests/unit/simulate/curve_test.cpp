// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/curve.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace skein::lb;

namespace {

constexpr Term kStep[] = {Term::share, Term::constant, Term::tree};
constexpr Term kPartitioner[] = {Term::share, Term::constant, Term::tree, Term::row};

CurveSample measured(double processes, double work, double seconds, double partners = 1) {
  return {{.processes = processes, .work = work, .partners = partners}, seconds};
}

void check_part(const Curve& curve, std::size_t k, Term term, double seconds) {
  REQUIRE(k < curve.parts().size());
  CHECK(curve.parts()[k].term == term);
  CHECK(curve.parts()[k].seconds == doctest::Approx(seconds));
}

}  // namespace

TEST_CASE("curve: a sum that is measured exactly is found") {
  // 3 work / processes + 2
  const CurveSample samples[] = {measured(1, 12, 38), measured(2, 12, 20), measured(4, 12, 11)};
  const Curve curve = Curve::fit(samples, kStep);
  REQUIRE(curve.parts().size() == 2);
  check_part(curve, 0, Term::share, 3);
  check_part(curve, 1, Term::constant, 2);
  CHECK(curve.worst_error() < 1e-12);
  CHECK(curve({.processes = 6, .work = 24}) == doctest::Approx(14));
  CHECK(to_string(curve) == "3 work/processes + 2");
}

TEST_CASE("curve: a partitioner that is fastest on some and slower on more processes") {
  // work / m + 3 m
  const CurveSample samples[] = {measured(1, 600, 603), measured(2, 600, 306), measured(10, 600, 90),
                                 measured(20, 600, 90)};
  const Curve curve = Curve::fit(samples, kPartitioner);
  REQUIRE(curve.parts().size() == 2);
  check_part(curve, 0, Term::share, 1);
  check_part(curve, 1, Term::row, 3);
  CHECK(curve({.processes = 100, .work = 600}) == doctest::Approx(306));
}

TEST_CASE("curve: no term is below zero, and errors count relatively") {
  // 1 / n^2. Through the share and a constant by itself the constant would be negative. The factor a of
  // 1 / n makes (1 - a)^2 + (1 - 2 a)^2 + (1 - 4 a)^2 least: a = 7 / 21.
  const CurveSample samples[] = {measured(1, 1, 1), measured(2, 1, 0.25), measured(4, 1, 0.0625)};
  const Curve curve = Curve::fit(samples, kStep);
  REQUIRE(curve.parts().size() == 1);
  check_part(curve, 0, Term::share, 1.0 / 3);
  CHECK(curve.worst_error() == doctest::Approx(2.0 / 3));
}

TEST_CASE("curve: of few points follow few terms, the first ones") {
  const CurveSample one[] = {measured(4, 8, 10)};
  const Curve curve = Curve::fit(one, kStep);
  REQUIRE(curve.parts().size() == 1);
  check_part(curve, 0, Term::share, 5);
  CHECK(curve({.processes = 2, .work = 8}) == doctest::Approx(20));
  // The same point again gives no more information.
  const CurveSample twice[] = {one[0], one[0]};
  CHECK(Curve::fit(twice, kStep).parts().size() == 1);
  CHECK(Curve::fit({}, kStep).is_zero());
  CHECK(to_string(Curve()) == "0");
}

TEST_CASE("curve: trees and ratios") {
  // 5 log2(m) + partners / m
  constexpr Term terms[] = {Term::tree, Term::ratio};
  const CurveSample samples[] = {measured(2, 1, 13, 16), measured(4, 1, 14, 16), measured(8, 1, 17, 16)};
  const Curve curve = Curve::fit(samples, terms);
  REQUIRE(curve.parts().size() == 2);
  check_part(curve, 0, Term::tree, 5);
  check_part(curve, 1, Term::ratio, 1);
}

TEST_CASE("curve: samples that cannot be are named") {
  const auto refused = [](const CurveSample& sample) {
    const CurveSample samples[] = {measured(1, 1, 1), sample};
    try {
      (void)Curve::fit(samples, kStep);
    } catch (const CurveError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused(measured(0, 1, 1)) == "sample 2: the number of processes is 0; it must be at least 1");
  CHECK(refused(measured(1, 0, 1)) == "sample 2: the work is 0; it must be above 0");
  CHECK(refused(measured(1, 1, -1)) == "sample 2: the time is -1; it must be above 0 seconds");
  CHECK(refused(measured(1, 1, 1, 0.5)) == "sample 2: the number of partners is 0.5; it must be at least 1");
  CHECK(refused(measured(1, 1, std::nan(""))).find("the time is nan") != std::string::npos);
}

TEST_CASE("curve: of terms that fit samples of one number of processes alike it is the first") {
  // By rounding, any of the three may be slightly better than the others.
  for (double processes = 2; processes < 70000; processes = 2 * processes - 1) {
    std::vector<CurveSample> samples;
    for (const double seconds : {1.1, 0.97, 1.02, 1.003, 0.9})
      samples.push_back({{.processes = processes}, seconds / processes});
    const Curve curve = Curve::fit(samples, std::vector<Term>{Term::share, Term::constant, Term::tree});
    CHECK(curve.parts().size() == 1);
    CHECK(curve.parts().front().term == Term::share);
  }
}
