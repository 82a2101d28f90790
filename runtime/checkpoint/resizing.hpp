// SPDX-License-Identifier: Apache-2.0
// Requests to a running job: signals to its PEs, and files in a folder with its states.
//
//   wanted    a state is wanted: the PEs write one as soon as they can
//   granted   the wanted state is being written; the PEs remove this file when it is valid
//   resize    another number of PEs is wanted: the PEs write a state as soon as they can
//   resized   the state for that is valid, and the PEs end; their starter starts the number in the file
//   refused   the wanted number of PEs is impossible
#pragma once

#include <string>

namespace skein::checkpoint {

/// Requests a state. Throws skein::Error if the folder cannot be written.
void want_state(const std::string& folder);
/// Returns true if a state is wanted and none for it is being written.
bool state_is_wanted(const std::string& folder);
/// Returns true if a wanted state is not valid yet.
bool state_is_awaited(const std::string& folder);
/// Withdraws the request for a state.
void want_no_state(const std::string& folder);
/// Marks the state for which the ranks now stand still as the wanted one; end_grant() ends that when the
/// state is valid, or will never be. Called on PE 0.
void grant_state(const std::string& folder);
void end_grant(const std::string& folder, bool valid);

/// Makes SIGUSR1 and SIGUSR2 to this process request a state, unless the program handles them.
void let_signals_want_states();
/// Returns true if a signal came since the last call.
bool take_signalled_wish();
void renew_signalled_wish();

/// Requests another number of PEs. Throws skein::Error if the folder cannot be written.
void want_size(const std::string& folder, int pes);
void want_no_size(const std::string& folder);
bool other_size_is_wanted(const std::string& folder);
/// Returns the wanted number, or 0 if no other one is wanted.
int wanted_size(const std::string& folder);
/// Answers that the wanted number is impossible; take_refusal() takes the answer on the requesting side.
void refuse_size(const std::string& folder);
bool take_refusal(const std::string& folder);
/// Returns true if another number of PEs is wanted; then the PEs must end. Called on PE 0 when there is a new
/// state.
bool obey_size(const std::string& folder);
/// Returns the number for which the PEs ended, or 0. Called when they have ended.
int take_size(const std::string& folder);

}  // namespace skein::checkpoint
