// SPDX-License-Identifier: Apache-2.0
// The speeds of PEs, so that strategies balance time where PEs differ: by the kind of their processor, or by
// others that use their core.
//
// A speed is relative: 1 is the reference, and work that takes t seconds on a PE of speed s takes t s on one
// of speed 1. Objects' times are measured where they are, and become loads by a factor of that PE's speed
// (speed_here()); strategies divide by the speed of the PE where an object would be. Loads that are no times,
// events or what the program declares, stay unchanged.
//
// Unless the user says how fast PEs are, a measurement of a millisecond at the start compares the processors.
// It counts only if one has less than four fifths of the fastest one's speed: smaller differences come from
// others that compute there, and would move objects to and fro between equal PEs. An apparent difference is
// measured again for five times as long: if a hypervisor had taken the time, it is gone then.
//
// Where the user asks for measured speeds, they are the product of
//   the processor   a loop of arithmetic at the start of the job, by the time of this thread, so that it does
//                   not matter who else runs meanwhile. The fastest is 1, as are those within a twentieth of
//                   it
//   its share       the time this thread had its core in the last interval, divided by the time in which it
//                   wanted it, as Linux's scheduler counts (/proc/thread-self/schedstat): 0.5 where another
//                   process computes beside it. From 0.95 on it counts as 1. It is not measured where a node
//                   has more PEs than cores: they wait for each other then
//
// All functions run on a PE's own stack.
#pragma once

#include <span>
#include <vector>

#include "skein/lb/pe_speeds.hpp"

namespace skein::balance {

/// Finds the speeds before the first LB step; `balances`: an LB step may move something. Collective. Throws
/// skein::Error with what is wrong with the file, on all PEs.
void start_pe_speeds(const lb::PeSpeeds& wanted, bool balances);

/// Returns the speed of this PE.
double speed_here();
/// Returns the speeds of the PEs that computed at the start (measured_pes()), equal on all PEs.
const std::vector<double>& pe_speeds();
/// Returns the speeds of the PEs that compute now.
std::span<const double> computing_speeds();

/// Measures this PE's speed again, at the beginning of an LB step, before objects are measured.
void measure_own_speed();
/// Exchanges the speeds after measure_own_speed(). Collective; does nothing where speeds are not measured.
void exchange_speeds();

}  // namespace skein::balance
