// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/measured_speeds.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <limits>
#include <thread>

#include "runtime/balance/job_pes.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::balance {
namespace {

constexpr int kWishedRounds = 15, kFirstRounds = 8,
              kRoundsToBeSure = 40;  // an eighth of a millisecond each

bool scheduled_so_far(Speeds::Scheduled& counted) {
  std::ifstream file("/proc/thread-self/schedstat");
  return static_cast<bool>(file >> counted.ran >> counted.waited);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Computes a chain of divisions and a few independent sums, whose time depends neither on memory nor on
/// vectors.
double arithmetic(double seed) {
  double x = seed, a = 0, b = 1;
  for (int i = 0; i < 20'000; ++i) {
    x = 1.0 / (x + 0.5);
    a += x;
    b = b * 0.999 + x;
  }
  return a + b;
}

/// Returns the shortest time of several rounds, s.
double arithmetic_seconds(int rounds) {
  double least = std::numeric_limits<double>::infinity();
  volatile double result = 1;
  for (int round = 0; round < rounds; ++round) {
    const double start = thread_seconds();
    result = arithmetic(result);
    least = std::min(least, thread_seconds() - start);
  }
  return least;
}

std::vector<double> from_all(double mine) {
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  all.resize(static_cast<std::size_t>(measured_pes()));
  return all;
}

void start_measuring() {
  const double mine = arithmetic_seconds(kWishedRounds);
  const double fastest = std::ranges::min(from_all(mine));
  job_pes->speeds.processor = lb::counted_speed(std::min(1.0, fastest / mine));
  job_pes->speeds.here = job_pes->speeds.processor;
  job_pes->speeds.of_pe = from_all(job_pes->speeds.here);
  const bool cores_for_all =
      static_cast<unsigned>(net::world.machine_pes) <= std::thread::hardware_concurrency();
  job_pes->speeds.shares_core = cores_for_all && scheduled_so_far(job_pes->speeds.last);
  if (cores_for_all && !job_pes->speeds.shares_core)
    SKEIN_WARN(
        "--pe-speed measured: this system does not tell how much of a core other processes use "
        "(/proc/thread-self/schedstat cannot be read), so PE %d counts as having its core to itself",
        net::world.pe);
}

void start_where_clear() {
  double mine = arithmetic_seconds(kFirstRounds);
  if (lb::speeds_where_they_differ(from_all(mine)).empty()) return;
  mine = std::min(mine, arithmetic_seconds(kRoundsToBeSure));
  std::vector<double> found = lb::speeds_where_they_differ(from_all(mine));
  if (found.empty()) return;
  job_pes->speeds.of_pe = std::move(found);
  if (computes(net::world.pe))
    job_pes->speeds.here = job_pes->speeds.of_pe[static_cast<std::size_t>(net::world.pe)];
  const auto slowest = std::ranges::min_element(job_pes->speeds.of_pe);
  if (net::world.pe == 0)
    SKEIN_WARN(
        "PEs have different speeds: PE %td has %.2f of the speed of the fastest, and LB steps count on these "
        "speeds (--pe-speed uniform ignores them, measured also counts what other processes take of the "
        "cores)",
        slowest - job_pes->speeds.of_pe.begin(), *slowest);
}

}  // namespace

void start_pe_speeds(const lb::PeSpeeds& wanted, bool balances) {
  using From = lb::PeSpeeds::From;
  const auto count = static_cast<std::size_t>(measured_pes());
  job_pes->speeds.of_pe.assign(count, 1);
  job_pes->speeds.measured = wanted.from == From::measured;
  if (job_pes->speeds.measured) return start_measuring();
  if (wanted.from == From::automatic && balances && net::world.pes > 1) return start_where_clear();
  if (wanted.from != From::file) return;
  net::together([&] {
    try {
      job_pes->speeds.of_pe = lb::read_pe_speeds(wanted.file, count);
    } catch (const lb::FileError& error) {
      throw Error(format("--pe-speed: %s", error.what()));
    }
  });
  if (computes(net::world.pe))
    job_pes->speeds.here = job_pes->speeds.of_pe[static_cast<std::size_t>(net::world.pe)];
}

double speed_here() { return job_pes->speeds.here; }
const std::vector<double>& pe_speeds() { return job_pes->speeds.of_pe; }
std::span<const double> computing_speeds() {
  return std::span(job_pes->speeds.of_pe).first(static_cast<std::size_t>(computing_pes()));
}

void measure_own_speed() {
  Speeds::Scheduled now;
  if (!job_pes->speeds.shares_core || !scheduled_so_far(now)) return;
  const auto ran = static_cast<double>(now.ran - job_pes->speeds.last.ran);
  const auto waited = static_cast<double>(now.waited - job_pes->speeds.last.waited);
  constexpr double least_ns = 1e6;  // a shorter time tells nothing
  if (ran + waited < least_ns) return;
  const double share = ran / (ran + waited);
  job_pes->speeds.here = job_pes->speeds.processor * lb::counted_speed(share);
  job_pes->speeds.last = now;
}

void exchange_speeds() {
  if (job_pes->speeds.measured) job_pes->speeds.of_pe = from_all(job_pes->speeds.here);
}

}  // namespace skein::balance
