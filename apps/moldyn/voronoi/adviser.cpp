// SPDX-License-Identifier: Apache-2.0
#include "adviser.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

#include "apps/common/exchange.hpp"
#include "skein/advisor.hpp"
#include "skein/lb/diffusion_forecast.hpp"

namespace moldyn {
namespace {

/// The advisor's loads are in seconds, of a processor with so many instructions per second.
constexpr double instructions_a_second = 1e9;
/// Algorithm 2 fitted to diffusion on 4 x 16 processes here: centres move little at a time, and straight
/// walls leave so much imbalance.
constexpr skein::lb::Spreading diffusion_here{.tolerance = 1.4, .gamma = 0.3};

struct Told {
  double load = 0, atoms = 0;
};

}  // namespace

struct Adviser::State {
  MPI_Comm comm;
  int rank;
  // Each advisor knows one program's model.
  std::array<std::optional<skein::Advisor>, abstractions.size()> advisors;
};

Adviser::Adviser(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  state_ = std::unique_ptr<State>(new State{comm, rank, {}});
  for (auto& advisor : state_->advisors)
    advisor.emplace(comm, skein::AdvisorOptions{.horizon_steps = 0, .seed = 1, .strategy = "koradi:steps=1"});
}
Adviser::~Adviser() = default;

std::string Adviser::judged(const Domain& domain, const Spent& spent, std::span<const SampledAtom> sample,
                            int steps) {
  std::vector<std::array<float, 3>> positions;
  for (const SampledAtom& atom : sample)
    positions.push_back(
        {static_cast<float>(atom.x.x), static_cast<float>(atom.x.y), static_cast<float>(atom.x.z)});
  std::string text;
  for (std::size_t k = 0; k < abstractions.size(); ++k) {
    const double load = load_by(abstractions[k], spent, domain.atoms().size());
    std::vector<skein::AdvisorElement> elements;
    for (std::size_t i = 0; i < sample.size(); ++i)
      elements.push_back({static_cast<std::uint64_t>(state_->rank) << 32 | i,
                          load / static_cast<double>(sample.size()), sizeof(Atom)});
    skein::Advisor& advisor = *state_->advisors[k];
    advisor.add_work(spent.work / instructions_a_second);
    const skein::Advice advice = advisor.advise(elements, {}, positions, static_cast<std::uint64_t>(steps));
    const skein::ModelQuality& model = advice.model;
    char line[240];
    std::snprintf(
        line, sizeof line,
        "abstraction %s: imbalance %.3f of %.3f %%, skewness %.4f of %.4f, kurtosis %.4f of %.4f, rank "
        "correlation %.5f, rmse %.5f\n",
        abstraction_names[k], model.modelled.imbalance_percent, model.measured.imbalance_percent,
        model.modelled.skewness, model.measured.skewness, model.modelled.kurtosis, model.measured.kurtosis,
        model.rank_correlation, model.rmse);
    text += line;
  }
  return state_->rank == 0 ? text : std::string();
}

Balance Adviser::chosen(const VoronoiCommandLine& line, const Domain& domain, const Spent& spent,
                        int intervals, std::string& text) {
  const std::vector<Told> all =
      apps::all_gather(state_->comm,
                       std::vector<Told>{{spent.work, static_cast<double>(domain.atoms().size())}})
          .all;
  std::vector<std::vector<skein::lb::PeIndex>> links(all.size());
  std::vector<double> loads;
  std::size_t most_links = 0;
  double most_atoms = 0;
  for (std::size_t p = 0; p < all.size(); ++p) {
    loads.push_back(all[p].load);
    for (const int q : neighbours_of(domain.centres(), static_cast<int>(p)))
      links[p].push_back(static_cast<skein::lb::PeIndex>(q));
    most_links = std::max(most_links, links[p].size());
    most_atoms = std::max(most_atoms, all[p].atoms);
  }
  const double most = std::ranges::max(loads);
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
  const double atom = machine::byte * sizeof(Atom) + 2 * instructions::pack_atom;
  const auto n = static_cast<double>(intervals);

  // Equations 11, 9 with 5 to 7, and 10 with Algorithm 2.
  const double none = n * most;
  const double moved = most_atoms * (most - mean) / most;
  const double global =
      koradi_cost(line.koradi, all.size(),
                  static_cast<std::size_t>(most_atoms) / static_cast<std::size_t>(line.sample)) +
      machine::latency + moved * atom + n * mean;
  skein::lb::Spreading spreading = diffusion_here;
  spreading.most_steps = static_cast<std::size_t>(intervals);
  const std::vector<double> largest =
      skein::lb::forecast_diffusion(links, skein::lb::uniform_pes(all.size()), loads, spreading).largest;
  double diffusive = n * diffusion_cost(all.size(), most_links);
  for (std::size_t k = 1; k <= static_cast<std::size_t>(intervals); ++k)
    diffusive += largest[std::min(k, largest.size() - 1)];

  const std::array<double, 3> times{none, diffusive, global};  // in the order of Balance
  const auto choice = static_cast<Balance>(std::ranges::min_element(times) - times.begin());
  if (state_->rank == 0) {
    char words[200];
    std::snprintf(words, sizeof words,
                  "model: none %.6g, diffusive %.6g (%zu steps to converge), global %.6g instructions: %s\n",
                  none, diffusive, largest.size() - 1, global,
                  balance_names[static_cast<std::size_t>(choice)]);
    text = words;
  }
  return choice;
}

}  // namespace moldyn
