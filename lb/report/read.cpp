// SPDX-License-Identifier: Apache-2.0
#include "read.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace skein::report {
namespace {

constexpr const char* kWhatIsRead =
    "a report of skein run --lb-report, a trace of skein run --trace, what skein simulate --json or skein "
    "tune --json has written, or slices of a domain (docs/simulation.md)";

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw ReportError(path + ": cannot be read: " + std::strerror(errno) + "; is the name right?");
  return text;
}

/// Returns the first character, without reading a trace of gigabytes.
char first_character(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  if (!(file >> first)) {
    if (file.eof()) throw ReportError(path + ": is empty; it should be " + kWhatIsRead);
    throw ReportError(path + ": cannot be read: " + std::strerror(errno) + "; is the name right?");
  }
  return first;
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

void add(Report& report, Run run) {
  run.name = base_name(run.source);
  // Files with equal names are told apart by their folders.
  if (std::ranges::any_of(report.runs, [&](const Run& other) { return other.name == run.name; }))
    run.name = run.source;
  report.runs.push_back(std::move(run));
}

/// Reads lists of an object, its old PE and its new PE.
std::vector<Move> read_moves(const JsonPlace& list, const Run& run) {
  std::vector<Move> moves;
  for (const JsonPlace& move : list.items()) {
    const std::vector<JsonPlace> parts = move.items();
    if (parts.size() != 3) move.fail("is not an object, a PE and a PE");
    moves.push_back({static_cast<ObjectIndex>(parts[0].natural(std::max<std::size_t>(run.objects, 1) - 1)),
                     static_cast<PeIndex>(parts[1].natural(run.pes - 1)),
                     static_cast<PeIndex>(parts[2].natural(run.pes - 1))});
  }
  return moves;
}

}  // namespace

void add_file(Report& report, const std::string& path, const Play& play) {
  if (first_character(path) != '{') return add(report, read_recorded(path, play));
  const std::string text = read_all(path);
  // The file has one value, or a value on each line.
  const nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  const nlohmann::json head =
      whole.is_discarded() ? nlohmann::json::parse(text.substr(0, text.find('\n')), nullptr, false) : whole;
  const JsonPlace place(head, path);
  if (place.has("job") || place.has("step")) return add(report, read_run_report(text, path));
  if (place.text("kind") == "slices") {
    report.slices.push_back(read_slices(text, path));
    return;
  }
  if (whole.is_discarded())
    throw ReportError(path + ": is no JSON, or damaged, or cut off; it should be " + kWhatIsRead);
  const std::string kind = place.text("kind");
  if (kind == "simulation") return add(report, read_simulation(place, path));
  if (kind == "tuning") {
    report.tunings.push_back(read_tuning(place, path));
    return;
  }
  throw ReportError(path + ": is JSON of something else; it should be " + kWhatIsRead);
}

std::vector<std::string> differences(const Report& report) {
  constexpr const char* advice =
      ". They are shown together; draw them on pages of their own if they are different jobs.";
  std::vector<std::string> all;
  for (std::size_t i = 1; i < report.runs.size(); ++i) {
    const Run &first = report.runs[0], &other = report.runs[i];
    if (!first.program.empty() && !other.program.empty() && first.program != other.program)
      all.push_back(first.source + " is of '" + first.program + "', " + other.source + " of '" +
                    other.program + "'" + advice);
    else if (first.objects > 0 && other.objects > 0 && first.objects != other.objects)
      all.push_back(first.source + " has " + std::to_string(first.objects) + " " + first.noun + ", " +
                    other.source + " has " + std::to_string(other.objects) +
                    ". Compare their times, not what single ones did.");
  }
  return all;
}

std::vector<double> read_loads(const JsonPlace& list, const Run& run) {
  std::vector<double> all = list.amounts();
  if (all.size() != run.pes)
    list.fail("has " + std::to_string(all.size()) + " numbers for " + std::to_string(run.pes) + " PEs");
  return all;
}

Step read_step(const JsonPlace& place, const Run& run) {
  Step step;
  step.at_s = place.at("at_s").amount();
  step.strategy = place.at("strategy").text();
  step.why = place.text("why");
  step.before = place.at("imbalance_before_percent").number();
  step.after = place.at("imbalance_after_percent").number();
  step.moved = place.at("objects_moved").natural();
  step.meet_s = place.at("meet_s").amount();
  step.decide_s = place.at("decide_s").amount();
  step.move_s = place.at("move_s").amount();
  step.moves = read_moves(place.at("moves"), run);
  return step;
}

}  // namespace skein::report
