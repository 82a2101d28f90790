// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto`: a job begins inline, learns from its own steps, and turns lazy, with its last PE
// deciding, once the model says twice in a row that this is clearly faster. The lazy job is then measured; if
// it is slower, the job returns to inline for good. Pure.
//
// The model is that of docs/lazy.md ("The resource model") for p PEs of which one may decide for the others.
// Its values come from the steps so far:
//
//   inline  g + r + t f(p)
//   lazy    t f(p - 1) + U (alpha - 1) w(p - 1) + r      and less often decided where U is above t
//
//   t        sync points from one LB step to the next
//   w(n)     what the objects compute until the next sync point, divided among n PEs
//   f(n)     how long that takes, as objects cannot be divided
//   g, r     what deciding takes, and what moving
//   U        sync points from asking until the decision is applied
//   alpha-1  what a sync point loses by the decision before in place of the one to come: had the last LB step
//            moved nothing, the fullest PE would have computed so much longer. Of two steps that is what the
//            second one shows, and of one its imbalance
//
// Times of several PEs that decide together cannot be learnt from such a job's steps: skein tune tries them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein::lb {

/// An inline LB step and the interval that it ends.
struct InlineStep {
  double points = 1;          // sync points in the interval
  double mean_s = 0;          // what PEs computed, on average
  double decide_s = 0;        // deciding
  double move_s = 0;          // moving
  double before_percent = 0;  // imbalance as it was measured
  double length_s = 0;        // from the end of the last LB step; 0: not known
  double fullest_s = 0;       // what the fullest PE computed
  double unmoved_s = 0,
         unbalanced_s = 0;  // computing of the fullest PE had the last LB step moved nothing; had no step
  std::vector<double> loads = {};  // of the objects, in any unit; empty: not known
};

struct ModeChoice {
  bool lazy = false;
  double inline_s = 0, lazy_s = 0;  // time of t sync points and their decision
  std::string why = {};             // a sentence
  const char* mode() const { return lazy ? "lazy:pes=1" : "inline"; }
};

class LiveMode {
 public:
  /// Learns from an inline step of a job on `pes` PEs. With the interval that it ends it took `whole_s`.
  void add(double pes, const InlineStep& step, double whole_s);

  /// Returns the faster mode, or null without a step that computed and decided. Lazy needs `may_be_lazy`.
  std::optional<ModeChoice> choice(bool may_be_lazy) const;
  /// Returns true if the job is to be lazy from its next step on, as the file head describes.
  bool is_to_be_lazy() const { return times_lazy_ >= kTimes; }

  /// Returns the time of a sync point while the job was inline, s, steps included and the unbalanced interval
  /// before the first step left out. 0 if not known.
  double pace_s() const { return points_ > 0 ? whole_s_ / points_ : 0; }

  static constexpr double kLeastSteps = 3;
  static constexpr int kTimes = 2;
  static constexpr double kClearly = 0.95;

 private:
  struct Mean {
    double sum = 0, count = 0;
    void add(double value) { sum += value, ++count; }
    double value() const { return count > 0 ? sum / count : 0; }
  };
  /// The value with the least sum of squared relative errors to the values that were added.
  struct RelativeMean {
    double sum = 0, squares = 0;
    void add(double value) { sum += 1 / value, squares += 1 / (value * value); }
    double value() const { return sum / squares; }
  };

  void learn(const InlineStep& step);
  double loss() const;
  double divided_s(double pes) const;
  double wasted_s(double pes) const;
  double point_s(double pes) const;

  double pes_ = 1, added_ = 0;
  RelativeMean point_s_, decide_s_;
  Mean steps_points_, move_s_, undecided_loss_;
  Mean first_loss_, second_loss_, loss_;     // of the first step, the second, the others
  double length_s_ = 0, length_points_ = 0;  // sums over the steps but the first
  std::vector<double> loads_;
  double whole_s_ = 0, points_ = 0;
  int times_lazy_ = 0;
};

/// Decides, some periods after a job turned lazy, whether it was faster before.
class LazyTrial {
 public:
  LazyTrial() = default;
  /// `pace_s`: time of an inline sync point; 0: not known. `began`: the sync point where the job turned lazy.
  LazyTrial(double pace_s, std::uint64_t began, std::uint64_t period)
      : pace_s_(pace_s), began_(began), period_(period) {}

  /// Returns true, at most once, if inline was faster; `took_s` is the time from `began` to `now`.
  bool was_faster_before(std::uint64_t now, double took_s);

  static constexpr std::uint64_t kPeriods = 4;
  static constexpr double kSlower = 1.05;

 private:
  double pace_s_ = 0;
  std::uint64_t began_ = 0, period_ = 1;
};

}  // namespace skein::lb
