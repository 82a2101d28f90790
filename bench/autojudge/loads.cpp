// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/loads.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "lb/kernel/random.hpp"

namespace autojudge {

using skein::lb::Random;

namespace {

constexpr double kHot = 5;  // the load of a hot object; others have 1
constexpr double kResidue =
    1.5;  // the load of the object that cannot be divided, in PEs' shares of the other objects' load

double distance_on_ring(double a, double b, double around) {
  const double d = std::abs(std::fmod(a - b, around));
  return std::min(d, around - d);
}

double drawn(std::uint64_t seed, std::uint64_t what) { return Random::at(seed * 7919, what).unit(); }

// Returns the place of the hot spot, in parts of the objects.
double centre(const Job& job, std::size_t point) {
  switch (job.spot) {
    case Spot::drift:
      return 0.25 + static_cast<double>(point) / static_cast<double>(job.points);
    case Spot::jump:
      return drawn(job.seed, point / job.every);
    default:
      return 0.25;
  }
}

// Returns the loads without noise. A hot spot is an eighth of the objects wide on each side of its centre.
std::vector<double> expected_loads(const Job& job, std::size_t point) {
  const double n = static_cast<double>(job.objects);
  std::vector<double> loads(job.objects, 1);
  double sum = n;
  if (job.spot != Spot::none) {
    sum = 0;
    for (std::size_t i = 0; i < job.objects; ++i) {
      const double d = distance_on_ring(static_cast<double>(i), n * centre(job, point), n) / (n / 8);
      sum += loads[i] += (kHot - 1) * std::exp(-d * d);
    }
  }
  if (job.residue) loads[job.objects / 2] += kResidue * sum / static_cast<double>(job.pes);
  return loads;
}

double noise_of(const Job& job, std::size_t object, std::size_t point) {
  if (!job.noise && !job.anew) return 1;
  const double u = drawn(job.noise_seed, point * job.objects + object);
  return job.anew ? 0.25 + 1.5 * u : 0.8 + 0.4 * u;
}

void add_part(Job& job, const std::string& part) {
  const std::size_t slash = std::min(part.find('/'), part.size());
  const std::string kind = part.substr(0, slash);
  if (slash < part.size()) job.every = std::stoul(part.substr(slash + 1));
  if (kind == "constant")
    job.spot = Spot::constant;
  else if (kind == "drift")
    job.spot = Spot::drift;
  else if (kind == "jump")
    job.spot = Spot::jump;
  else if (kind == "residue")
    job.residue = true;
  else if (kind == "noise")
    job.noise = true;
  else if (kind == "anew")
    job.anew = true;
  else if (kind != "even")
    throw std::invalid_argument(
        "no loads change as '" + part +
        "': even, constant, drift, jump/N, residue, noise, anew, or several with + between");
}

}  // namespace

std::vector<std::int64_t> loads_at(const Job& job, std::size_t point) {
  const std::vector<double> expected = expected_loads(job, point);
  double sum = 0;
  for (const double load : expected) sum += load;
  // Noise changes the sum, too.
  const double unit_ns = 1e9 * job.point_s * static_cast<double>(job.pes) / sum;
  std::vector<std::int64_t> loads;
  for (std::size_t i = 0; i < job.objects; ++i)
    loads.push_back(std::max<std::int64_t>(1, std::llround(expected[i] * noise_of(job, i, point) * unit_ns)));
  return loads;
}

Job parse_job(const std::string& name) {
  Job job;
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '+');) add_part(job, part);
  return job;
}

}  // namespace autojudge
