// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/generate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

using namespace skein::lb;
using doctest::Approx;

namespace {

Snapshot make(const char* kind, std::size_t objects, std::size_t pes, std::uint64_t seed = 1) {
  return parse_generator(kind).generate({.objects = objects, .pes = pes, .seed = seed});
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::string error_of(const char* kind, std::size_t objects = 1, std::size_t pes = 1) {
  try {
    make(kind, objects, pes);
  } catch (const GenerateError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("generate: every kind is valid, of the size asked for, and the same for the same seed") {
  for (const GeneratorInfo& info : generators()) {
    for (std::size_t objects : {1u, 7u, 64u, 1000u}) {
      for (std::size_t pes : {1u, 3u, 16u}) {
        const std::string name(info.name);
        CAPTURE(name);
        CAPTURE(objects);
        CAPTURE(pes);
        if (name.starts_with("pattern") && objects < pes) continue;
        const Snapshot snapshot = make(name.c_str(), objects, pes, 5);
        CHECK_NOTHROW(snapshot.validate());
        CHECK(snapshot.object_count() == objects);
        CHECK(snapshot.pe_count() == pes);
        CHECK_FALSE(snapshot.graph.empty());
        const Snapshot again = make(name.c_str(), objects, pes, 5);
        CHECK(again.objects.load == snapshot.objects.load);
        CHECK(again.graph.to == snapshot.graph.to);
      }
    }
  }
  CHECK(make("power-law", 50, 2, 1).objects.load != make("power-law", 50, 2, 2).objects.load);
  CHECK(make("mesh2d", 50, 2, 1).objects.load != make("mesh2d", 50, 2, 2).objects.load);
}

// 12 objects are 3 x 4: 2 (2 x 4 + 3 x 3) = 34 directed edges. 60 are 3 x 4 x 5: 2 (2 x 4 x 5 + 3 x 3 x 5 + 3
// x 4 x 4) = 266.
TEST_CASE("generate: meshes have the edges of a mesh, without hot spots equal loads") {
  const Snapshot flat = make("mesh2d:hot_spots=0,bytes=100", 12, 4);
  CHECK(flat.graph.edge_count() == 34);
  CHECK(std::ranges::all_of(flat.graph.bytes, [](float bytes) { return bytes == 100; }));
  CHECK(flat.objects.load == std::vector<double>(12, 1.0));
  CHECK(make("mesh3d", 60, 4).graph.edge_count() == 266);
  // 4 x 4 objects on 2 x 2 PEs: each has a box of 2 x 2.
  CHECK(make("mesh2d", 16, 4).objects.pe ==
        std::vector<PeIndex>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
}

// 4 x 4 objects on 2 x 2 PEs: the first three objects of each PE share a block, the fourth reads another.
TEST_CASE("generate: blocks are of one PE's objects, and at home there") {
  const Snapshot mesh = make("mesh2d:blocks=3,block_size=50", 16, 4);
  const auto& block = mesh.blocks.of_object;
  CHECK(block == std::vector<std::uint32_t>{0, 0, 1, 1, 0, 2, 1, 3, 4, 4, 5, 5, 4, 6, 5, 7});
  CHECK(mesh.blocks.home == std::vector<PeIndex>{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(mesh.blocks.bytes == std::vector<std::uint64_t>(8, 50));
  CHECK(make("mesh2d", 16, 4).blocks.empty());
}

// The sum over a mesh of side h of a Gaussian far from all borders is near its integral: contrast 2 pi r^2 /
// h^2 in the plane. The hot spot lies inside by chance; of ten seeds the largest sum is that of one far from
// borders.
TEST_CASE("generate: a hot spot is a Gaussian of its radius") {
  const double side = 100, radius = 0.05, contrast = 20;
  double largest = 0, most = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Snapshot mesh = make("mesh2d:contrast=20,radius=0.05", 10000, 4, seed);
    largest = std::max(largest, total(mesh.objects.load) - 10000);
    most = std::max(most, std::ranges::max(mesh.objects.load));
  }
  CHECK(largest == Approx(contrast * 2 * 3.14159265358979 * radius * radius * side * side).epsilon(1e-6));
  // No centre of an object is farther from the spot than half a diagonal, sqrt(0.5) / 100.
  CHECK(most <= 1 + contrast);
  CHECK(most >= 1 + contrast * std::exp(-0.5e-4 / (2 * radius * radius)));
}

// Pareto with exponent a: mean a / (a - 1), a share 4^-a above 4; messages to the first quarter: sqrt(1/4).
TEST_CASE("generate: power-law follows its law") {
  const Snapshot snapshot = make("power-law:exponent=3,degree=10", 20000, 4);
  CHECK(total(snapshot.objects.load) / 20000 == Approx(1.5).epsilon(0.03));
  const auto above = std::ranges::count_if(snapshot.objects.load, [](double load) { return load > 4; });
  CHECK(static_cast<double>(above) == Approx(20000.0 / 64).epsilon(0.2));
  double messages = 0, to_first_quarter = 0;
  for (std::size_t e = 0; e < snapshot.graph.edge_count(); ++e) {
    messages += snapshot.graph.messages[e];
    if (snapshot.graph.to[e] < 5000) to_first_quarter += snapshot.graph.messages[e];
  }
  CHECK(messages == 200000);
  CHECK(to_first_quarter / messages == Approx(0.5).epsilon(0.02));
}

// Table 1 of Pearce et al., mean 2. Row (b) by hand: loads of 3 and 1 by halves deviate by 1, so that all
// even moments are 1 and the odd ones 0.
TEST_CASE("generate: patterns a and b are the rows of the table") {
  const Snapshot level = make("pattern-a", 80, 8);
  CHECK(finish_times(level, level.objects.pe).at(3) == Approx(2));
  CHECK(percent_imbalance(level, level.objects.pe) == Approx(0));
  const Snapshot b = make("pattern-b", 80, 8);
  const std::vector<double> finish = finish_times(b, b.objects.pe);
  CHECK(total(finish) == Approx(16));
  CHECK(percent_imbalance(finish) == Approx(50));
  CHECK(standard_deviation(finish) == Approx(1));
  CHECK(skewness(finish) == Approx(0));
  CHECK(kurtosis(finish) == Approx(-2));
}

// Rows (c), (d): standard deviation 0.5, skewness 0 (the table prints 2), kurtosis 1, percent imbalance 50.
// By hand: loads of 3, 1 and six times 2; both central moments of second and fourth order are 2 / 8, 1 / 4 /
// (1 / 4)^2 - 3.
TEST_CASE("generate: patterns c and d are the rows of the table, and only c is balanced by neighbours") {
  for (const char* kind : {"pattern-c", "pattern-d"}) {
    const Snapshot snapshot = make(kind, 80, 8);
    std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
    CHECK(total(finish) == Approx(16));
    CHECK(percent_imbalance(finish) == Approx(50));
    CHECK(standard_deviation(finish) == Approx(0.5));
    CHECK(skewness(finish) == Approx(0));
    CHECK(kurtosis(finish) == Approx(1));
    std::ranges::sort(finish);
    CHECK(finish.front() == Approx(1));
    CHECK(finish[1] == Approx(2));
    CHECK(finish[6] == Approx(2));
    CHECK(finish.back() == Approx(3));
  }
  // How far the load that is too much has to go along the row.
  const auto distance = [](const char* kind, std::size_t pes) {
    const Snapshot snapshot = make(kind, 5 * pes, pes);
    const std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
    return std::abs(std::ranges::max_element(finish) - std::ranges::min_element(finish));
  };
  CHECK(distance("pattern-c", 8) == 1);
  CHECK(distance("pattern-c", 9) == 1);
  CHECK(distance("pattern-d", 8) == 7);
  CHECK(distance("pattern-d", 9) == 8);
  const Snapshot sixteen = make("pattern-c:imbalance=40", 160, 16);
  CHECK(kurtosis(finish_times(sixteen, sixteen.objects.pe)) == Approx(5));  // 16 / 2 - 3
  const Snapshot alone = make("pattern-d", 3, 1);
  CHECK(finish_times(alone, alone.objects.pe).at(0) == Approx(2));
}

// 1000 grids: 8 roots and 124 refinements. Directed edges: 2 x 7 between roots, and for each refinement 8 to
// the parent and 12 faces between siblings, both ways.
TEST_CASE("generate: samr refines into eight and doubles the load with each level") {
  const Snapshot tree = make("samr", 1000, 8);
  CHECK(tree.graph.edge_count() == 14 + 124 * 40);
  for (double load : tree.objects.load) CHECK(std::exp2(std::round(std::log2(load))) == load);
  CHECK(std::ranges::count(tree.objects.load, 1.0) == 8);
  // Each object but the roots talks to one of half its load, its parent.
  for (ObjectIndex i = 8; i < 1000; ++i) {
    int parents = 0;
    for (std::uint64_t e = tree.graph.first[i]; e < tree.graph.first[i + 1]; ++e)
      parents += tree.objects.load[tree.graph.to[e]] == tree.objects.load[i] / 2;
    CHECK(parents == 1);
  }
  CHECK(error_of("samr:levels=1", 1000) ==
        "with 1 levels there are no more than 72 grids; raise the key 'levels'");
}

TEST_CASE("generate: bad input is named") {
  CHECK(error_of("mesh") ==
        "unknown kind 'mesh' (did you mean mesh2d?); valid: mesh2d, mesh3d, power-law, pattern-a, pattern-b, "
        "pattern-c, pattern-d, "
        "samr, kneighbor, "
        "plummer");
  CHECK(error_of("mesh2d:spots=1") ==
        "kind 'mesh2d' has no key 'spots'; valid: hot_spots, contrast, radius, bytes, size, blocks, "
        "block_size");
  CHECK(error_of("mesh2d:radius=0") ==
        "kind 'mesh2d': key 'radius' is '0'; it must be a number from 0.001 to 10");
  CHECK(error_of("mesh2d", 0) == "there must be from 1 to 2^32 - 1 objects and PEs");
  CHECK(error_of("mesh2d", 1, 0) == "there must be from 1 to 2^32 - 1 objects and PEs");
  CHECK(error_of("pattern-c", 3, 4) ==
        "this kind needs an object for each PE: there are 3 objects for 4 PEs");
}

// Half of a whole sphere is within r_h, r_h^3 / (1 + r_h^2)^(3/2) = 1/2: r_h = 1.30477; of 99 % that is the
// share 0.5 / 0.99. Its standard deviation of 20,000 bodies is 0.0035.
TEST_CASE("generate: plummer's bodies follow his law") {
  const Snapshot snapshot = make("plummer:cutoff=0", 20000, 4);
  double inside = 0, sum[3] = {};
  for (const auto& body : snapshot.objects.position) {
    inside += std::hypot(body[0], body[1], body[2]) < 1.30477;
    for (int d = 0; d < 3; ++d) sum[d] += body[d] > 0;
  }
  CHECK(std::abs(inside / 20000 - 0.5 / 0.99) < 0.015);
  for (const double above : sum) CHECK(std::abs(above / 20000 - 0.5) < 0.015);
}

TEST_CASE("generate: plummer's bodies interact with those within the cutoff") {
  const Snapshot snapshot = make("plummer:cutoff=0.5,bytes=7", 300, 4);
  const auto& body = snapshot.objects.position;
  REQUIRE(snapshot.hypergraph.hyperedge_count() == 300);
  for (ObjectIndex i = 0; i < 300; ++i) {
    std::vector<ObjectIndex> near;
    for (ObjectIndex j = 0; j < 300; ++j)
      if (std::hypot(double{body[i][0]} - body[j][0], double{body[i][1]} - body[j][1],
                     double{body[i][2]} - body[j][2]) <= 0.5)
        near.push_back(j);
    CHECK(std::ranges::equal(snapshot.hypergraph.pins(i), near));
    CHECK(snapshot.hypergraph.bytes[i] == 7);
    CHECK(snapshot.objects.load[i] == Approx(1e-3 * static_cast<double>(near.size())));
    CHECK(snapshot.graph.first[i + 1] - snapshot.graph.first[i] == near.size() - 1);
  }
}
