// SPDX-License-Identifier: Apache-2.0
// How fast PEs are, so that strategies balance time where PEs are unlike: of processors of several kinds, or
// with a core that others use, too.
//
// A speed is relative: 1 is the reference, and what takes t seconds on a PE of speed s takes t s on one of
// speed 1. Times of objects are measured where they are, so what becomes their load is multiplied by the
// speed of that PE (speed_here()), and strategies divide by that of the PE where they would be. Loads that
// are no times, events or what the program declares, are taken as they are.
//
// Unless the user says how fast PEs are, the processors are measured at the start in a millisecond, and count
// where one has less than four fifths of the fastest one's speed: what is less follows from who else computes
// there, and would move objects to and fro between PEs that are alike. What looks so is measured anew for
// five times as long: where a hypervisor had taken the time, it is gone then.
//
// Where speeds are measured by wish, they are the product of
//   the processor   a loop of arithmetic at the start of the job, by the time of this thread, so that it does
//                   not matter who else runs meanwhile. The fastest is 1, and who is within a twentieth of it
//   its share       what this thread had of its core in the interval behind, of the time in which it wanted
//                   it, as Linux's scheduler counts it (/proc/thread-self/schedstat): 0.5 where another
//                   process computes beside it. From 0.95 on it counts as all. Where a node has more PEs than
//                   cores it is not asked: they wait for each other then
//
// All on a PE's own stack.
#pragma once

#include <span>
#include <vector>

#include "skein/lb/pe_speeds.hpp"

namespace skein::balance {

/// Before the first LB step; `balances`: one may move something. Collective. Throws skein::Error with what is
/// wrong with the file, on all PEs.
void start_pe_speeds(const lb::PeSpeeds& wanted, bool balances);

/// The speed of this PE.
double speed_here();
/// The speeds of the PEs that computed at the start (measured_pes()), equal on all PEs.
const std::vector<double>& pe_speeds();
/// The speeds of those that compute now.
std::span<const double> computing_speeds();

/// At the beginning of an LB step, before objects are measured: this PE's own, anew.
void measure_own_speed();
/// Then tells all. Collective; nothing where speeds are not measured.
void exchange_speeds();

}  // namespace skein::balance
