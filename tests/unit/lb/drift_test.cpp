// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/drift.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

/// The part of a gain that is left after so many intervals.
double left_of(const Drift& drift, double intervals = 1) {
  const Drift::Fading fading = drift.fading(intervals);
  return fading.real * fading.persistence;
}

}  // namespace

// PE 0 is 0.4 above the mean, so levelling takes 0.4 / 1.4 of its objects, a quarter of that to PE 1 and
// three quarters to PE 2.
//   fading:    of 1.2 it takes 0.3429: 0.8571, 1.0357, 1.1071. Left is 1.2 - 1.1071 = 0.0929 of 0.4.
//   wandering: of 1.3 it takes 0.3714: 0.9286, 0.9929, 1.0786. Left is 1.3 - 1.0786 = 0.2214, in two
//   intervals.
// Turned round, levelling was worth less than nothing, which counts as a twentieth.
TEST_CASE("drift: persistence is the part of a gain that is left") {
  const std::vector<double> before{1.4, 0.9, 0.7}, fading{1.2, 0.95, 0.85}, wandering{1.3, 0.9, 0.8};
  Drift drift;
  CHECK(left_of(drift) == 1);
  drift.learn(1, before, fading);
  CHECK(left_of(drift) == doctest::Approx(0.092857 / 0.4));
  Drift other;
  other.learn(2, before, wandering);
  CHECK(left_of(other) == doctest::Approx(std::sqrt(0.221429 / 0.4)));
  CHECK(left_of(other, 2) == doctest::Approx(0.221429 / 0.4));
  Drift lasting;
  lasting.learn(1, before, before);
  CHECK(left_of(lasting) == doctest::Approx(1));
  Drift gone;
  gone.learn(1, before, std::vector<double>{0.6, 1.1, 1.3});
  CHECK(left_of(gone) == doctest::Approx(0.05));
  Drift balanced;
  balanced.learn(1, std::vector<double>{1, 1}, std::vector<double>{1.1, 0.9});
  CHECK(left_of(balanced) == 1);
}

// The differences are 0.2, 0.05 and 0.15: (0.04 + 0.0025 + 0.0225) / 3 = 0.021667. A second comparison
// without any counts 1 / 0.8 as much.
TEST_CASE("drift: the spread is the standard deviation from what was expected") {
  const std::vector<double> before{1.4, 0.9, 0.7}, now{1.2, 0.95, 0.85};
  Drift drift;
  CHECK(drift.fading().spread == 0);
  drift.learn(1, before, now);
  CHECK(drift.fading().spread == doctest::Approx(std::sqrt(0.021667)).epsilon(1e-4));
  CHECK(drift.fading(5).spread == drift.fading().spread);
  drift.learn(1, before, before);
  CHECK(drift.fading().spread == doctest::Approx(std::sqrt(0.021667 * 0.8 / 1.8)).epsilon(1e-4));
}

// From 1.2, 0.95, 0.85 a sixth of PE 0 goes to the others. Of 1.4 that leaves 1.1667, which is 0.2333 better
// than no levelling and so all of the gain of 0.2; but the levelled placement itself is uneven by a sixth.
TEST_CASE("drift: imbalance that has grown burdens every placement, but not what goes on levelling") {
  Drift drift;
  drift.learn(1, std::vector<double>{1.2, 0.95, 0.85}, std::vector<double>{1.4, 0.9, 0.7});
  CHECK(left_of(drift) == 1);
  CHECK(drift.fading().returning == doctest::Approx(1.0 / 6));
  CHECK(drift.fading(3).returning == doctest::Approx(0.5));
}

