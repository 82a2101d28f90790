// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "read.hpp"

namespace skein::report {
namespace {

constexpr std::uint64_t kNewestReport = 1;

class ReportReader {
 public:
  ReportReader(Run& run, std::string path) : run_(run), path_(std::move(path)) {}

  /// Reads a line; `number` counts from 1.
  void line(const nlohmann::json& json, std::size_t number) {
    const JsonPlace place(json, path_ + ": line " + std::to_string(number));
    if (place.has("job"))
      job(place.at("job"));
    else if (run_.pes == 0)
      place.fail(
          "stands before the line of the job: it was written by another version of Skein, or lacks its "
          "beginning");
    else if (ended_)
      place.fail(
          "stands behind the line of the end: two runs have written this file; give each its own "
          "--lb-report");
    else if (place.has("step"))
      step(place);
    else if (place.has("end"))
      end(place.at("end"));
    else
      place.fail("is neither of a job nor of a step nor of an end: no report of --lb-report");
  }

  void finish() {
    if (run_.pes == 0)
      throw ReportError(path_ + ": holds no report: the run ended before it began, or the file is another");
    if (!ended_)
      run_.warnings.push_back(
          "The report has no end: the run was killed, or goes on. What is behind its last LB step is "
          "missing.");
    if (run_.interval_end_s.empty())
      throw ReportError(path_ + ": holds no interval: the run was killed before its first LB step");
  }

 private:
  void job(const JsonPlace& job) {
    if (run_.pes > 0)
      job.fail("is the second one: two runs have written this file; give each its own --lb-report");
    const std::uint64_t version = job.at("version").natural();
    if (version > kNewestReport)
      job.fail("is of version " + std::to_string(version) + " of the report, this Skein knows " +
               std::to_string(kNewestReport) + "; use the skein that wrote it");
    run_.pes = job.at("pes").natural(kMostPes);
    if (run_.pes == 0) job.fail("has no PE");
    run_.command = job.text("command");
    run_.program = job.text("program");
    run_.noun = job.at("objects").text();
    if (job.has("placement"))
      for (const JsonPlace& pe : job.at("placement").items())
        run_.placement.push_back(static_cast<PeIndex>(pe.natural(run_.pes - 1)));
    run_.objects = run_.placement.size();
    if (job.has("cannot_move"))
      run_.warnings.push_back("Nothing could move: " + job.at("cannot_move").text());
  }

  void step(const JsonPlace& place) {
    interval(place);
    Step step = read_step(place, run_);
    step.bytes = place.at("bytes_handed_over").natural() + place.at("bytes_copied").natural();
    step.pinned = place.at("objects_pinned").items().size();
    if (place.has("late_points")) step.late = late(place);
    run_.steps.push_back(std::move(step));
  }

  static Late late(const JsonPlace& place) {
    return {.points = place.at("late_points").natural(),
            .decide_s = place.at("late_decide_s").amount(),
            .dropped = place.at("dropped").truth(),
            .work = place.at("drift_work_percent").number(),
            .changed = place.at("drift_changed_percent").amount(),
            .change = place.at("drift_change_percent").amount(),
            .imbalance = place.at("drift_imbalance_percent").amount()};
  }

  void end(const JsonPlace& end) {
    interval(end);
    ended_ = true;
  }

  /// Reads the interval before a step or the end, which also tells what the step before gained.
  void interval(const JsonPlace& place) {
    const std::vector<double> busy = read_loads(place.at("busy_s"), run_),
                              unbalanced = read_loads(place.at("busy_unbalanced_s"), run_);
    run_.busy_s.insert(run_.busy_s.end(), busy.begin(), busy.end());
    run_.unbalanced_s.insert(run_.unbalanced_s.end(), unbalanced.begin(), unbalanced.end());
    run_.interval_end_s.push_back(place.at("at_s").amount());
    run_.interval_s.push_back(place.at("interval_s").amount());
    run_.seconds = run_.interval_end_s.back();
    if (!run_.steps.empty())
      run_.steps.back().gain_s = place.at("max_busy_unmoved_s").amount() - std::ranges::max(busy);
  }

  Run& run_;
  std::string path_;
  bool ended_ = false;
};

}  // namespace

Run read_run_report(const std::string& text, const std::string& path) {
  Run run;
  run.kind = RunKind::real;
  run.source = path;
  ReportReader reader(run, path);
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      // A killed run leaves at most half a line, at the end.
      if (lines.eof() || lines.peek() == EOF) break;
      throw ReportError(path + ": line " + std::to_string(number) + ": is no JSON: the file is damaged");
    }
    reader.line(json, number);
  }
  reader.finish();
  return run;
}

}  // namespace skein::report
