// SPDX-License-Identifier: Apache-2.0
// How many sync points to let pass until the next LB step: `--lb-period auto`.
//
// Imbalance comes back after a step. Let d be how fast: seconds of excess a point, per point. Waiting K
// points costs what has come back, and a step costs C every K points; the sum is least at a K that grows with
// the square root of C / d (the argument is that of J. W. Young, "A first order approximation to the optimum
// checkpoint interval", Communications of the ACM 17 (1974)).
//
// What has come back over K points is d K / 2 on average if imbalance grows evenly and a step removes all of
// it. But a step levels what the interval behind it took, which is what was there in its middle: over the
// next one excess is d K on average. Jumps count the same way: if one of size E comes in a point with
// probability p, so that d = p E, it is met K / 2 points late on average, and in the interval in which it
// comes it shows in part, so that half of it on average is left for one interval more: 3 / 4 d K. With that,
//     3 / 4 d K + C / K is least at K = sqrt(4 C / (3 d)).
//
// d is what steps gained, in all, over the points in which they did: what the fullest PE would have taken in
// an interval had the step before it moved nothing, less what the fullest one took. That is known afterwards,
// from loads that the step had not seen. What a step promised says less: whoever levels what chance made
// uneven sees it level, and uneven again at once, and would step at each point for nothing; of the gain that
// was promised none comes. It has to be remembered for
// long: a program that jumps every hundred points shows nothing in nearly all intervals, and who takes the
// last ones for it is late each time. A point weighs as much as the time since the start, so that a program
// that has changed is met in the end. Losses count, too.
//
// Before anything was gained, d is not 0, only unknown: after n points without, the rule of succession
// expects the next with probability 1 / (n + 1) (P. S. Laplace, "Essai philosophique sur les probabilites",
// 1814). One that is as large as kFirstGuess of a point's time is expected, so that K grows with the square
// root of n while nothing happens: to have looked at n points that stay even costs some sqrt(6 kFirstGuess C
// n) in points, C being in points, too: 0.8 % of the first hundred if a look takes a hundredth of a point.
//
// Where intervals are more uneven than steps left them, more than kFirstGuess may be had. That it can be had
// is not said: it may be chance, of which nothing is gained, and then the points that show so outweigh the
// guess. But where all that a step knew is out of date when the next one comes, no step gains anything, the
// less the longer they wait for each other, and only shorter intervals can show that they are better. So what
// returned on average is the guess where it is more.
//
// C is what a step takes before it moves anything; what it moves because it is a step; and what the program
// loses since all PEs wait for each other. Where it makes its ranks wait at each point anyway, they are all
// there when a step begins. Where PEs wait only for those that they exchange data with, they run ahead of
// each other, and what one is late by chance is made up for before all have waited for it; a step takes that
// away. What is lost is not what PEs wait on average: the fullest one is what all wait for in the end, so
// that only when it waits itself for another is time lost. So C has in it the mean of what that PE waited
// which was expected to be the fullest.
//
// What has come back has to be moved however often one looks: that part of the movement grows with K, and is
// no part of C. But strategies move more than that: what chance made uneven, and what they place otherwise
// without need. So the movement of a step is taken to be m0 + m1 K, of which m0 counts: the line of least
// squares through what steps with different K took. As long as K was always the same there is no such line,
// and half of the movement is taken to be m0, with the weight of observations whose K differ by kTrust of it.
#pragma once
#include <cstdint>

namespace skein::lb {

/// What an interval and the step at its end showed, equal on all processes.
struct PeriodInput {
  std::uint64_t points = 1;  // sync points in the interval
  double interval_s = 0;     // its length
  double gained_s = 0;       // by what the last step moved, over the interval
  /// By how much the interval was more uneven than the last step had left the loads that it saw: the excess
  /// of the fullest PE, in parts of what that computes.
  double returned = 0;
  double look_s = 0;    // the step without its movement
  double moving_s = 0;  // its movement
  double chance_s = 0;  // what the PE that was expected to be the fullest waited at its beginning
};

class AutoPeriod {
 public:
  /// Sync points until the next step: at most a quarter of what has passed, so that no change is met later
  /// than that; where steps are dear up to four times as much, until they take a hundredth of the time.
  std::uint64_t next(const PeriodInput& input);

 private:
  /// The part of a step's movement that does not grow with the points before it, seconds.
  double constant_movement_s() const;

  /// Sums over intervals, each of which weighs the time since the start, over that of the last.
  double gained_ = 0;  // of a point's time
  double returned_ = 0;
  double chance_s_ = 0;
  double steps_ = 0;
  double moving_s_ = 0;
  double points_squared_ = 0;
  double moving_points_ = 0;  // movement x points
  double points_ = 0;
  double passed_s_ = 0, passed_points_ = 0;  // not weighed
  double last_look_s_ = -1;                  // negative before the first
};

}  // namespace skein::lb