// Finish times 1.4 | 0.6, 1.3 | 0.7, 1.2 | 0.8: work leaves the fuller PE. Levelling the first takes 0.4
// / 1.4 of PE 0, which leaves PE 1 above by 0.3714 - 0.3 = 0.0714 and then by 0.3429 - 0.2 = 0.1429;
// levelling the second leaves 0.3 / 1.3 * 1.2 - 0.2 = 0.0769. So after one interval (0.8 * 0.0714 + 0.0769)
// / 1.8 = 0.0745 has returned and after two 0.1429, of which 0.0684 in the second; though of the gain itself
// much more is gone: 0.3 - 0.0714 is left of 0.4 after one.
TEST_CASE("drift: what returns on a levelled placement is no matter of what becomes of the old one") {
  Drift drift;
  for (const double high : {1.4, 1.3, 1.2})
    drift.observe(test::make_snapshot(2, {high, 2 - high}, {0, 1}), 1);
  const double after_one = (0.8 * (1.3 * 0.4 / 1.4 - 0.3) + (1.2 * 0.3 / 1.3 - 0.2)) / 1.8;
  CHECK(drift.fading().returning == doctest::Approx(1.2 * 0.4 / 1.4 - 0.2 - after_one));
  CHECK(left_of(drift) < 0.6);
}

// As much after two intervals as after one: 1.5 | 0.5 and then twice 1.4 | 0.6. Levelling the first takes a
// third, which leaves PE 1 above by 0.4667 - 0.4; levelling the second leaves nothing. The mean after one is
// (0.8 * 0.0667) / 1.8 = 0.0296, after two 0.0667: noise adds as much to both, so their difference returns in
// each. With 1.5 | 0.5 at last it is noise: levelling the first leaves nothing then, and nothing returns.
TEST_CASE("drift: noise does not return") {
  const auto returning = [](double third) {
    Drift drift;
    for (const double high : {1.5, 1.4, third})
      drift.observe(test::make_snapshot(2, {high, 2 - high}, {0, 1}), 1);
    return drift.fading().returning;
  };
  CHECK(returning(1.4) == doctest::Approx((1.4 / 3 - 0.4) * (1 - 0.8 / 1.8)));
  CHECK(returning(1.5) == 0);
}

// Of a gain of 0.1 less than nothing is left (PE 1 gets 0.1 / 1.1 too much), of one of 0.2 all. Weighted with
// the gains, the older counting 0.8: (0.8 * 0.1 * -0.0909 + 0.2 * 0.2) / (0.8 * 0.01 + 0.04) = 15 / 22.
TEST_CASE("drift: what is older counts less, and a larger gain more") {
  Drift drift;
  drift.learn(1, std::vector<double>{1.1, 0.9}, std::vector<double>{1, 1});
  drift.learn(1, std::vector<double>{1.2, 0.8}, std::vector<double>{1.2, 0.8});
  CHECK(left_of(drift) == doctest::Approx(15.0 / 22));
}

// Loads 4, 2 on PE 0 and 1, 1 on PE 1 give 6 and 2 s, deviations of 1/2 from the mean of 4. They are the same
// in the second interval, so all of it has lasted, though objects 0 and 3 have changed places meanwhile.
TEST_CASE("drift: compares the loads of two intervals on one placement, whatever moved") {
  Drift drift;
  drift.observe(test::make_snapshot(2, {4, 2, 1, 1}, {0, 0, 1, 1}), 1);
  drift.observe(test::make_snapshot(2, {4, 2, 1, 1}, {1, 0, 1, 0}), 1);
  CHECK(left_of(drift) == 1);
  // The new placement gave 3 and 5 s: levelling takes a fifth of PE 1. By the loads of the third interval
  // both have 4 s there, so that would leave 0.2 less than nothing. (0.8 * 0.5^2 - 0.25 * 0.2) / (0.8 * 0.5^2
  // + 0.25^2)
  drift.observe(test::make_snapshot(2, {3, 2, 1, 2}, {0, 0, 1, 1}), 1);
  CHECK(left_of(drift) == doctest::Approx(0.15 / 0.2625));
}

