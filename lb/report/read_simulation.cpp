// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "read.hpp"

namespace skein::report {
namespace {

constexpr std::uint64_t kNewestSimulation = 1;
constexpr std::uint64_t kMostObjects = 1u << 31;
constexpr double kMostSeconds = 9e9;

class SimulationReader {
 public:
  SimulationReader(const JsonPlace& json, Run& run) : json_(json), run_(run) {}

  void read() {
    head();
    for (const JsonPlace& pe : json_.at("placement").items())
      run_.placement.push_back(static_cast<PeIndex>(pe.natural(run_.pes - 1)));
    run_.objects = run_.placement.size();
    for (const JsonPlace& each : json_.at("steps").items()) step(each);
    if (early_steps_ > 0)
      run_.warnings.push_back(
          "At " + std::to_string(early_steps_) +
          " LB steps elements had not come: they waited for messages of others that had stopped, and in the "
          "recorded run went on. So there are more steps than in a run.");
    run_.busy_s = table("busy_s");
    run_.unbalanced_s = table("busy_unbalanced_s");
    intervals();
    if (json_.has("bursts")) bursts(json_.at("bursts"));
    if (run_.objects > 0 && json_.has("critical_path")) path(json_.at("critical_path"));
    if (json_.has("what_if"))
      for (const JsonPlace& one : json_.at("what_if").items())
        run_.what_if.push_back({one.at("what").text(), one.at("factor").amount(), ns(one.at("makespan_s"))});
  }

 private:
  void head() {
    const std::uint64_t version = json_.at("version").natural();
    if (version > kNewestSimulation)
      json_.fail("is of version " + std::to_string(version) + " of the format, this Skein knows " +
                 std::to_string(kNewestSimulation) + "; use the skein that wrote it");
    run_.pes = json_.at("pes").natural(kMostPes);
    if (run_.pes == 0) json_.at("pes").fail("is 0");
    run_.seconds = json_.at("makespan_s").amount();
    if (json_.has("makespan_unmoved_s")) run_.unmoved_s = json_.at("makespan_unmoved_s").amount();
    run_.noun = json_.has("ranks") ? "ranks" : "objects";
    run_.platform = json_.at("platform").text();
    const JsonPlace period = json_.at("lb_period");
    const std::string strategy = json_.at("lb").text();
    run_.program = json_.at("program").text();
    run_.command = run_.program + ", " + strategy;
    if (strategy != "none")
      run_.command +=
          period.json().is_string() ? ", period auto" : ", period " + std::to_string(period.natural());
    if (json_.has("remarks"))
      for (const JsonPlace& remark : json_.at("remarks").items()) run_.warnings.push_back(remark.text());
    else if (json_.has("complete") && !json_.at("complete").truth())
      run_.warnings.push_back("The recorded run was cut short: the page shows its beginning.");
  }

  void step(const JsonPlace& place) {
    Step step = read_step(place, run_);
    step.bytes = place.at("bytes_moved").natural();
    step.collect_s = place.at("collect_s").amount();
    run_.steps.push_back(std::move(step));
    early_steps_ += place.has("objects_behind");
  }

  /// Returns the rows by interval. In a run without moves, intervals end with sync points.
  std::vector<JsonPlace> by_interval(const char* name) const {
    std::vector<JsonPlace> rows = json_.at(name).items();
    if (rows.empty()) json_.at(name).fail("has no interval");
    if (run_.steps.empty() && rows.size() != json_.at("interval_end_s").items().size())
      json_.at(name).fail("is of " + std::to_string(rows.size()) + " intervals, and interval_end_s is of " +
                          std::to_string(json_.at("interval_end_s").items().size()));
    if (!run_.steps.empty() && rows.size() != run_.steps.size() + 1)
      json_.at(name).fail("is of " + std::to_string(rows.size()) + " intervals, and there are " +
                          std::to_string(run_.steps.size()) + " LB steps between them");
    return rows;
  }

  std::vector<double> table(const char* name) const {
    std::vector<double> all;
    for (const JsonPlace& row : by_interval(name)) {
      const std::vector<double> loads = read_loads(row, run_);
      all.insert(all.end(), loads.begin(), loads.end());
    }
    return all;
  }

  /// Reads the intervals. The step that ends an interval lies before its end but is not part of it.
  void intervals() {
    const std::vector<JsonPlace> ends = by_interval("interval_end_s"),
                                 unmoved = by_interval("max_busy_unmoved_s");
    double begin = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const double end = ends[k].amount();
      if (end < begin) ends[k].fail("is before the interval begins");
      run_.interval_end_s.push_back(end);
      run_.interval_s.push_back(std::max(0.0, (k < run_.steps.size() ? run_.steps[k].at_s : end) - begin));
      begin = end;
      if (k == 0 || run_.steps.empty()) continue;
      const auto row = run_.busy_s.begin() + static_cast<std::ptrdiff_t>(k * run_.pes);
      run_.steps[k - 1].gain_s =
          unmoved[k].amount() - *std::max_element(row, row + static_cast<std::ptrdiff_t>(run_.pes));
    }
  }

  void path(const JsonPlace& place) {
    simulate::CriticalPath& path = run_.path.emplace();
    path.compute = ns(place.at("compute_s"));
    path.transfer = ns(place.at("transfer_s"));
    path.collective = ns(place.at("collective_s"));
    path.balancing = ns(place.at("balancing_s"));
    path.between = ns(place.at("between_s"));
    path.waiting = ns(place.at("waiting_s"));
    path.handed_on = place.at("handed_on").natural();
    path.of_object.resize(run_.objects);
    const bool ranks = place.has("compute_of_ranks_s");
    for (const JsonPlace& pair : place.at(ranks ? "compute_of_ranks_s" : "compute_of_objects_s").items())
      path.of_object[two(pair)[0].natural(run_.objects - 1)] = ns(two(pair)[1]);
    for (const JsonPlace& pair : place.at("compute_of_regions_s").items())
      path.of_region.emplace_back(two(pair)[0].text(), ns(two(pair)[1]));
  }

  static simulate::Ns ns(const JsonPlace& seconds) {
    return static_cast<simulate::Ns>(std::min(seconds.amount(), kMostSeconds) * 1e9);
  }
  static std::vector<JsonPlace> two(const JsonPlace& place) {
    std::vector<JsonPlace> parts = place.items();
    if (parts.size() != 2) place.fail("is not a name and seconds");
    return parts;
  }

  /// Reads bursts: each an object, a PE, a begin and an end in ns.
  void bursts(const JsonPlace& list) {
    run_.rows_are_pes = true;
    for (const JsonPlace& place : list.items()) {
      const std::vector<JsonPlace> parts = place.items();
      if (parts.size() != 4) place.fail("is not an object, a PE, a begin and an end");
      Span burst{static_cast<std::uint32_t>(parts[1].natural(run_.pes - 1)),
                 static_cast<ObjectIndex>(parts[0].natural(kMostObjects)), parts[2].natural(),
                 parts[3].natural()};
      if (burst.end_ns < burst.begin_ns) place.fail("ends before it begins");
      run_.bursts.push_back(burst);
    }
    std::ranges::stable_sort(run_.bursts, {}, [](const Span& b) { return std::pair(b.row, b.begin_ns); });
  }

  const JsonPlace& json_;
  Run& run_;
  std::size_t early_steps_ = 0;  // steps that elements had not reached yet
};

}  // namespace

Run read_simulation(const JsonPlace& json, const std::string& path) {
  Run run;
  run.kind = RunKind::simulated;
  run.source = path;
  SimulationReader(json, run).read();
  return run;
}

}  // namespace skein::report
