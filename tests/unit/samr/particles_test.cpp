// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/particles.hpp"

#include <doctest/doctest.h>

#include <random>

#include "apps/samr/patch.hpp"

using namespace samr;

namespace {

const Box domain{{0, 0, 0}, {8, 8, 8}};
constexpr double side = 1.0 / 8;

Particles random_particles(int count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(0, 1);
  Particles particles;
  for (int i = 0; i < count; ++i)
    particles.push_back(
        {i, draw(random), {draw(random), draw(random), draw(random)}, {draw(random) - 0.5, 0, 0}, 0, 0});
  return particles;
}

double total(const Masses& masses) {
  apps::FixedSum sum;
  for (const apps::FixedSum& mass : masses.values()) sum += mass;
  return sum.value();
}

}  // namespace

TEST_CASE("particles: a cloud lies on the cells that it covers, by how much it does, and walls reflect it") {
  Masses masses(domain);
  add_clouds({{0, 1, {3.75 * side, 2.5 * side, 0.25 * side}, {}, 0, 0}}, domain, side, masses);
  CHECK(masses[{3, 2, 0}].value() == doctest::Approx(0.75));
  CHECK(masses[{4, 2, 0}].value() == doctest::Approx(0.25));
  CHECK(total(masses) == doctest::Approx(1));
}

TEST_CASE("particles: masses of clouds are kept, and are the same in any order and part by part") {
  Particles particles = random_particles(500);
  Masses masses(domain), parts(domain);
  add_clouds(particles, domain, side, masses);
  double mass = 0;
  for (const Particle& p : particles) mass += p.mass;
  CHECK(total(masses) == doctest::Approx(mass).epsilon(1e-14));
  std::ranges::reverse(particles);
  for (const Box& part : domain.cut(1, 3)) {
    Masses piece(part);
    add_clouds(particles, domain, side, piece);
    for_each_cell(part, [&](const Cell& c) { parts[c] += piece[c]; });
  }
  for_each_cell(domain, [&](const Cell& c) {
    CHECK((parts[c].low == masses[c].low && parts[c].high == masses[c].high));
  });
}

TEST_CASE("particles: each is pulled and goes to a time from its own, and none that has come further") {
  Pulls pulls(domain);
  // A pull of 2 along x.
  for_each_cell(domain, [&](const Cell& c) { pulls[c].potential = -2 * (c[0] + 0.5) * side; });
  Particles particles{{0, 1, {0.5, 0.5, 0.5}, {}, 0, 0},
                      {1, 1, {0.5, 0.5, 0.5}, {}, 0.25, 0.25},
                      {2, 1, {0.5, 0.5, 0.5}, {}, 1, 1}};
  kick(particles, pulls, domain, side, 0.5);
  CHECK(particles[0].velocity.x == doctest::Approx(1));
  CHECK(particles[1].velocity.x == doctest::Approx(0.5));
  CHECK(particles[2].velocity.x == 0);
  CHECK(particles[0].velocity.y == 0);
  drift(particles, domain, side, 0.25);
  CHECK(particles[0].at.x == doctest::Approx(0.75));
  CHECK(particles[1].at.x == 0.5);
  CHECK(particles[2].at.x == 0.5);
}

TEST_CASE("particles: walls reflect them, and they stay in the cells of the domain") {
  Particles particles{{0, 1, {0.9, 0.1, 0.5}, {1, -1, 0.5}, 0, 0}};
  drift(particles, domain, side, 0.25);
  CHECK(particles[0].at.x == doctest::Approx(0.85));
  CHECK(particles[0].at.y == doctest::Approx(0.15));
  CHECK(particles[0].velocity.x == -1);
  CHECK(particles[0].velocity.y == 1);
  CHECK(particles[0].velocity.z == 0.5);
  Particles at_the_wall{{0, 1, {1, 0, 0.5}, {}, 0, 0}};
  drift(at_the_wall, domain, side, 1);
  CHECK(domain.contains(cell_of(at_the_wall[0].at, side)));
}

TEST_CASE("particles: they are divided with their patch, and come together with it") {
  Patch patch;
  patch.now = Field(domain);
  patch.pulls = Pulls(domain);
  patch.side = side;
  patch.particles = random_particles(100);
  const std::vector<Patch> halves = divided(patch, 0.5);
  REQUIRE(halves.size() == 2);
  CHECK(halves[0].particles.size() + halves[1].particles.size() == 100);
  for (const Patch& half : halves) {
    CHECK(!half.particles.empty());
    for (const Particle& p : half.particles) CHECK(half.box().contains(cell_of(p.at, side)));
    CHECK(half.pulls.box() == half.box());
  }
  const std::vector<Patch> again = joined(halves);
  REQUIRE(again.size() == 1);
  CHECK(again[0].particles.size() == 100);
  CHECK(again[0].pulls.box() == domain);
}
