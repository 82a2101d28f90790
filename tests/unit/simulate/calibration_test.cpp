// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/calibration.hpp"

#include <doctest/doctest.h>

using namespace skein::simulate;

TEST_CASE("calibration: a line through its own points") {
  const std::vector<SizeTime> points{{0, 100}, {10, 105}, {1000, 600}};
  const Line line = fit_line(points);
  CHECK(line.constant == doctest::Approx(100));
  CHECK(line.slope == doctest::Approx(0.5));
  CHECK(line.residual < 1e-9);
}

TEST_CASE("calibration: neither part of a line is below zero") {
  const std::vector<SizeTime> falling{{0, 100}, {1000, 50}};
  // Least squares of relative errors of a constant: sum(1/y) / sum(1/y^2).
  CHECK(fit_line(falling).constant == doctest::Approx((1 / 100. + 1 / 50.) / (1 / 1e4 + 1 / 2500.)));
  CHECK(fit_line(falling).slope == 0);
  const std::vector<SizeTime> steep{{10, 1}, {20, 100}};
  CHECK(fit_line(steep).constant == 0);
  // Through the origin: sum(x/y) / sum(x^2/y^2).
  CHECK(fit_line(steep).slope == doctest::Approx((10 + 0.2) / (100 + 0.04)));
  CHECK(fit_line({}).constant == 0);
}

// The times are computed from known costs by the rules for messages in platform.hpp.
TEST_CASE("calibration: finds the costs that the times were made with") {
  Measurements measured;
  measured.pes_per_node = 4;
  measured.step_pes = 4;
  measured.eager_bytes = 1000;
  measured.switch_ns = 30;
  for (const double bytes : {0., 100., 500., 1000., 10000., 100000.}) {
    const double here = 80 + 0.05 * bytes;
    measured.pe.trips.push_back({bytes, here});
    const bool eager = bytes <= 1000;
    measured.node.trips.push_back(
        {bytes, here - 30 + 40 + 200 + 60 + (eager ? 0.01 + 0.1 + 0.02 : 0.15) * bytes});
    if (!eager) continue;
    measured.pe.sends.push_back({bytes, 30 + 0.02 * bytes});
    measured.node.sends.push_back({bytes, 70 + 0.03 * bytes});
    measured.pe.receives.push_back({bytes, 50 + 0.03 * bytes});
    measured.node.receives.push_back({bytes, 110 + 0.05 * bytes});
  }
  for (const double objects : {16., 256.}) {
    measured.node_steps.push_back({objects, 0, false, 2 * 3000 + 50 * objects});
    for (const double bytes : {0., 1e6})
      measured.node_steps.push_back(
          {objects, bytes, true, 2 * 3000 + 50 * objects + 20000 + 2 * objects / 4 * (4000 + 0.1 * bytes)});
  }
  measured.decisions = {{"greedy", 1000, 900 + 7000},
                        {"greedy", 2000, 900 + 14000},
                        {"zoltan", 1000, 500 + 4000},
                        {"zoltan", 2000, 500 + 8000}};
  // 300 + 200 m + 4 e / m, in jobs in which deciding takes three times as long.
  for (const double elements : {500., 1000., 4000.})
    for (const std::uint32_t m : {1u, 2u, 4u})
      measured.together.push_back({"zoltan", m, elements, 3 * (300 + 200 * m + 4 * elements / m)});
  const Platform platform = calibrate(measured).platform;
  CHECK(platform.pe_count() == 4);
  CHECK(platform.switch_ns == 30);
  CHECK(platform.node.send_ns == doctest::Approx(40));
  CHECK(platform.node.send_byte_ns == doctest::Approx(0.01));
  CHECK(platform.node.receive_ns == doctest::Approx(60));
  CHECK(platform.node.receive_byte_ns == doctest::Approx(0.02));
  CHECK(platform.node.latency_ns == doctest::Approx(200));
  CHECK(platform.node.byte_ns == doctest::Approx(0.1));
  CHECK(platform.node.fetch_byte_ns == doctest::Approx(0.15));
  CHECK(platform.moves.meeting_ns == doctest::Approx(3000));
  CHECK(platform.moves.collect_object_ns == doctest::Approx(50));
  CHECK(platform.moves.begin_ns == doctest::Approx(20000));
  CHECK(platform.moves.object_ns == doctest::Approx(4000));
  CHECK(platform.moves.node_byte_ns == doctest::Approx(0.1));
  CHECK(platform.decision_element_ns.at("greedy") == doctest::Approx(7));
  CHECK(platform.decision_ns.at("greedy") == doctest::Approx(900));
  CHECK(platform.together.element_ns.at("zoltan") == doctest::Approx(4));
  CHECK(platform.together.ns.at("zoltan") == doctest::Approx(300));
  CHECK(platform.together.pe_ns.at("zoltan") == doctest::Approx(200));
  CHECK_FALSE(platform.together.level_ns.contains("zoltan"));
  CHECK(platform.together.pes.at("zoltan") == 4);
  CHECK(platform.together.pes.size() == 1);
}

TEST_CASE(
    "calibration: how much PEs slow each other down is the median of rounds, each by its own beginning") {
  Measurements measured;
  measured.pes_per_node = 4;
  // In the second round the machine was half as fast throughout; in the third something disturbed one time.
  measured.computing = {{1, 100}, {2, 110}, {4, 150}, {1, 200}, {2, 220},
                        {4, 300}, {1, 100}, {2, 900}, {4, 150}};
  const std::vector<double> contention = calibrate(measured).platform.contention;
  REQUIRE(contention.size() == 4);
  CHECK(contention[0] == 1);
  CHECK(contention[1] == doctest::Approx(1.1));
  CHECK(contention[2] == doctest::Approx(1.3));  // between two and four
  CHECK(contention[3] == doctest::Approx(1.5));
  measured.computing = {{1, 100}, {2, 90}};  // by chance
  CHECK(calibrate(measured).platform.contention == std::vector<double>{1, 1});
}
