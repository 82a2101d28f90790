// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "apps/common/exchange.hpp"
#include "apps/moldyn/write_atoms.hpp"

// Present when the program runs on a runtime that can move ranks; absent under a plain MPI library.
extern "C" int MPI_Migrate(void) __attribute__((weak));

namespace moldyn {

Simulation::Simulation(MPI_Comm comm, const VoronoiCommandLine& line)
    : comm_(comm),
      line_(line),
      clock_(comm),
      domain_(comm, line.parameters, placed_centres(line.placement, line.parameters), clock_),
      balance_(line.balance) {
  MPI_Comm_rank(comm, &rank_);
  if (!line.judge && line.balance != Balance::model) return;
  try {
    adviser_ = std::make_unique<Adviser>(comm);
  } catch (const std::runtime_error& error) {
    throw ToldToAll(error.what());
  }
}

void Simulation::run() {
  const Parameters& parameters = line_.parameters;
  begin();
  domain_.settle();
  domain_.compute_forces();
  clock_.barrier();
  report(0);
  for (step_ = 1; step_ <= parameters.steps; ++step_) {
    domain_.kick();
    domain_.drift();
    if (parameters.synchronizes_at(step_)) {
      balance();
      if (MPI_Migrate) MPI_Migrate();
    }
    if (parameters.settles_at(step_)) domain_.settle();
    domain_.compute_forces();
    domain_.kick();
    clock_.barrier();
    if (parameters.reports_at(step_)) report(step_);
  }
  finish();
}

void Simulation::begin() {
  for (const Totals& totals : apps::all_gather(comm_, std::vector<Totals>{domain_.totals()}).all)
    totals_ = totals_ + totals;
  if (totals_.atoms == 0) throw ToldToAll("there are no atoms: use a larger --density or --radius");
  domain_.set_at_rest(1 / static_cast<double>(totals_.atoms) * totals_.momentum());
  char line[200];
  std::snprintf(line, sizeof line, "%" PRIu64 " atoms in domains around %zu centres\n", totals_.atoms,
                domain_.centres().size());
  tell(line);
  tell("    step      time temperature potential/atom  energy/atom imbalance %\n");
  started_s_ = MPI_Wtime();
}

void Simulation::tell(const std::string& text) const {
  if (rank_ != 0) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// ---- balance

double Simulation::imbalance_percent(double load) const {
  const std::vector<double> loads = apps::all_gather(comm_, std::vector<double>{load}).all;
  double sum = 0;
  for (const double one : loads) sum += one;
  return sum > 0 ? 100 * (std::ranges::max(loads) * static_cast<double>(loads.size()) / sum - 1) : 0;
}

// Takes the first of every so many atoms: at least one of a process that has atoms.
std::vector<SampledAtom> Simulation::sample(const Spent& spent) const {
  std::vector<SampledAtom> atoms;
  double shares = 0;
  for (std::size_t i = 0; i < domain_.atoms().size(); i += static_cast<std::size_t>(line_.sample)) {
    const double share = line_.by == Abstraction::forces ? 1 + static_cast<double>(domain_.pairs_of(i)) : 1;
    atoms.push_back({domain_.atoms()[i].x, share});
    shares += share;
  }
  for (SampledAtom& atom : atoms) atom.load *= load_by(line_.by, spent, domain_.atoms().size()) / shares;
  return atoms;
}

void Simulation::balance() {
  const Spent spent = clock_.take();
  spent_ += spent;
  last_imbalance_ = imbalance_percent(spent.work);
  const int interval_steps = line_.parameters.settle * line_.parameters.sync;
  if (line_.judge) tell(adviser_->judged(domain_, spent, sample(spent), interval_steps));
  if (balance_ == Balance::model) {
    const int left = (line_.parameters.steps - step_) / interval_steps;
    std::string text;
    balance_ = adviser_->chosen(line_, domain_, spent, line_.ahead > 0 ? line_.ahead : left, text);
    tell(text);
  }
  char text[120];
  std::snprintf(text, sizeof text, "interval %d: imbalance %.3f %%\n", ++intervals_, last_imbalance_);
  tell(text);

  clock_.barrier();
  const double start = clock_.now();
  if (balance_ == Balance::diffusive)
    domain_.move_centres(diffused(comm_, domain_.centres(), load_by(line_.by, spent, domain_.atoms().size()),
                                  line_.diffusion, clock_));
  if (balance_ == Balance::global && intervals_ == 1)
    domain_.move_centres(koradi(comm_, domain_.centres(), sample(spent), line_.koradi, clock_));
  clock_.barrier();
  balancing_ += clock_.now() - start;
}

// ---- results

void Simulation::report(int step) {
  totals_ = {};
  for (const Totals& totals : apps::all_gather(comm_, std::vector<Totals>{domain_.totals()}).all)
    totals_ = totals_ + totals;
  const auto atoms = static_cast<double>(totals_.atoms);
  const double kinetic = totals_.kinetic.value(), potential = totals_.potential.value();
  const double energy = (kinetic + potential) / atoms;
  if (step == 0) first_energy_ = energy;
  largest_error_ = std::max(largest_error_, std::abs(energy - first_energy_));
  char line[200];
  std::snprintf(line, sizeof line, "%8d %9.3f %11.5f %14.7f %12.7f %11.2f\n", step,
                step * line_.parameters.time_step, 2 * kinetic / (3 * atoms), potential / atoms, energy,
                last_imbalance_);
  tell(line);
}

void Simulation::finish() {
  spent_ += clock_.take();
  const std::vector<FinalAtom> mine = domain_.final_atoms();
  std::uint64_t print = 0;
  for (const FinalAtom& atom : mine) print += fingerprint(atom);
  MPI_Allreduce(MPI_IN_PLACE, &print, 1, MPI_UINT64_T, MPI_SUM, comm_);
  const Vec3 momentum = totals_.momentum();
  const double by_work = imbalance_percent(spent_.work), by_time = imbalance_percent(spent_.processor_s);
  char text[600];
  std::snprintf(text, sizeof text,
                "largest error of the energy: %.2e an atom\nmomentum: %.1e\nfingerprint: %016" PRIx64
                "\ncounted time: %.6g instructions\nof it for balance: %.6g instructions\nwork: imbalance "
                "%.3f %%\nprocessor time: imbalance %.3f %%\ntime loop: %.3f s\n",
                largest_error_, std::sqrt(dot(momentum, momentum)), print, clock_.now(), balancing_, by_work,
                by_time, MPI_Wtime() - started_s_);
  tell(text);
  if (line_.loads) {
    const std::vector<Spent> all = apps::all_gather(comm_, std::vector<Spent>{spent_}).all;
    const std::vector<double> atoms =
        apps::all_gather(comm_, std::vector<double>{static_cast<double>(mine.size())}).all;
    for (std::size_t p = 0; p < all.size(); ++p) {
      std::snprintf(text, sizeof text,
                    "load %zu: work %.9g forces %.9g outside %.9g atoms %.0f processor %.6f s\n", p,
                    all[p].work, all[p].forces, all[p].outside_barriers, atoms[p], all[p].processor_s);
      tell(text);
    }
  }
  if (line_.write.empty()) return;
  std::vector<FinalAtom> all = apps::gather(comm_, mine);
  if (rank_ != 0) return;
  std::ranges::sort(all, {}, [](const FinalAtom& atom) { return atom.atom.id; });
  write_atoms(line_.write, line_.parameters, all);
}

}  // namespace moldyn
