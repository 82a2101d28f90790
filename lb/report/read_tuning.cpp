// SPDX-License-Identifier: Apache-2.0
#include "read.hpp"

namespace skein::report {
namespace {

/// Reads a row that was tried to the end. Others have less in the file: a configuration that cannot be
/// simulated has a reason, one that was given up has the sync point of that.
std::optional<Configuration> read_row(const JsonPlace& place) {
  if (!place.has("mean_s") || place.has("points")) return std::nullopt;
  Configuration row;
  row.strategy = place.at("strategy").text();
  row.mode = place.text("mode");
  const JsonPlace period = place.at("period");
  row.period = period.json().is_string() ? 0 : period.natural();
  row.ranks = place.at("ranks").natural();
  row.pes = place.at("pes").natural();
  row.seconds = place.at("mean_s").amount();
  row.spread_s = place.at("half_width_s").amount();
  row.imbalance = place.at("imbalance_percent").number();
  row.steps = place.at("steps").amount();
  row.moved = place.at("moved").amount();
  row.frontier = place.at("on_frontier").truth();
  return row;
}

}  // namespace

Tuning read_tuning(const JsonPlace& json, const std::string& path) {
  Tuning tuning;
  tuning.source = path;
  tuning.command = json.text("command");
  std::size_t left_out = 0;
  for (const JsonPlace& place : json.at("rows").items()) {
    if (const std::optional<Configuration> row = read_row(place))
      tuning.rows.push_back(*row);
    else
      ++left_out;
  }
  if (tuning.rows.empty()) json.at("rows").fail("has no configuration that was simulated to the end");
  if (left_out > 0)
    tuning.note = std::to_string(left_out) +
                  " more were given up, as others take less for sure, were not tried, or cannot be "
                  "simulated; the file has them.";
  if (json.has("remarks"))
    for (const JsonPlace& remark : json.at("remarks").items())
      tuning.note.append(tuning.note.empty() ? "" : " ").append(remark.text());
  return tuning;
}

}  // namespace skein::report
