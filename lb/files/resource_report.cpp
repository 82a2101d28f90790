// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_report.hpp"

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "lb/files/text_file.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

using Json = nlohmann::json;

struct Sums {
  double steps = 0, points = 0, alpha = 0, moving_s = 0;
  double growth = 0, growths = 0;
};

class Reader {
 public:
  explicit Reader(ResourceReport& report) : report_(report) {}

  void line(const Json& json) {
    if (json.contains("job")) {
      const Json& job = json.at("job");
      pes_ = job.at("pes");
      report_.question.processes = pes_ + job.value("reserved_pes", 0.0);
    } else if (json.contains("step")) {
      step(json);
    }
  }

  // Whether there was a step to learn from.
  bool finish() {
    if (sums_.steps == 0) return false;
    ResourceQuestion& question = report_.question;
    question.steps = sums_.points / sums_.steps;
    question.alpha = sums_.alpha / sums_.steps;
    question.redistribution_s = sums_.moving_s / sums_.steps;
    question.growth = sums_.growths > 0 ? std::max(0.0, sums_.growth / sums_.growths) : 0;
    return true;
  }

 private:
  void step(const Json& json) {
    const double points = json.at("points");
    const std::vector<double> busy = json.at("busy_s");
    const double mean_s = std::accumulate(busy.begin(), busy.end(), 0.0) / pes_;
    // In lazy mode the strategy took its time while the objects went on.
    const double late_s = json.contains("late_decide_s") && json["late_decide_s"].is_number()
                              ? json["late_decide_s"].get<double>()
                              : 0;
    const double decide_s = late_s > 0 ? late_s : json.at("decide_s").get<double>();
    if (!(points > 0 && mean_s > 0 && decide_s > 0)) return;
    report_.samples.step.push_back({{.processes = pes_}, mean_s / points});
    report_.samples.decision.push_back({{}, decide_s});
    const double before = 1 + json.at("imbalance_before_percent").get<double>() / 100;
    if (after_ > 0) {
      sums_.growth += std::pow(before / after_, 1 / points) - 1;
      ++sums_.growths;
    }
    after_ = 1 + json.at("imbalance_after_percent").get<double>() / 100;
    ++sums_.steps;
    sums_.points += points;
    sums_.alpha += std::max(1.0, before);
    sums_.moving_s += json.at("move_s").get<double>();
  }

  ResourceReport& report_;
  double pes_ = 1;
  double after_ = 0;  // the last step, the fullest PE by the mean one; 0: there was none
  Sums sums_;
};

}  // namespace

ResourceReport parse_resource_report(const std::string& text, const std::string& called) {
  ResourceReport report;
  Reader reader(report);
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
  if (!reader.finish())
    throw FileError(
        called +
        ": there is no LB step in which anything was computed and decided: it is to be the report "
        "(--lb-report) of a run that was balanced");
  return report;
}

ResourceReport read_resource_report(const std::string& file) {
  TextInput input(file);
  return parse_resource_report(std::string(std::istreambuf_iterator<char>(&input), {}), file);
}

}  // namespace skein::lb
