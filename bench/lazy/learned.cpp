// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/learned.hpp"
#include "bench/lazy/resource_steps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bench_lazy {

using namespace skein;

std::vector<double> loads_in(const trace::Trace& trace) {
  std::vector<double> loads(trace.object_count(), 0);
  for (trace::ObjectIndex object = 0; object < loads.size(); ++object) {
    trace::Cursor cursor = trace.events(object);
    while (const trace::Event* event = cursor.next())
      loads[object] += 1e-9 * static_cast<double>(event->burst_ns);
  }
  return loads;
}

Learned learn(const simulate::Timeline& run, std::vector<double> loads) {
  const auto pes = static_cast<std::ptrdiff_t>(run.pes);
  ResourceSteps steps;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const simulate::StepRecord& step = run.steps[i];
    const auto row = run.busy.begin() + static_cast<std::ptrdiff_t>(i) * pes;
    const auto busy = static_cast<double>(std::accumulate(row, row + pes, simulate::Ns{0}));
    const auto home = run.unbalanced.begin() + static_cast<std::ptrdiff_t>(i) * pes;
    const simulate::Ns began = i == 0 ? 0 : run.interval_end[i - 1];
    steps.add(static_cast<double>(run.pes),
              {.points = static_cast<double>(step.points),
               .mean_s = 1e-9 * busy / static_cast<double>(run.pes),
               .decide_s = 1e-9 * static_cast<double>(step.decide),
               .move_s = 1e-9 * static_cast<double>(step.move),
               .before_percent = step.imbalance_before,
               .after_percent = step.imbalance_after,
               .length_s = 1e-9 * static_cast<double>(step.at - began),
               .fullest_s = 1e-9 * static_cast<double>(*std::max_element(row, row + pes)),
               .unmoved_s = 1e-9 * static_cast<double>(run.fullest_unmoved.at(i)),
               .unbalanced_s = 1e-9 * static_cast<double>(*std::max_element(home, home + pes))});
  }
  Learned learned{steps.samples(), steps.question(static_cast<double>(run.pes))};
  learned.question.loads = std::move(loads);
  return learned;
}

}  // namespace bench_lazy
