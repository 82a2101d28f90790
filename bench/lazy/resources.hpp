// SPDX-License-Identifier: Apache-2.0
// The resource model of balancing: of p processes, how many are to compute (n) and how many to decide (m),
// and is anybody to wait for them?
//
// After O. Pearce et al. (skein/lb/mode.hpp). Their terms, and what they are here:
//
//   f(n, w)       a step of the application on n processes that are balanced; w: work
//   g(m, w')      the strategy on m processes; w': elements of the graph
//   h(m, p, w')   gathering the graph from p processes and scattering what was decided, while all wait
//   h'(m, n, w')  the same while the application goes on
//   alpha         the length of an imbalanced step, in balanced ones: at least 1. Its loss is alpha - 1
//   i             by which part a balanced step is longer after each step
//   t             steps until the next decision, or the end, or t' if that is less
//   r             redistribution
//
//   (1)  t' = (log(tol f) - log f) / log(1 + i)
//   (2)  u  = (g(m, w') + h'(m, n, w')) / (alpha f(n, w))
//   (3)  inline     g(p, w') + h(p, p, w') + r + t f(p, w)
//        decoupled  g(m, w') + h(m, p, w') + r + t f(p, w)
//        lazy       t f(n, w) + U (alpha - 1) f(n, w) + r,    U at most t; else (4), and r / k
//
// (1) is the steps until balance is lost, which it is when one is tol times as long: what is decided is worth
// no more steps than these, so that choices are made with t at most t', and at least one step; (2) the
// imbalanced steps while a decision is made; (3) what the t steps take in each mode. In (2) alpha is the
// length of a step. In (3), as printed there, u alpha f is added to t f, as if nothing were computed in
// imbalanced steps; here the u steps are some of the t, and what is added is their loss. U is u rounded up: a
// decision is applied at a sync point, the first one behind it, and one that takes no time to speak of is a
// step late all the same.
//
// Where U is above t, a decision is asked for at every k-th time only, k = U / t rounded up: its age grows
// from U to U + k t steps instead of from 0 to t. What balance loses grows with age, by (alpha - 1) / t a
// step, so that t steps lose
//
//   (4)  (alpha - 1) (U + (k - 1) t / 2)      balanced steps, at most (alpha' - 1) t
//
// with alpha' the length of a step if no decision comes at all.
//
// That is of jobs that go on for ever. Of one that is known from beginning to end, N intervals of t steps, it
// is also known what each loses while nothing was decided, x_j in balanced steps a step: nothing in the first
// one, which no mode has a decision for. It asks at the end of an interval, if nothing is asked, and a
// decision that was asked for at step a is in force U steps later, until the next. So on average an interval
// loses
//
//   (6)  1 / N of the sum, over all steps of intervals j, of x_j while nothing is in force,
//        and of min(x_j, (alpha - 1) ((j - 1) t - a) / t) afterwards
//
// Where the strategy is a parallel program, it is one on all p there; Skein's PEs each decide alone: g(1).
// Inline has h = 0 there, since they take the graph to be where the strategy is; here all PEs get all of it.
// In decoupled mode those that decide compute, too: n = p, and m is at most p. With decoupled:reserved
// (skein/lb/mode.hpp) n is p - m, for the same g and h, which (3) never chooses.
//
// f is balanced work, divided at will. Objects are not: where their loads are known, a step takes grain(n)
// (skein/lb/grain.hpp) times as long, in all modes, which wastes W(n) = (grain(n) - 1) f(n). So with a few
// objects a PE, one PE fewer may cost a whole object. What steps took beyond that, on a number of processes q
// where it was measured, B = length - f(q) - W(q), is added to each, on however many: messages, objects that
// the strategy places less well than that, loads that differ from step to step.
//
//   (5)  a step on n   f(n) + W(n) + B                                             W(n) at least W(q)
//                      f(n) + W(q) - (W(q) - W(n)) W(q) / (W(q) + B) + B           else
//
// Objects may happen to fit on fewer processes better than on q. A strategy that left much beyond W(q) there
// will not find that: it is trusted with as much of it as W(q) is of what it wasted.
// Losses, alpha - 1 and alpha' - 1, are in balanced steps without either.
//
// A lazy job that waits K steps behind the asking one makes at most K imbalanced steps, and idles for the
// rest: f K (alpha - 1) + (g + h' - K alpha f). Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skein/lb/curve.hpp"
#include "skein/lb/mode.hpp"

