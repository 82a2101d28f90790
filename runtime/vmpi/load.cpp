// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/load.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/base/clock.hpp"
#include "runtime/vmpi/errors.hpp"

namespace skein::vmpi {
namespace {

/// Returns the running rank's busy_ticks, including the time since it got the processor.
std::uint64_t busy_now(const load::Meter& meter) { return meter.busy_ticks + (ticks() - meter.resumed_at); }

}  // namespace

int declare_load(const ApiCall& call, double load) {
  if (!std::isfinite(load) || load < 0)
    return raise(call, nullptr, MPI_ERR_ARG, "a load of %g; loads are finite and not negative", load);
  call.state.rank.declared.load = load;
  return MPI_SUCCESS;
}

int declare_position(const ApiCall& call, double x, double y, double z) {
  const std::array position{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  if (!std::ranges::all_of(position, [](float at) { return std::isfinite(at); }))
    return raise(call, nullptr, MPI_ERR_ARG, "a position of (%g, %g, %g); coordinates are finite", x, y, z);
  call.state.rank.declared.position = position;
  return MPI_SUCCESS;
}

void stop_measuring(RankState& state) {
  load::Meter& meter = state.rank.meter;
  if (!meter.paused_at) meter.paused_at = busy_now(meter);
}

void start_measuring(RankState& state) {
  load::Meter& meter = state.rank.meter;
  if (!meter.paused_at) return;
  meter.busy_at_step += busy_now(meter) - meter.paused_at;
  meter.paused_at = 0;
}

void reset_measuring(RankState& state) {
  load::Meter& meter = state.rank.meter;
  meter.busy_at_step = meter.paused_at ? meter.paused_at : busy_now(meter);
}

}  // namespace skein::vmpi
