// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto`: a job begins inline, learns from its own steps, and leaves deciding to its last PE once
// the model says twice in a row that this takes clearly less. Whether it does is then measured; if not, the
// job is inline again, for good. Pure.
//
// The model is that of docs/lazy.md ("The resource model") for p PEs of which one may decide for the others,
// by what the steps so far have shown:
//
//   inline  g + r + t f(p)
//   lazy    t f(p - 1) + U (alpha - 1) w(p - 1) + r      and less often decided where U is above t
//
//   t        sync points from one LB step to the next
//   w(n)     what the objects compute until the next sync point, divided among n PEs
//   f(n)     how long that takes, as objects cannot be divided
//   g, r     what deciding takes, and what moving
//   U        sync points until what is decided is applied
//   alpha-1  what a sync point loses by the decision before in place of the one to come: had the last LB step
//            moved nothing, the fullest PE would have computed so much longer. Of two steps that is what the
//            second one shows, and of one its imbalance
//
// What several PEs would take that decide together no step of such a job has shown: skein tune tries that.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein::lb {

/// An inline LB step and the interval that it ends.
struct InlineStep {
  double points = 1;                       // sync points in the interval
  double mean_s = 0;                       // what PEs computed, on average
  double decide_s = 0;                     // what the strategy took
  double move_s = 0;                       // what moving took
  double before_percent = 0;               // imbalance as it was measured
  double length_s = 0;                     // from behind the last LB step; 0: not known
  double fullest_s = 0;                    // what the fullest PE computed
  double unmoved_s = 0, unbalanced_s = 0;  // the same had the last LB step moved nothing; had none
  std::vector<double> loads = {};          // of the objects, in any unit; empty: not known
};

struct ModeChoice {
  bool lazy = false;
  double inline_s = 0, lazy_s = 0;  // that t sync points and what is decided for them take
  std::string why = {};             // a sentence
  const char* mode() const { return lazy ? "lazy:pes=1" : "inline"; }
};

class LiveMode {
 public:
  /// Learns from a step that was inline, of so many PEs. `points` sync points, and the step that they end in,
  /// took `whole_s`.
  void add(double pes, const InlineStep& step, double whole_s);

  /// Null where there was no step in which anything was computed and decided. Where the job cannot be lazy,
  /// it is not chosen.
  std::optional<ModeChoice> choice(bool may_be_lazy) const;
  /// Whether the job is to be lazy from its next step on: see above.
  bool is_to_be_lazy() const { return times_lazy_ >= kTimes; }

  /// What a sync point took while the job was inline, steps included, s; that before the first step, when
  /// nothing was balanced, does not count. 0: not known.
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
  /// The value from which those that were added differ least, relative to each.
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
  Mean first_loss_, second_loss_, loss_;     // of the first step, the second one, the others
  double length_s_ = 0, length_points_ = 0;  // sums over the steps but the first
  std::vector<double> loads_;
  double whole_s_ = 0, points_ = 0;
  int times_lazy_ = 0;
};

/// Decides, for a job that is lazy since some periods, whether it was faster before.
class LazyTrial {
 public:
  LazyTrial() = default;
  /// `pace_s`: of inline; 0: nothing to compare with. It is lazy since sync point `began`.
  LazyTrial(double pace_s, std::uint64_t began, std::uint64_t period)
      : pace_s_(pace_s), began_(began), period_(period) {}

  /// `took_s` have passed since, and the job has come to sync point `now`. True once at most.
  bool was_faster_before(std::uint64_t now, double took_s);

  static constexpr std::uint64_t kPeriods = 4;
  static constexpr double kSlower = 1.05;

 private:
  double pace_s_ = 0;
  std::uint64_t began_ = 0, period_ = 1;
};

}  // namespace skein::lb
