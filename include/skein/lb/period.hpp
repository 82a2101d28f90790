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
// d is the excess that came, in all, over the points in which it did, and has to be remembered for long: a
// program that jumps every hundred points shows nothing in nearly all intervals, and who takes the last ones
// for it is late each time. A point weighs as much as its number since the start, so that a program that has
// changed is met in the end.
//
// Before anything came, d is not 0, only unknown: after n points without, the rule of succession expects the
// next with probability 1 / (n + 1) (P. S. Laplace, "Essai philosophique sur les probabilites", 1814). One
// that is as large as kFirstGuess of a point's time is expected, so that K grows with the square root of n
// while nothing happens: to have looked at n points that stay even costs some sqrt(6 kFirstGuess C n) in
// points, C being in points, too: 0.4 % of the first hundred if a look takes a hundredth of a point.
//
// C is what a step takes without its movement, which is paid when there is something to move, however often
// one looks. It may well be below what a point takes by orders of magnitude; then every point is a step.
//
// And a step has the PEs wait for each other, which a program may do at each point by itself, or not at all:
// then what one PE took by chance in a point another would have taken in the next, but a step in each point
// waits for the slowest each time. Of noise that is independent from point to point, K points hold W sqrt(K),
// where W is what PEs wait unforeseen at steps in each point; so W / sqrt(K) a point is lost, and the least
// sum is where C + W sqrt(K) / 2 stands for C. Where a program makes its ranks wait for each other, they are
// all there when a step begins, and W is 0.
//
// Excess must be what is expected, not what was measured (lb/planner/forecast.hpp): what varies from interval
// to interval without lasting is there again after every step, and would have a balanced program stopped at
// every sync point. Signs are kept: what goes away by itself takes back what it seemed to be.
#pragma once
#include <cstdint>

namespace skein::lb {

// What an interval and the step at its end showed, equal on all processes.
struct PeriodInput {
  std::uint64_t points = 1;    // sync points in the interval
  double interval_s = 0;       // its length
  double excess_before_s = 0;  // largest finish time less the perfect one, over the interval
  double excess_after_s = 0;   // the same loads on the new placement
  double look_s = 0;           // the step without its movement
  double unforeseen_s = 0;     // what PEs waited at its beginning on average, beyond what excess explains
  double persistence = 1;      // the part of an imbalance that lasts, if excess has in it what does not
};

class AutoPeriod {
 public:
  // Sync points until the next step; at most four times as many as there were so far.
  std::uint64_t next(const PeriodInput& input);

 private:
  double excess_left_ = -1;  // seconds a point, as the last step left it; negative before the first
  // Sums over points, each weighing its number since the start, over that of the last.
  double grown_ = 0;   // seconds a point by which excess has grown
  double chance_ = 0;  // what was waited unforeseen in an interval, over the square root of its points
  double weight_ = 0;  // of the points
  double passed_ = 0;  // points
};

}  // namespace skein::lb