// Objects 7, 8 and 9 give PE 0 3 s and PE 1 1 s. Then 8 has ended, 5 is new, 9 took over its work, and the
// snapshot lists them in another order on other PEs: where 7 and 9 were, PEs still have 3 and 1 s.
TEST_CASE("drift: objects are known by their ids") {
  Drift drift;
  Snapshot first = test::make_snapshot(2, {3, 1, 0}, {0, 1, 1});
  first.objects.id = {7, 8, 9};
  drift.observe(first, 1);
  Snapshot second = test::make_snapshot(2, {1, 3, 0}, {0, 1, 0});
  second.objects.id = {9, 7, 5};
  drift.observe(second, 1);
  CHECK(left_of(drift) == 1);
}

// On two PEs the factor of an interval of noise is as often positive as negative. Were single ones believed,
// the mean of what is at least 0.05 and at most 1 would be about a half.
TEST_CASE("drift: noise does not last") {
  Random random(1);
  Drift drift;
  double sum = 0;
  constexpr int kIntervals = 400;
  for (int k = 0; k < kIntervals; ++k) {
    drift.observe(test::make_snapshot(2, {1 + 0.05 * random.unit(), 1 + 0.05 * random.unit()}, {0, 1}), 1);
    sum += left_of(drift);
  }
  CHECK(sum / kIntervals < 0.3);
}

// Finish times 1.5 | 0.5, 1.47 | 0.53, 1.44 | 0.56. Levelling the first takes a third of PE 0, which leaves
// PE 1 the larger with 1.02 instead of 1.47, and with 1.04 instead of 1.44: 0.45 and 0.4 of 0.5. Levelling
// the second takes 0.47 / 1.47, and leaves 1.0204 instead of 1.44: 0.4196 of 0.47. So after one interval (0.8
// * 0.5 * 0.45 + 0.47 * 0.4196) / (0.8 * 0.25 + 0.2209) = 0.8962 is left (what is older counts 0.8), after
// two 0.8, which is less than 0.8962^2: drift alone, and all of the gain was real.
// Had PE 0 1.5 again, levelling the second would gain at least all of its 0.47, so that (0.18 + 0.2209) /
// 0.4209 = 0.9525 would be left after one interval, but all after two: what was gone was noise.
TEST_CASE("drift: comparing over two distances tells drift from noise") {
  const auto observe = [](double third) {
    Drift drift;
    for (const double high : {1.5, 1.47, third})
      drift.observe(test::make_snapshot(2, {high, 2 - high}, {0, 1}), 1);
    return drift;
  };
  const Drift drifting = observe(1.44);
  const double left = (0.18 + 0.47 * (0.88 - 1.44 * 0.47 / 1.47)) / (0.2 + 0.47 * 0.47);
  CHECK(drifting.fading().real == doctest::Approx(1));
  CHECK(drifting.fading().persistence == doctest::Approx(left));
  CHECK(drifting.fading(3).persistence == doctest::Approx(std::pow(left, 3)));
  const Drift noisy = observe(1.5);
  CHECK(noisy.fading().persistence == doctest::Approx(1));
  CHECK(noisy.fading().real == doctest::Approx((0.18 + 0.47 * 0.47) / (0.2 + 0.47 * 0.47)));
  CHECK(left_of(noisy, 10) == doctest::Approx(left_of(noisy, 1)));
}

// Loads that stay but for noise of 3 %: after ten intervals still nearly as much of a gain is left as after
// one. Compared with the last step alone, the loss of one interval would count ten times.
TEST_CASE("drift: noise takes its part of a gain once") {
  Random random(5);
  const auto noisy = [&](double load) { return load * (1 + 0.03 * (2 * random.unit() - 1)); };
  Drift drift;
  for (int k = 0; k < 40; ++k)
    drift.observe(test::make_snapshot(4, {noisy(2), noisy(1), noisy(1), noisy(1)}, {0, 1, 2, 3}), 1);
  CHECK(1 - left_of(drift, 10) < 3 * (1 - left_of(drift, 1)));
  CHECK(std::pow(left_of(drift, 1), 10) < 0.8);
}
