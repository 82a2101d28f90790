// SPDX-License-Identifier: Apache-2.0
// The time of an interval between LB steps, and the time it would have taken with the objects elsewhere.
//
// Each PE knows what its own objects used, and on which PE the program had put each of them. So it can say
// how much each PE would have had to compute without balancing; summed over the PEs, this is what balancing
// is compared with. It costs one reduction a step, whose length is the number of PEs; or, if nobody asks for
// single PEs, a few numbers and messages to the PEs where objects would have been.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace skein::lb {

/// An interval of all PEs together, for callers that need no values by PE.
struct IntervalExtremes {
  double took_s = 0, unbalanced_s = 0, unmoved_s = 0, waited_s = 0;  // the largest value of a PE
  double sum_took_s = 0;
  double load = 0, not_time = 0, growing = 0, so_far_s = 0, length_s = 0;  // sums

  void add(const IntervalExtremes& next);
};

/// The numbers that one PE adds to an interval. Seconds are processor time, whatever the loads are.
class IntervalShare {
 public:
  /// Makes the share of PE `pe` among `pes`. `speed`: by PE, if speeds differ; it must outlast this object.
  IntervalShare(int pe, int pes, std::span<const double> speed = {});

  /// Adds an object of this PE that used `busy_s` in the interval, or until it ended. `placed_on`: the PE
  /// where the program put it, and where it would be without balancing; `was_on`: the PE where it was in the
  /// interval before, or where it was made in this one.
  void add_object(double busy_s, int placed_on, int was_on) { add_object_on(pe_, busy_s, placed_on, was_on); }
  /// Adds an object of PE `pe`, for a process that plays all PEs.
  void add_object_on(int pe, double busy_s, int placed_on, int was_on);

  enum class LoadIs {
    time,      // the seconds that the object used
    events,    // another counted quantity: it grows with the interval as time does
    declared,  // the value that the program declared; it holds until the next declaration
  };
  /// Adds the load of an object as strategies see it.
  void add_load(double load, LoadIs what);

  /// Sets how long this PE waited at the end of the interval until all PEs had come.
  void set_waiting(double waited_s) { set_waiting_on(pe_, waited_s); }
  void set_waiting_on(int pe, double waited_s);

  /// Sets when the interval was, by the clock of PE 0. Only PE 0 need call this.
  void set_time(double so_far_s, double length_s);

  /// Returns the numbers whose element-wise sums over all PEs Interval takes.
  const std::vector<double>& numbers() const { return numbers_; }

  /// The use of PE `pe` if this PE's objects had run there. take_elsewhere() removes these numbers here,
  /// add_elsewhere() adds them there, and extremes() are added up. That replaces sums of numbers(), whose
  /// length is the number of PEs.
  struct Elsewhere {
    int pe;
    double unbalanced_s, unmoved_s;
  };
  std::vector<Elsewhere> take_elsewhere();
  void add_elsewhere(const Elsewhere& part);
  IntervalExtremes extremes() const;

 private:
  friend struct Interval;
  enum Part { took, unbalanced, unmoved, waited, parts };  // for each one number by PE; then
  enum Single { load, not_time, growing, so_far, length, singles };
  double& at(Part part, int pe);
  double& at(Single single);
  double at(Part part, int pe) const { return numbers_[static_cast<std::size_t>(part * pes_ + pe)]; }
  double at(Single single) const { return numbers_[static_cast<std::size_t>(parts * pes_ + single)]; }

  /// Returns the time that work of `busy_s` on PE `pe` takes on PE `to`.
  double moved(double busy_s, int pe, int to) const;

  int pe_, pes_;
  std::span<const double> speed_;
  std::vector<double> numbers_;
};

/// An interval as all PEs know it, with equal values on all.
struct Interval {
  /// Makes the interval from the element-wise sum of all PEs' numbers().
  Interval(std::uint64_t its_index, std::uint64_t its_points, const std::vector<double>& sums);
  /// Makes the interval without values by PE: each vector has one number, the largest.
  Interval(std::uint64_t its_index, std::uint64_t its_points, const IntervalExtremes& all);

  std::uint64_t index;   // 0: from the start of the job to its first LB step
  std::uint64_t points;  // sync points in the interval; 0: not counted
  double so_far_s;       // from the start of the job to the end of the interval, by PE 0's clock
  double length_s;

  std::vector<double> waited_s;  // by PE, at the end of the interval
  /// By PE: the seconds that objects
  std::vector<double> took_s;        // used on it
  std::vector<double> unbalanced_s;  // would have used on it, had they stayed where the program put them
  std::vector<double> unmoved_s;     // would have used on it, had the last step moved nothing

  /// The average time for a unit of load: 1 if loads are times, 0 if nothing has a load.
  double seconds_per_load;
  /// True if loads grow with the length of the interval: more than half of the load is not declared.
  bool loads_grow;
};

/// The time that balancing gained in a run: summed over the intervals, the computing time of the fullest PE
/// with all objects where the program put them, less the computing time of the fullest PE as it was,
///     without - with = sum over k of (max over p of unbalanced_s[k][p] - max over p of took_s[k][p]).
/// Intervals end in a synchronization of all PEs, so no PE begins the next before the fullest one is done:
/// both sums are lower bounds of the run's time. Neither includes the time of the steps themselves.
class Gain {
 public:
  /// Adds an interval, by PE as in Interval.
  void add(std::span<const double> took_s, std::span<const double> unbalanced_s);

  double with_s() const { return with_s_; }
  double without_s() const { return without_s_; }

 private:
  double with_s_ = 0, without_s_ = 0;
};

}  // namespace skein::lb
