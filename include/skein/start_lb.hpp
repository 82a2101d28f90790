// SPDX-License-Identifier: Apache-2.0
// LB steps without sync points, for elements that may move between any two of their methods.
#pragma once

namespace skein {

/// Asks for an LB step, in which elements of classes with `static constexpr bool moves_anytime = true;` may
/// move. It begins soon after: each PE ends the method that it runs and puts other calls aside until the step
/// is over. A request while a step is asked for or under way adds none. Returns at once, before anything has
/// moved; the job does not end before the step. Does nothing without --lb, or a report or dump to write, and
/// with --lb-mode lazy, where it warns.
///
/// For entry methods, the function given to run(), and functions of callbacks, on any PE.
void start_lb();

}  // namespace skein
