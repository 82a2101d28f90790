// SPDX-License-Identifier: Apache-2.0
#include "director.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "cell.hpp"
#include "write_atoms.hpp"

namespace moldyn {

void AddReports::operator()(Report& into, const Report& with) const {
  into.totals = into.totals + with.totals;
  into.fingerprint += with.fingerprint;
  into.step = std::max(into.step, with.step);
  into.fullest = std::max(into.fullest, with.fullest);
}

void Director::run(skein::Array<Cell> cells, skein::Array<Post> posts) {
  cells_ = cells;
  cells_.broadcast<&Cell::populate>(posts);
}

void Director::populated(const Totals& totals) {
  const Grid& grid = parameters_.grid;
  std::printf("%" PRIu64 " atoms in %g x %g x %g, %d x %d x %d cells on %d PEs\n", totals.atoms, grid.box.x,
              grid.box.y, grid.box.z, grid.cells[0], grid.cells[1], grid.cells[2], skein::pe_count());
  if (totals.atoms == 0) {
    std::fprintf(stderr, "moldyn: there are no atoms: use a larger --density\n");
    return skein::exit(2);
  }
  std::printf(
      "    step      time temperature  pressure potential/atom  energy/atom fullest cell   ms/step\n");
  started_ = Clock::now();
  cells_.broadcast<&Cell::start>(1 / static_cast<double>(totals.atoms) * totals.momentum());
}

void Director::report(const Report& report) {
  const auto atoms = static_cast<double>(report.totals.atoms);
  const Vec3& box = parameters_.grid.box;
  const double kinetic = report.totals.kinetic.value(), potential = report.totals.potential.value();
  const double energy = (kinetic + potential) / atoms;
  const double pressure = (2 * kinetic + report.totals.virial.value()) / (3 * box.x * box.y * box.z);
  if (report.step == 0) first_energy_ = energy;
  largest_error_ = std::max(largest_error_, std::abs(energy - first_energy_));
  std::printf("%8d %9.3f %11.5f %9.5f %14.7f %12.7f %12d", report.step, report.step * parameters_.time_step,
              2 * kinetic / (3 * atoms), pressure, potential / atoms, energy, report.fullest);
  const int steps = report.step - std::exchange(reported_step_, report.step);
  const double now = seconds(), took = now - std::exchange(reported_at_, now);
  if (steps > 0) std::printf(" %9.3f", 1e3 * took / steps);
  std::printf("\n");
  std::fflush(stdout);
  if (report.step == parameters_.steps) finish(report);
}

void Director::finish(const Report& report) {
  const Vec3 momentum = report.totals.momentum();
  std::printf("largest error of the energy: %.2e an atom\n", largest_error_);
  std::printf("momentum: %.1e\n", std::sqrt(dot(momentum, momentum)));
  std::printf("fingerprint: %016" PRIx64 "\n", report.fingerprint);
  std::printf("time loop: %.3f s\n", seconds());
  if (!file_.empty()) cells_.broadcast<&Cell::give_atoms>();
}

void Director::write(std::vector<FinalAtom> atoms) {
  std::ranges::sort(atoms, {}, [](const FinalAtom& atom) { return atom.atom.id; });
  write_atoms(file_, parameters_, atoms);
}

}  // namespace moldyn
