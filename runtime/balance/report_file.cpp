// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/report_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "runtime/balance/measured_speeds.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/step_output.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"

namespace skein::balance {
namespace {

using Json = nlohmann::ordered_json;

/// Rounds to the nanosecond: more digits mean nothing, and make up half of the file.
Json rounded(const std::vector<double>& seconds) {
  Json list = Json::array();
  for (const double s : seconds) list.push_back(std::round(s * 1e9) / 1e9);
  return list;
}

Json list_of(const std::vector<Relocation>& relocations) {
  Json list = Json::array();
  for (const Relocation& one : relocations) list.push_back({one.object, one.from, one.to});
  return list;
}

/// Returns null where the step has no late decision.
template <class Of>
Json of_late(const StepRecord& record, Of of) {
  return record.plan.late ? Json(std::invoke(of, *record.plan.late)) : Json();
}
template <class Of>
Json of_drift(const StepRecord& record, Of of) {
  return record.plan.late ? Json(std::invoke(of, record.plan.late->drift)) : Json();
}
/// Returns null where no PE had the loads of all objects.
Json of_loads(const StepRecord& record, Json value) {
  return record.plan.step.loads.quantiles.empty() ? Json() : std::move(value);
}
std::uint64_t late_points(const LateFacts& late) { return late.applied_at - late.asked_at; }

/// A field of the report, in the order of the table in docs/porting.md.
struct Field {
  const char* name;
  Json (*of)(const StepRecord& record);
};
constexpr Field kFields[] = {
    {"step", [](const StepRecord& r) -> Json { return r.interval.index + 1; }},
    {"strategy", [](const StepRecord& r) -> Json { return r.plan.step.strategy; }},
    {"at_s", [](const StepRecord& r) -> Json { return r.interval.so_far_s; }},
    {"interval_s", [](const StepRecord& r) -> Json { return r.interval.length_s; }},
    {"imbalance_before_percent",
     [](const StepRecord& r) -> Json { return r.plan.step.before.imbalance_percent(); }},
    {"imbalance_after_percent",
     [](const StepRecord& r) -> Json { return r.plan.step.after.imbalance_percent(); }},
    {"max_load_before_s", [](const StepRecord& r) -> Json { return r.plan.step.before.largest(); }},
    {"max_load_after_s", [](const StepRecord& r) -> Json { return r.plan.step.after.largest(); }},
    {"max_busy_s", [](const StepRecord& r) -> Json { return std::ranges::max(r.interval.took_s); }},
    {"max_busy_unbalanced_s",
     [](const StepRecord& r) -> Json { return std::ranges::max(r.interval.unbalanced_s); }},
    {"max_busy_unmoved_s",
     [](const StepRecord& r) -> Json { return std::ranges::max(r.interval.unmoved_s); }},
    {"objects_moved", [](const StepRecord& r) -> Json { return r.moved.objects; }},
    {"objects_pinned", [](const StepRecord& r) -> Json { return r.plan.pinned; }},
    {"bytes_handed_over", [](const StepRecord& r) -> Json { return r.moved.bytes_handed_over; }},
    {"bytes_copied", [](const StepRecord& r) -> Json { return r.moved.bytes_copied; }},
    {"bytes_followed", [](const StepRecord& r) -> Json { return r.moved.bytes_followed; }},
    {"meet_s", [](const StepRecord& r) -> Json { return r.meet_s; }},
    {"decide_s", [](const StepRecord& r) -> Json { return r.decide_s; }},
    {"move_s", [](const StepRecord& r) -> Json { return r.move_s; }},
    {"pe_loads_s", [](const StepRecord& r) -> Json { return r.plan.step.before.of_pe; }},
    {"points", [](const StepRecord& r) -> Json { return r.interval.points; }},
    {"busy_s", [](const StepRecord& r) -> Json { return rounded(r.interval.took_s); }},
    {"busy_unbalanced_s", [](const StepRecord& r) -> Json { return rounded(r.interval.unbalanced_s); }},
    {"moves", [](const StepRecord& r) -> Json { return list_of(r.relocations); }},
    {"late_points", [](const StepRecord& r) -> Json { return of_late(r, late_points); }},
    {"late_decide_s", [](const StepRecord& r) -> Json { return of_late(r, &LateFacts::decide_s); }},
    {"dropped", [](const StepRecord& r) -> Json { return of_late(r, &LateFacts::dropped); }},
    {"drift_work_percent",
     [](const StepRecord& r) -> Json { return of_drift(r, &lb::LateDrift::work_percent); }},
    {"drift_changed_percent",
     [](const StepRecord& r) -> Json { return of_drift(r, &lb::LateDrift::changed_percent); }},
    {"drift_change_percent",
     [](const StepRecord& r) -> Json { return of_drift(r, &lb::LateDrift::change_percent); }},
    {"drift_imbalance_percent",
     [](const StepRecord& r) -> Json { return of_drift(r, &lb::LateDrift::imbalance_percent); }},
    {"decider_objects",
     [](const StepRecord& r) -> Json { return r.plan.together ? Json(r.plan.together->objects) : Json(); }},
    {"decider_bytes",
     [](const StepRecord& r) -> Json { return r.plan.together ? Json(r.plan.together->bytes) : Json(); }},
    {"pe_speeds", [](const StepRecord&) -> Json { return rounded(pe_speeds()); }},
    {"load_quantiles",
     [](const StepRecord& r) -> Json { return of_loads(r, rounded(r.plan.step.loads.quantiles)); }},
    {"object_count", [](const StepRecord& r) -> Json { return of_loads(r, r.plan.step.loads.objects); }},
    {"why", [](const StepRecord& r) -> Json { return r.plan.why; }},
};

void write_line(const Json& line) {
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (fwrite(text.data(), 1, text.size(), step_output->report.file) != text.size() ||
      fflush(step_output->report.file) != 0) {
    log_line("the LB report could not be written further: %s (--lb-report)", strerror(errno));
    step_output->report.failed = true;
    fclose(step_output->report.file);
    step_output->report.file = nullptr;
  }
}

}  // namespace

void open_report(const std::string& path) {
  step_output->report.file = fopen(path.c_str(), "we");
  if (!step_output->report.file)
    throw Error(
        format("the LB report %s cannot be written: %s (--lb-report)", path.c_str(), strerror(errno)));
}

bool report_wanted() { return step_output->report.file != nullptr; }

void report_job(const StepConfig& config, const std::vector<int>* places) {
  if (!step_output->report.file || step_output->report.begun) return;
  step_output->report.begun = true;
  Json job;
  job["version"] = 1;
  job["command"] = config.command;
  job["program"] = config.program;
  job["lb"] = config.automatic ? "auto" : config.strategy ? std::string(config.strategy->info->name) : "none";
  job["pes"] = computing_pes();
  if (config.mode.reserved_pes() > 0) job["reserved_pes"] = config.mode.reserved_pes();
  if (config.mode.deciding_pes > 0 && !config.mode.reserved) job["deciding_pes"] = config.mode.deciding_pes;
  if (config.mode.is_lazy()) job["lazy"] = true;
  job["objects"] = objects().noun();
  if (places) job["placement"] = *places;
  if (config.cannot_move) job["cannot_move"] = config.cannot_move;
  write_line({{"job", std::move(job)}});
}

void report_step(const StepRecord& record) {
  if (!step_output->report.file) return;
  Json line;
  for (const Field& field : kFields) line[field.name] = field.of(record);
  write_line(line);
}

void report_end(const Interval& last, const lb::Gain& gain) {
  if (!step_output->report.file) return;
  Json end;
  end["at_s"] = last.so_far_s;
  end["interval_s"] = last.length_s;
  end["busy_s"] = rounded(last.took_s);
  end["busy_unbalanced_s"] = rounded(last.unbalanced_s);
  end["max_busy_unmoved_s"] = std::ranges::max(last.unmoved_s);
  end["with_s"] = gain.with_s();
  end["without_s"] = gain.without_s();
  write_line({{"end", std::move(end)}});
}

bool close_report() {
  if (step_output->report.file && fclose(step_output->report.file) != 0) {
    log_line("the LB report is not complete: %s (--lb-report)", strerror(errno));
    step_output->report.failed = true;
  }
  step_output->report.file = nullptr;
  return !step_output->report.failed;
}

}  // namespace skein::balance
