// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/load_model.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace skein::lb {
namespace {

constexpr double kMostSteps = 1000;
constexpr Key kPhases = choice_key("phases", "total", "total|sum|max",
                                   "load of a step: as measured, or the sum or the largest of its phases");
constexpr Key kLastKeys[] = {kPhases};
constexpr Key kMeanKeys[] = {integer_key("n", "5", 1, kMostSteps, "steps to look at"), kPhases};
constexpr Key kLinearKeys[] = {integer_key("n", "4", 2, kMostSteps, "steps to look at"), kPhases};

struct Kind {
  std::string_view name;
  double (*over_steps)(std::span<const double> loads);
  std::span<const Key> keys;
};
constexpr Kind kKinds[] = {{"last", last_value, kLastKeys},
                           {"average", average, kMeanKeys},
                           {"median", median, kMeanKeys},
                           {"linear", linear_extrapolation, kLinearKeys}};

const Kind& find_kind(std::string_view name) {
  std::string names;
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind;
    names.append(names.empty() ? "" : ", ").append(kind.name);
  }
  throw StrategyError("unknown load model '" + std::string(name) + "'; valid: " + names);
}

}  // namespace

double last_value(std::span<const double> loads) { return loads.back(); }

double average(std::span<const double> loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
}

double median(std::span<const double> loads) {
  std::vector<double> sorted(loads.begin(), loads.end());
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// With steps counted from their middle, the line is average + slope t; the next step is at (n + 1) / 2.
double linear_extrapolation(std::span<const double> loads) {
  const auto n = static_cast<double>(loads.size());
  double products = 0, squares = 0;
  for (std::size_t k = 0; k < loads.size(); ++k) {
    const double t = static_cast<double>(k) - (n - 1) / 2;
    products += t * loads[k];
    squares += t * t;
  }
  const double slope = squares > 0 ? products / squares : 0;
  return std::max(0.0, average(loads) + slope * (n + 1) / 2);
}

double sum_of_phases(std::span<const float> phases) {
  return std::accumulate(phases.begin(), phases.end(), 0.0);
}

double largest_phase(std::span<const float> phases) { return std::ranges::max(phases); }

LoadModel parse_load_model(std::string_view text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  const Kind& kind = find_kind(text.substr(0, end));
  const Options options =
      parse_keys("load model '" + std::string(kind.name) + "'", kind.keys, text.substr(end));
  LoadModel model{kind.name, kind.over_steps};
  if (kind.keys.size() > 1) model.steps = static_cast<std::size_t>(options.integer("n"));
  if (options.choice("phases") == "sum") model.over_phases = sum_of_phases;
  if (options.choice("phases") == "max") model.over_phases = largest_phase;
  return model;
}

std::vector<double> LoadHistory::add(const Objects& objects) {
  std::unordered_map<std::uint64_t, std::vector<double>> present;
  present.reserve(objects.size());
  std::vector<double> predicted;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::span<const float> phases =
        std::span(objects.phases).subspan(i * objects.phase_count, objects.phase_count);
    const double load = model_.over_phases && !phases.empty() ? model_.over_phases(phases) : objects.load[i];
    const auto known = loads_of_.find(objects.id[i]);
    std::vector<double> loads = known == loads_of_.end() ? std::vector<double>() : std::move(known->second);
    if (loads.size() == model_.steps) loads.erase(loads.begin());
    loads.push_back(load);
    const bool ended = load == 0 && !objects.migratable[i];
    predicted.push_back(ended ? 0 : model_.over_steps(loads));
    present.insert_or_assign(objects.id[i], std::move(loads));
  }
  loads_of_ = std::move(present);
  return predicted;
}

}  // namespace skein::lb
