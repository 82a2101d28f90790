// SPDX-License-Identifier: Apache-2.0
// What an interval between LB steps took, and what it would have taken with the objects elsewhere.
//
// Each PE knows what its own objects used, and of each of them where the program had put it. So it can say
// how much each PE would have had to compute had nobody balanced; summed over the PEs that is what balancing
// is compared with. One reduction a step, whose length is the number of PEs; or, where nobody asks for single
// PEs, a few numbers, and messages to those PEs where objects would have been.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace skein::lb {

/// An interval of all PEs together, for callers that want nothing of single PEs.
struct IntervalExtremes {
  double took_s = 0, unbalanced_s = 0, unmoved_s = 0, waited_s = 0;  // the largest of a PE
  double sum_took_s = 0;
  double load = 0, not_time = 0, growing = 0, so_far_s = 0, length_s = 0;  // sums

  void add(const IntervalExtremes& next);
};

/// What one PE adds to an interval. Seconds are those that objects had the processor, whatever their loads
/// are.
class IntervalShare {
 public:
  /// The share of PE `pe` among `pes`. `speed`: of each PE, where they differ; it must outlast this object.
  IntervalShare(int pe, int pes, std::span<const double> speed = {});

  /// An object of this PE used `busy_s` in the interval, one that has ended in it included. `placed_on`: the
  /// PE where the program has put it, where it would be had nobody balanced; `was_on`: where it was in the
  /// interval before, or where it was made in this one.
  void add_object(double busy_s, int placed_on, int was_on) { add_object_on(pe_, busy_s, placed_on, was_on); }
  /// Adds an object of another PE, where one process plays them all.
  void add_object_on(int pe, double busy_s, int placed_on, int was_on);

  enum class LoadIs {
    time,      // the seconds that the object used
    events,    // another thing that was counted: it grows with the interval as time does
    declared,  // what the program says; it holds until it says something else, however long that is
  };
  /// What strategies see as an object's load.
  void add_load(double load, LoadIs what);

  /// How long this PE waited at the end of the interval until all had come.
  void set_waiting(double waited_s) { set_waiting_on(pe_, waited_s); }
  void set_waiting_on(int pe, double waited_s);

  /// When the interval was, by the clock of PE 0, which alone need say so.
  void set_time(double so_far_s, double length_s);

  /// Sums of these over the PEs, element by element, are what Interval takes.
  const std::vector<double>& numbers() const { return numbers_; }

  /// Instead of such sums, whose length is the number of PEs: what this PE's objects would have used
  /// elsewhere, which it then knows no longer, is told there, and extremes() are added up.
  struct Elsewhere {
    int pe;
    double unbalanced_s, unmoved_s;
  };
  std::vector<Elsewhere> take_elsewhere();
  void add_elsewhere(const Elsewhere& part);
  IntervalExtremes extremes() const;

 private:
  friend struct Interval;
  enum Part { took, unbalanced, unmoved, waited, parts };  // for each a number a PE; then
  enum Single { load, not_time, growing, so_far, length, singles };
  double& at(Part part, int pe);
  double& at(Single single);
  double at(Part part, int pe) const { return numbers_[static_cast<std::size_t>(part * pes_ + pe)]; }
  double at(Single single) const { return numbers_[static_cast<std::size_t>(parts * pes_ + single)]; }

  /// What `busy_s` on PE `pe` would be on another one.
  double moved(double busy_s, int pe, int to) const;

  int pe_, pes_;
  std::span<const double> speed_;
  std::vector<double> numbers_;
};

/// An interval as all PEs know it, equal on all.
struct Interval {
  /// `sums`: of the numbers() of all PEs.
  Interval(std::uint64_t its_index, std::uint64_t its_points, const std::vector<double>& sums);
  /// Where nobody wants to know more: what is by PE is one number each, the largest.
  Interval(std::uint64_t its_index, std::uint64_t its_points, const IntervalExtremes& all);

  std::uint64_t index;   // 0: from the start of the job to its first LB step
  std::uint64_t points;  // sync points in it; 0: not counted
  double so_far_s;       // from the start of the job to the end of the interval, by PE 0's clock
  double length_s;

  std::vector<double> waited_s;  // by PE, at its end
  /// By PE: the seconds that objects
  std::vector<double> took_s;        // used on it
  std::vector<double> unbalanced_s;  // would have used on it, had they stayed where the program put them
  std::vector<double> unmoved_s;     // the same, had the last step moved nothing

  /// What a unit of load takes on average: 1 where loads are times, 0 where nothing has a load.
  double seconds_per_load;
  /// Loads grow with the length of the interval: not all are declared.
  bool loads_grow;
};

/// What balancing gained in a run: the sum over its intervals of what the fullest PE computed, against the
/// same with all objects where the program put them,
///     without - with = sum over k of (max over p of unbalanced_s[k][p] - max over p of took_s[k][p]).
/// Intervals end in a synchronization of all PEs, so none can begin the next before the fullest one is done:
/// both sums are what the run takes at least. What the steps themselves take is in neither.
class Gain {
 public:
  /// An interval; by PE, as in Interval.
  void add(std::span<const double> took_s, std::span<const double> unbalanced_s);

  double with_s() const { return with_s_; }
  double without_s() const { return without_s_; }

 private:
  double with_s_ = 0, without_s_ = 0;
};

}  // namespace skein::lb
