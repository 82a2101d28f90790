// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/loads.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lb/kernel/random.hpp"

namespace autojudge {

using skein::lb::Random;

namespace {

constexpr const char* kNames[] = {"even", "constant", "drift", "jump", "anew", "noisy"};
constexpr double kHot = 5;  // a hot object's load, beside 1

double distance_on_ring(double a, double b, double around) {
  const double d = std::abs(std::fmod(a - b, around));
  return std::min(d, around - d);
}

// A hot spot an eighth of the objects wide on each side of its centre.
double spot(const Job& job, std::size_t object, double centre) {
  const double n = static_cast<double>(job.objects);
  const double d = distance_on_ring(static_cast<double>(object), centre, n) / (n / 8);
  return 1 + (kHot - 1) * std::exp(-d * d);
}

// In units in which an ordinary object has 1.
double relative_load(const Job& job, std::size_t object, std::size_t point) {
  const double n = static_cast<double>(job.objects);
  // Numbers drawn for this object and point, or time.
  const auto drawn = [&](std::uint64_t what) { return Random::at(job.seed * 7919, what).unit(); };
  switch (job.change) {
    case Change::even:
      return 1;
    case Change::constant:
      return spot(job, object, n / 4);
    case Change::drift:
      return spot(job, object, n * (0.25 + static_cast<double>(point) / static_cast<double>(job.points)));
    case Change::jump:
      return spot(job, object, n * drawn(point / job.every));
    case Change::anew:
      return 0.25 + 1.5 * drawn(point * job.objects + object);
    case Change::noisy:
      return spot(job, object, n / 4) * (0.8 + 0.4 * drawn(point * job.objects + object));
  }
  return 1;
}

}  // namespace

std::string Job::name() const {
  std::string text = kNames[static_cast<std::size_t>(change)];
  if (change == Change::jump) text.append("/").append(std::to_string(every));
  return text;
}

std::vector<std::int64_t> loads_at(const Job& job, std::size_t point) {
  std::vector<double> relative(job.objects);
  double sum = 0;
  for (std::size_t i = 0; i < job.objects; ++i) sum += relative[i] = relative_load(job, i, point);
  // Noise changes the sum, too; what has a spot has it always.
  const double whole = job.change == Change::anew    ? static_cast<double>(job.objects)
                       : job.change == Change::noisy ? static_cast<double>(job.objects) * 1.8
                                                     : sum;
  const double unit_ns = 1e9 * job.point_s * static_cast<double>(job.pes) / whole;
  std::vector<std::int64_t> loads;
  for (const double load : relative) loads.push_back(std::max<std::int64_t>(1, std::llround(load * unit_ns)));
  return loads;
}

Job parse_job(const std::string& name) {
  const std::size_t slash = std::min(name.find('/'), name.size());
  for (std::size_t k = 0; k < std::size(kNames); ++k) {
    if (name.compare(0, slash, kNames[k]) != 0) continue;
    Job job;
    job.change = static_cast<Change>(k);
    if (slash < name.size()) job.every = std::stoul(name.substr(slash + 1));
    return job;
  }
  throw std::invalid_argument("no loads change as '" + name +
                              "': even, constant, drift, jump/N, anew, noisy");
}

}  // namespace autojudge
