// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/mode_advice.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/base/error.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/grain.hpp"
#include "skein/lb/resource_steps.hpp"
#include "skein/lb/resources.hpp"

namespace skein::balance {
namespace {
PerRuntime<lb::ResourceSteps> learned;
}  // namespace

void learn_from_step(const StepRecord& record) {
  const std::vector<double>& took_s = record.interval.took_s;
  const auto& loads = record.plan.step.loads;
  const std::vector<double>& unmoved_s = record.interval.unmoved_s;
  learned->add(
      static_cast<double>(took_s.size()),
      {.points = static_cast<double>(record.interval.points),
       .mean_s = std::accumulate(took_s.begin(), took_s.end(), 0.0) / static_cast<double>(took_s.size()),
       .decide_s = record.decide_s,
       .move_s = record.move_s,
       .before_percent = record.plan.step.before.imbalance_percent(),
       .after_percent = record.plan.step.after.imbalance_percent(),
       .unmoved_s = unmoved_s.empty() ? 0 : std::ranges::max(unmoved_s),
       .loads = lb::loads_of(loads.quantiles, loads.objects)});
}

std::string mode_advice(const StepConfig& config) {
  if (learned->empty())
    return "inline, since nothing was known, and in no step was anything computed and decided that one could "
           "learn from";
  lb::ResourceQuestion question = learned->question(net::world.pes);
  question.inline_divides = false;
  // A lazy job asks at every K-th point.
  question.may_be_lazy = config.period.points > 0;
  constexpr std::uint32_t one[] = {1};  // what several would take together these steps do not say
  const lb::ResourceChoice choice =
      lb::choose_resources(lb::fit_resources(learned->samples()), question, one);
  const std::string mode = lb::mode_text(choice.chosen());
  return format("inline, since nothing was known; the steps of this run say %s: next time --lb-mode %s",
                choice.why.c_str(), mode.c_str());
}

}  // namespace skein::balance
