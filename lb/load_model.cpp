// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/load_model.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

constexpr double kMostModelSteps = 1000;
/// The largest ratio of interval lengths that counts, so that rates are finite whatever a file says.
constexpr double kMostUnlike = 1e9;
constexpr Key kSubphases =
    choice_key("subphases", "total", "total|sum|max",
               "load of a step: as measured, or the sum or the largest of its subphases");
constexpr Key kLastKeys[] = {kSubphases};
constexpr Key kMeanKeys[] = {integer_key("n", "5", 1, kMostModelSteps, "steps to look at"), kSubphases};
constexpr Key kLinearKeys[] = {integer_key("n", "4", 2, kMostModelSteps, "steps to look at"), kSubphases};

struct Kind {
  std::string_view name;
  double (*over_steps)(const PastLoads& past);
  std::span<const Key> keys;
};
constexpr Kind kKinds[] = {{"last", last_value, kLastKeys},
                           {"average", average, kMeanKeys},
                           {"median", median, kMeanKeys},
                           {"linear", linear_extrapolation, kLinearKeys}};

const Kind& find_kind(std::string_view name) {
  if (const Kind* const known = find_named(kKinds, name)) return *known;
  throw StrategyError("unknown load model " + quoted(name) + valid_names(name, names_of(kKinds)));
}

}  // namespace

double last_value(const PastLoads& past) { return past.loads.back(); }

double average(const PastLoads& past) {
  return std::accumulate(past.loads.begin(), past.loads.end(), 0.0) /
         std::accumulate(past.lengths.begin(), past.lengths.end(), 0.0);
}

double median(const PastLoads& past) {
  std::vector<double> sorted;
  for (std::size_t k = 0; k < past.size(); ++k) sorted.push_back(past.rate(k));
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// The weighted line goes through (middle of all the time, average) with the slope
///     sum of length x (t - middle) x rate / sum of length x (t - middle)^2,
/// where t is the middle of an interval.
double linear_extrapolation(const PastLoads& past) {
  const double all = std::accumulate(past.lengths.begin(), past.lengths.end(), 0.0);
  double products = 0, squares = 0, start = 0;
  for (std::size_t k = 0; k < past.size(); ++k) {
    const double length = past.lengths[k];
    const double t = start + length / 2 - all / 2;
    products += t * past.loads[k];
    squares += length * t * t;
    start += length;
  }
  const double slope = squares > 0 ? products / squares : 0;
  return std::max(0.0, average(past) + slope * (all + 1) / 2);
}

double sum_of_subphases(std::span<const float> subphases) {
  return std::accumulate(subphases.begin(), subphases.end(), 0.0);
}

double largest_subphase(std::span<const float> subphases) { return std::ranges::max(subphases); }

LoadModel parse_load_model(std::string_view text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  const Kind& kind = find_kind(text.substr(0, end));
  const Options options =
      parse_keys("load model '" + std::string(kind.name) + "'", kind.keys, text.substr(end));
  LoadModel model{kind.name, kind.over_steps};
  if (kind.keys.size() > 1) model.steps = static_cast<std::size_t>(options.integer("n"));
  if (options.choice("subphases") == "sum") model.over_subphases = sum_of_subphases;
  if (options.choice("subphases") == "max") model.over_subphases = largest_subphase;
  return model;
}

std::vector<double> LoadHistory::relative_lengths() const {
  const auto known = [&](double Length::*unit) {
    return std::ranges::all_of(lengths_, [&](const Length& length) { return length.*unit > 0; });
  };
  if (!known(&Length::points) && !known(&Length::seconds)) return std::vector<double>(lengths_.size(), 1.0);
  double Length::*const unit = known(&Length::points) ? &Length::points : &Length::seconds;
  std::vector<double> relative;
  for (const Length& length : lengths_)
    relative.push_back(std::clamp(length.*unit / (lengths_.back().*unit), 1 / kMostUnlike, kMostUnlike));
  return relative;
}

std::vector<double> LoadHistory::add(const Snapshot& snapshot) {
  const Objects& objects = snapshot.objects;
  if (lengths_.size() == model_.steps) lengths_.pop_front();
  lengths_.push_back({snapshot.interval_s, static_cast<double>(snapshot.interval_points)});
  const std::vector<double> lengths = relative_lengths();

  std::unordered_map<std::uint64_t, std::vector<double>> present;
  present.reserve(objects.size());
  std::vector<double> predicted;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::span<const float> subphases =
        std::span(objects.subphases).subspan(i * objects.subphase_count, objects.subphase_count);
    const double load =
        model_.over_subphases && !subphases.empty() ? model_.over_subphases(subphases) : objects.load[i];
    const auto known = loads_of_.find(objects.id[i]);
    std::vector<double> loads = known == loads_of_.end() ? std::vector<double>() : std::move(known->second);
    if (loads.size() == model_.steps) loads.erase(loads.begin());
    loads.push_back(load);
    const bool ended = load == 0 && !objects.migratable[i];
    predicted.push_back(ended ? 0 : model_.over_steps({loads, std::span(lengths).last(loads.size())}));
    present.insert_or_assign(objects.id[i], std::move(loads));
  }
  loads_of_ = std::move(present);
  return predicted;
}

}  // namespace skein::lb
