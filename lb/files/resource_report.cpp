// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_report.hpp"

#include <algorithm>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "lb/files/text_file.hpp"
#include "skein/lb/grain.hpp"
#include "skein/lb/load_file.hpp"
#include "skein/lb/resource_steps.hpp"

namespace skein::lb {
namespace {

using Json = nlohmann::json;

/// Reads one report.
class ReportReader {
 public:
  explicit ReportReader(ResourceSteps& steps) : steps_(steps) { steps_.begin_run(); }

  void line(const Json& json) {
    if (json.contains("job")) {
      const Json& job = json.at("job");
      pes_ = job.at("pes");
      reserved_ = job.value("reserved_pes", 0u);
      deciding_ = std::max(1u, job.value("deciding_pes", reserved_));
    } else if (json.contains("step")) {
      step(json);
    }
  }

  double processes() const { return pes_ + reserved_; }
  std::uint32_t deciding() const { return deciding_; }

 private:
  void step(const Json& json) {
    const std::vector<double> busy = json.at("busy_s");
    // In lazy mode the strategy took its time while the objects went on.
    const double late_s = json.contains("late_decide_s") && json["late_decide_s"].is_number()
                              ? json["late_decide_s"].get<double>()
                              : 0;
    ResourceStep step{.points = json.at("points"),
                      .mean_s = std::accumulate(busy.begin(), busy.end(), 0.0) / pes_,
                      .deciding = static_cast<double>(deciding()),
                      .decide_s = late_s > 0 ? late_s : json.at("decide_s").get<double>(),
                      .move_s = json.at("move_s"),
                      .before_percent = json.at("imbalance_before_percent"),
                      .after_percent = json.at("imbalance_after_percent")};
    step.length_s = json.value("interval_s", 0.0);
    step.fullest_s = json.value("max_busy_s", 0.0);
    step.unmoved_s = json.value("max_busy_unmoved_s", 0.0);
    step.unbalanced_s = json.value("max_busy_unbalanced_s", 0.0);
    if (json.contains("load_quantiles") && json["load_quantiles"].is_array())
      step.loads = loads_of(json["load_quantiles"].get<std::vector<double>>(), json.at("object_count"));
    steps_.add(pes_, step);
  }

  ResourceSteps& steps_;
  double pes_ = 1;                             // that computed
  std::uint32_t reserved_ = 0, deciding_ = 1;  // that only decided; that decided
};

}  // namespace

void ResourceReports::parse(const std::string& text, const std::string& called) {
  const std::size_t before = steps_.samples().step.size();
  ReportReader reader(steps_);
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    try {
      reader.line(Json::parse(line));
    } catch (const Json::exception& error) {
      throw FileError(called + ": line " + std::to_string(number) +
                      " is none of a report of LB steps (--lb-report): " + error.what());
    }
  }
  if (steps_.samples().step.size() == before)
    throw FileError(
        called +
        ": there is no LB step in which anything was computed and decided: it is to be the report "
        "(--lb-report) of a run that was balanced");
  processes_ = reader.processes();
  most_deciding_ = std::max(most_deciding_, reader.deciding());
}

void ResourceReports::read(const std::string& file) {
  TextInput input(file);
  parse(std::string(std::istreambuf_iterator<char>(&input), {}), file);
}

ResourceReport ResourceReports::learned() const {
  ResourceReport report{steps_.samples(), steps_.question(processes_), most_deciding_};
  report.question.inline_divides = false;
  return report;
}

}  // namespace skein::lb
