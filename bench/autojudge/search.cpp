// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/search.hpp"

#include <algorithm>
#include <optional>

#include "lb/simulate/step_costs.hpp"
#include "skein/lb/strategy.hpp"

namespace autojudge {

using namespace skein;
using simulate::NetworkEngine;
using simulate::Platform;

std::string Choice::name() const {
  std::string text = strategy;
  if (strategy != "none") text.append(" every ").append(period ? std::to_string(period) : "auto");
  return text;
}

std::vector<std::string> nameable() {
  std::vector<std::string> names;
  for (const lb::StrategyInfo& info : lb::strategies()) {
    const lb::Selection selection = lb::with_defaults(info);
    if ((info.traits & (lb::needs_positions | lb::for_tests)) || info.name == "none" ||
        !selection.missing_key().empty() || !lb::why_unavailable(info).empty())
      continue;
    names.emplace_back(info.name);
  }
  return names;
}

Choice play(const trace::Trace& trace, const Platform& platform, Choice choice, NetworkEngine engine) {
  simulate::Policy policy;
  policy.strategy = choice.strategy;
  policy.period = choice.period;
  policy.engine = engine;
  const simulate::Timeline timeline = simulate::simulate(trace, platform, policy);
  choice.seconds = static_cast<double>(timeline.makespan) * 1e-9;
  choice.steps = timeline.steps.size();
  return choice;
}

namespace {

class Search {
 public:
  Search(const trace::Trace& trace, const Platform& platform, const Space& space)
      : trace_(trace), platform_(platform), space_(space) {}

  std::vector<Choice> run() && {
    try_one({});
    std::vector<std::size_t> ends{space_.periods.size() * 2 / 3, space_.periods.size() / 3};
    if (ends[0] == ends[1]) ends.pop_back();
    for (const std::size_t end : ends)
      for (const std::string& strategy : space_.strategies) try_one({strategy, space_.periods[end]});
    for (const std::string& strategy : better_third())
      for (std::size_t k = space_.periods.size(); k-- > 0;)
        if (std::ranges::find(ends, k) == ends.end()) try_one({strategy, space_.periods[k]});
    std::ranges::stable_sort(tried_, {}, &Choice::seconds);
    return std::move(tried_);
  }

 private:
  bool cannot_win(const Choice& choice) const {
    if (choice.strategy == "none" || most_steps_ == 0) return false;
    const auto decision_ns = static_cast<double>(
        simulate::decision_time(platform_, choice.strategy, trace_.object_count(), platform_.pe_count(), 0));
    const bool distributed = lb::find_strategy(choice.strategy)->begin != nullptr;
    return !distributed && decision_ns * 1e-9 * static_cast<double>(most_steps_ / choice.period) >
                               std::ranges::min(tried_, {}, &Choice::seconds).seconds;
  }

  void try_one(Choice choice) {
    if (cannot_win(choice)) return;
    tried_.push_back(play(trace_, platform_, std::move(choice), NetworkEngine::fast));
    const Choice& last = tried_.back();
    most_steps_ = std::max(most_steps_, last.steps * last.period);
  }

  std::vector<std::string> better_third() const {
    std::vector<Choice> sorted = tried_;
    std::ranges::stable_sort(sorted, {}, &Choice::seconds);
    std::vector<std::string> names;
    const std::size_t most = (space_.strategies.size() + 2) / 3;
    for (const Choice& choice : sorted)
      if (choice.strategy != "none" && names.size() < most &&
          std::ranges::find(names, choice.strategy) == names.end())
        names.push_back(choice.strategy);
    return names;
  }

  const trace::Trace& trace_;
  const Platform& platform_;
  const Space& space_;
  std::vector<Choice> tried_;
  std::size_t most_steps_ = 0;  // the largest number of sync points that steps of the job have shown
};

}  // namespace

std::vector<Choice> search(const trace::Trace& trace, const Platform& platform, const Space& space) {
  return Search(trace, platform, space).run();
}

}  // namespace autojudge
