// SPDX-License-Identifier: Apache-2.0
// Readers for the kinds of files that make a report. All throw ReportError.
#pragma once
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "skein/lb/report.hpp"

namespace skein::report {

/// A value of a JSON file that knows its place, so that errors can name it.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  bool has(const char* name) const {
    return json_->is_object() && json_->contains(name) && !(*json_)[name].is_null();
  }
  JsonPlace at(const char* name) const {
    if (!has(name)) fail(std::string("has no member '") + name + "'");
    return {(*json_)[name], where_ + ", " + name};
  }
  std::vector<JsonPlace> items() const {
    if (!json_->is_array()) fail("is no list");
    std::vector<JsonPlace> all;
    for (std::size_t i = 0; i < json_->size(); ++i)
      all.emplace_back((*json_)[i], where_ + "[" + std::to_string(i) + "]");
    return all;
  }

  std::string text() const {
    if (!json_->is_string()) fail("is no text");
    return json_->get<std::string>();
  }
  double number() const {
    if (!json_->is_number() || !std::isfinite(json_->get<double>())) fail("is no number");
    return json_->get<double>();
  }
  /// Returns a time or a size, which is not negative.
  double amount() const {
    const double value = number();
    if (value < 0) fail("is " + std::to_string(value) + ", and below 0");
    return value;
  }
  std::uint64_t natural(std::uint64_t most = UINT64_MAX) const {
    if (!json_->is_number_unsigned()) fail("is no natural number");
    const auto value = json_->get<std::uint64_t>();
    if (value > most) fail("is " + std::to_string(value) + ", and above " + std::to_string(most));
    return value;
  }
  bool truth() const {
    if (!json_->is_boolean()) fail("is neither true nor false");
    return json_->get<bool>();
  }
  std::vector<double> amounts() const {
    std::vector<double> all;
    for (const JsonPlace& item : items()) all.push_back(item.amount());
    return all;
  }

  /// Values of members that may be missing.
  std::string text(const char* name) const { return has(name) ? at(name).text() : ""; }
  double amount(const char* name) const { return has(name) ? at(name).amount() : 0; }

  [[noreturn]] void fail(const std::string& what) const { throw ReportError(where_ + ": " + what); }
  const nlohmann::json& json() const { return *json_; }

 private:
  const nlohmann::json* json_;
  std::string where_;
};

/// More PEs are a mistake in the file.
inline constexpr std::uint64_t kMostPes = 1u << 24;

/// Reads the output of --lb-report: a line for the job, one for each LB step, one for the end.
Run read_run_report(const std::string& text, const std::string& path);
/// Reads the output of skein simulate --json.
Run read_simulation(const JsonPlace& json, const std::string& path);
Run read_recorded(const std::string& path, const Play& play);
/// Reads a number for each PE, as several kinds of files have.
std::vector<double> read_loads(const JsonPlace& list, const Run& run);
/// Reads an LB step, without its bytes and without members of a single kind of file.
Step read_step(const JsonPlace& place, const Run& run);
/// Reads the output of skein tune --json.
Tuning read_tuning(const JsonPlace& json, const std::string& path);
/// Reads slices that a program has written: a line for the domain, one for each time. An incomplete last line
/// is left out and reported in `warning`: the program may have been killed, or may still run.
Slices read_slices(const std::string& text, const std::string& path);

}  // namespace skein::report
