// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/resources.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "skein/lb/grain.hpp"

namespace bench_lazy {
namespace {

constexpr Term kStepTerms[] = {Term::share, Term::constant, Term::tree};
constexpr Term kSequentialTerms[] = {Term::whole, Term::constant};
constexpr Term kParallelTerms[] = {Term::share, Term::constant, Term::tree, Term::row};
constexpr Term kSequentialExchangeTerms[] = {Term::whole, Term::ratio, Term::constant, Term::tree};
constexpr Term kParallelExchangeTerms[] = {Term::share, Term::ratio, Term::constant, Term::tree};

Curve fit_named(const char* name, std::span<const CurveSample> samples, std::span<const Term> terms) {
  try {
    return Curve::fit(samples, terms);
  } catch (const CurveError& error) {
    throw CurveError(std::string(name) + ", " + error.what());
  }
}

void check(const ResourceQuestion& question) {
  const auto refuse = [](const char* what, double value, const char* valid) {
    char text[160];
    snprintf(text, sizeof text, "the resource model was asked with %s %g; it must be %s", what, value, valid);
    throw CurveError(text);
  };
  if (!(question.alpha >= 1)) refuse("an imbalanced step of length", question.alpha, "at least 1");
  if (!(question.growth >= 0)) refuse("growth", question.growth, "at least 0");
  if (!(question.tolerance > 1)) refuse("tolerance", question.tolerance, "above 1");
  if (!(question.steps > 0)) refuse("steps", question.steps, "above 0");
  if (!(question.processes >= 1)) refuse("processes", question.processes, "at least 1");
}

double work_seconds(const ResourceModel& model, const ResourceQuestion& question, double computing) {
  return model.f({.processes = computing, .work = question.work});
}

/// Returns by how much a step is longer than balanced work, since objects cannot be divided.
double waste_seconds(const ResourceModel& model, const ResourceQuestion& question, double computing) {
  return work_seconds(model, question, computing) *
         (skein::lb::grain(question.loads, static_cast<std::size_t>(computing)) - 1);
}

/// Equation (5).
double step_seconds(const ResourceModel& model, const ResourceQuestion& question, double computing) {
  const double work_s = work_seconds(model, question, computing);
  const double waste_s = waste_seconds(model, question, computing);
  if (question.length_s <= 0) return work_s + waste_s;
  const double waste_there_s = waste_seconds(model, question, question.length_on);
  const double placed_there_s = work_seconds(model, question, question.length_on) + waste_there_s;
  const double beyond_s = std::max(0.0, question.length_s - placed_there_s);
  if (waste_s >= waste_there_s) return work_s + waste_s + beyond_s;
  const double trust = waste_there_s / (waste_there_s + beyond_s);
  return work_s + waste_there_s - trust * (waste_there_s - waste_s) + beyond_s;
}

CurvePoint exchange_point(const ResourceQuestion& question, double deciding, double computing) {
  return {.processes = deciding, .work = question.graph, .partners = computing};
}

double late_exchange(const ResourceModel& model, const ResourceQuestion& question, double deciding) {
  return model.h_late(exchange_point(question, deciding, question.processes - deciding));
}

std::string seconds_text(double seconds) {
  char text[32];
  snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

const char* name_of(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::inline_all:
      return "inline";
    case Mode::Kind::decoupled:
      return "decoupled";
    case Mode::Kind::lazy:
      return "lazy";
  }
  return "";
}

const ResourceCost* best_of(const std::vector<ResourceCost>& rows, Mode::Kind mode) {
  const auto found = std::ranges::find(rows, mode, &ResourceCost::mode);
  return found == rows.end() ? nullptr : &*found;
}

std::string sentence(const std::vector<ResourceCost>& rows, const ResourceQuestion& question, double asked) {
  const ResourceCost& best = rows.front();
  char steps[96];
  snprintf(steps, sizeof steps, "%.4g steps", question.steps);
  if (question.steps < asked)
    snprintf(steps, sizeof steps, "%.3g of %.4g steps, after which balance is lost,", question.steps, asked);
  std::string text = mode_text(best) + ": " + steps + " take " + seconds_text(best.total_s);
  for (const Mode::Kind other : {Mode::Kind::inline_all, Mode::Kind::decoupled, Mode::Kind::lazy})
    if (const ResourceCost* const row = other == best.mode ? nullptr : best_of(rows, other))
      text += std::string(", ") + name_of(other) + " " + seconds_text(row->total_s);
  text += "; deciding takes " + seconds_text(best.decide_s) + ", exchanging what it needs " +
          seconds_text(best.exchange_s);
  if (best.mode != Mode::Kind::lazy) return text;
  char loss[96];
  snprintf(loss, sizeof loss, ", while %.3g steps are made that are %.3g %% longer than balanced ones",
           best.imbalanced, 100 * (question.alpha - 1));
  text += loss;
  if (best.imbalanced >= question.steps) text += "; it is not decided before all steps are over";
  return text;
}

/// Returns the question for no more steps than balance lasts. Losses of intervals were measured in longer
/// ones.
ResourceQuestion bounded(ResourceQuestion question) {
  const double lost = std::max(1.0, steps_until_lost(question.tolerance, question.growth));
  if (lost >= question.steps) return question;
  question.steps = lost;
  question.undecided_by_interval.clear();
  return question;
}

bool can_decide(const ResourceQuestion& question, Mode::Kind mode, std::uint32_t deciding) {
  const double most = mode == Mode::Kind::lazy ? question.processes - 1 : question.processes;
  return deciding >= 1 && deciding <= most;
}

/// Returns the first sync point behind the decision. A number that is whole except for rounding is that
/// point.
double steps_until_applied(double imbalanced) { return std::ceil(imbalanced * (1 - 1e-9)); }

/// The loss of t steps by decisions that come late, in balanced steps, and how many of these come.
struct Lag {
  double lost, decisions;
};
/// Equation (4), for u of at least t.
Lag lag_beyond(const ResourceQuestion& question, double u) {
  const double t = question.steps, times = std::ceil(u / t);
  const double lost = (question.alpha - 1) * (u + (times - 1) * t / 2);
  const double most = (std::max(question.alpha, question.undecided) - 1) * t;
  return lost < most ? Lag{lost, 1 / times} : Lag{most, 0};
}

/// Equation (6).
Lag lag_of_whole_job(const ResourceQuestion& question, double u) {
  constexpr double kNone = -1;
  const double t = question.steps;
  double lost = 0, decisions = 0, in_force = kNone, asked = kNone;
  for (std::size_t j = 0; j < question.undecided_by_interval.size(); ++j) {
    const double begin = static_cast<double>(j) * t, end = begin + t;
    const double most = j == 0 ? 0 : question.undecided_by_interval[j];
    const auto loss = [&](double decision) {
      return decision == kNone ? most : std::min(most, (question.alpha - 1) * (begin - decision) / t);
    };
    const double applied = asked == kNone ? end : std::min(end, asked + u);
    lost += (applied - begin) * loss(in_force);
    if (asked != kNone && asked + u <= end) {
      lost += (end - applied) * loss(asked);
      in_force = std::exchange(asked, kNone);
      ++decisions;
    }
    if (asked == kNone) asked = end;
  }
  const auto intervals = static_cast<double>(question.undecided_by_interval.size());
  return {lost / intervals, decisions / intervals};
}

Lag lag_of(const ResourceQuestion& question, double u) {
  if (!question.undecided_by_interval.empty()) return lag_of_whole_job(question, u);
  return u >= question.steps ? lag_beyond(question, u) : Lag{u * (question.alpha - 1), 1};
}

}  // namespace

ResourceModel fit_resources(const ResourceSamples& samples) {
  if (samples.step.empty()) throw CurveError("steps: no step of the application was measured");
  if (samples.decision.empty()) throw CurveError("decisions: no decision of the strategy was measured");
  const std::span<const Term> decision =
      samples.parallel ? std::span<const Term>(kParallelTerms) : kSequentialTerms;
  const std::span<const Term> exchange = samples.parallel ? kParallelExchangeTerms : kSequentialExchangeTerms;
  ResourceModel model{.f = fit_named("steps", samples.step, kStepTerms),
                      .g = fit_named("decisions", samples.decision, decision),
                      .h = fit_named("exchanges", samples.exchange, exchange),
                      .h_late = fit_named("late exchanges", samples.late_exchange, exchange)};
  if (samples.late_exchange.empty()) model.h_late = model.h;
  return model;
}

double steps_until_lost(double tolerance, double growth) {
  return growth > 0 ? std::log(tolerance) / std::log1p(growth) : std::numeric_limits<double>::infinity();
}

double imbalanced_steps(const ResourceModel& model, const ResourceQuestion& question, double deciding) {
  const double decide_s = model.g({.processes = deciding, .work = question.graph});
  const double n = question.processes - deciding;
  const double imbalanced_s =
      step_seconds(model, question, n) + (question.alpha - 1) * work_seconds(model, question, n);
  return (decide_s + late_exchange(model, question, deciding)) / imbalanced_s;
}

ResourceCost cost_of(const ResourceModel& model, const ResourceQuestion& question, Mode::Kind mode,
                     std::uint32_t deciding, std::optional<std::uint64_t> wait) {
  check(question);
  const double p = question.processes;
  const bool all = mode == Mode::Kind::inline_all, late = mode == Mode::Kind::lazy;
  if (!all && !can_decide(question, mode, deciding))
    throw CurveError("the resource model was asked with " + std::to_string(deciding) +
                     " deciding processes; there are " + std::to_string(static_cast<std::uint64_t>(p)) +
                     (late ? " in all, and at least 1 must be left to compute" : " in all"));
  const double m = all ? p : deciding, n = late ? p - deciding : p;
  const double f = step_seconds(model, question, n), work_s = work_seconds(model, question, n);
  ResourceCost cost{
      .mode = mode,
      .computing = static_cast<std::uint32_t>(n),
      .deciding = static_cast<std::uint32_t>(m),
      .wait = late ? wait : std::nullopt,
      .decide_s = model.g({.processes = all && !question.inline_divides ? 1 : m, .work = question.graph})};
  const double balanced_s = question.steps * f;
  if (!late) {
    cost.exchange_s = model.h(exchange_point(question, m, n));
    cost.total_s = cost.decide_s + cost.exchange_s + question.redistribution_s + balanced_s;
    return cost;
  }
  cost.exchange_s = late_exchange(model, question, m);
  const double u = steps_until_applied(imbalanced_steps(model, question, m));
  const double most = wait ? std::min(question.steps, static_cast<double>(*wait)) : question.steps;
  cost.imbalanced = std::min(u, most);
  const double idle_s =
      wait && u > most ? cost.decide_s + cost.exchange_s - most * (f + (question.alpha - 1) * work_s) : 0;
  const Lag lag = wait ? Lag{cost.imbalanced * (question.alpha - 1), 1} : lag_of(question, u);
  cost.total_s = balanced_s + lag.lost * work_s + idle_s + lag.decisions * question.redistribution_s;
  return cost;
}

std::vector<std::uint32_t> deciding_up_to(std::uint32_t most) {
  std::vector<std::uint32_t> counts(most);
  std::iota(counts.begin(), counts.end(), 1u);
  return counts;
}

ResourceChoice choose_resources(const ResourceModel& model, const ResourceQuestion& asked,
                                std::span<const std::uint32_t> deciding) {
  check(asked);
  const ResourceQuestion question = bounded(asked);
  ResourceChoice choice;
  choice.rows.push_back(cost_of(model, question, Mode::Kind::inline_all, 0));
  std::vector<std::uint32_t> counts(deciding.begin(), deciding.end());
  std::ranges::sort(counts);
  for (const Mode::Kind mode : {Mode::Kind::decoupled, Mode::Kind::lazy})
    for (const std::uint32_t m : counts) {
      const bool may = mode == Mode::Kind::lazy ? question.may_be_lazy : question.may_be_decoupled;
      if (!may || !can_decide(question, mode, m)) continue;
      choice.rows.push_back(cost_of(model, question, mode, m));
    }
  std::ranges::stable_sort(choice.rows, {}, &ResourceCost::total_s);
  choice.why = sentence(choice.rows, question, asked.steps);
  return choice;
}

std::string mode_text(const ResourceCost& cost) {
  std::string text = name_of(cost.mode);
  if (cost.mode == Mode::Kind::inline_all) return text;
  text += ":pes=" + std::to_string(cost.deciding);
  if (cost.wait) text += ",wait=" + std::to_string(*cost.wait);
  return text;
}

}  // namespace bench_lazy