namespace bench_lazy {

using skein::lb::Curve;
using skein::lb::CurveError;
using skein::lb::CurvePoint;
using skein::lb::CurveSample;
using skein::lb::Mode;
using skein::lb::Term;

/// The samples to which the curves are fitted.
struct ResourceSamples {
  std::vector<CurveSample> step = {};           // f: n, w
  std::vector<CurveSample> decision = {};       // g: m, w'
  std::vector<CurveSample> exchange = {};       // h: m, w', n
  std::vector<CurveSample> late_exchange = {};  // h': likewise. Empty: as h
  bool parallel =
      false;  // the strategy is a parallel program; else it takes as long on however many processes
};

struct ResourceModel {
  Curve f = {}, g = {}, h = {}, h_late = {};
};

/// Throws CurveError, which names the curve. There must be samples of steps and of decisions.
ResourceModel fit_resources(const ResourceSamples& samples);

/// One decision, and the steps that it is for.
struct ResourceQuestion {
  double processes = 1;                            // p
  double work = 1;                                 // w
  double graph = 1;                                // w'
  double alpha = 1;                                // at least 1
  double undecided = 0;                            // alpha'; below alpha: as alpha
  std::vector<double> undecided_by_interval = {};  // x of all N; empty: (4)
  double growth = 0;                               // i, at least 0
  double steps = 1;                                // t
  double redistribution_s = 0;                     // r
  double length_s = 0;  // of a step as it was measured, on so many processes; 0: not known
  double length_on = 1;
  std::vector<double> loads = {};  // of the objects, in any unit; empty: they can be divided at will
  double tolerance = 1.1;          // tol: balance is lost when a step is so many times as long. Above 1
  bool inline_divides = true;      // inline, all processes decide together; else each alone, as Skein's do
  bool may_be_lazy = true;         // else the strategy cannot decide while the application goes on
  bool may_be_decoupled = true;
};

/// Equation (1). Infinite if nothing grows.
double steps_until_lost(double tolerance, double growth);
/// Equation (2).
double imbalanced_steps(const ResourceModel& model, const ResourceQuestion& question, double deciding);

struct ResourceCost {
  Mode::Kind mode = Mode::Kind::inline_all;
  std::uint32_t computing = 1, deciding = 1;  // n, m
  std::optional<std::uint64_t> wait = {};     // of lazy: K; none: never
  double decide_s = 0;                        // g
  double exchange_s = 0;                      // h or h'
  double imbalanced = 0;                      // of lazy: U, or K; at most t
  double total_s = 0;                         // (3)
};
/// Equation (3), for the question's steps. `deciding`: m, in decoupled mode at most p, in lazy less; inline
/// it is always p. `wait`: of lazy.
ResourceCost cost_of(const ResourceModel& model, const ResourceQuestion& question, Mode::Kind mode,
                     std::uint32_t deciding, std::optional<std::uint64_t> wait = {});

/// Returns 1 to `most`, for choose_resources().
std::vector<std::uint32_t> deciding_up_to(std::uint32_t most);

struct ResourceChoice {
  std::vector<ResourceCost>
      rows;         // the best first; of equal ones inline, decoupled, lazy, and fewest deciding
  std::string why;  // a sentence
  const ResourceCost& chosen() const { return rows.front(); }
};
/// Chooses among inline, and decoupled and lazy with each possible m of these, for t steps, or t' if that is
/// less: the sentence says so. Lazy jobs never wait: by (3) a job that waits takes longer, and by simulation,
/// too (bench/lazy).
ResourceChoice choose_resources(const ResourceModel& model, const ResourceQuestion& asked,
                                std::span<const std::uint32_t> deciding);

/// Returns the mode as --lb-mode takes it: "lazy:pes=2,wait=10".
std::string mode_text(const ResourceCost& cost);

}  // namespace bench_lazy
