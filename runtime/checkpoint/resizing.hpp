// SPDX-License-Identifier: Apache-2.0
// What a job is told while it runs: by signals to its PEs, and by files in a folder with its states.
//
//   wanted    a state is wanted: the PEs write one as soon as they can
//   granted   that one is being written, and the PEs remove the file when it is valid
//   resize    so many are wanted: the PEs write a state as soon as they can
//   resized   there is that state, and the PEs end; whoever started them starts as many as it says
//   refused   so many cannot be had
#pragma once

#include <string>

namespace skein::checkpoint {

/// Throws skein::Error where the folder cannot be written.
void want_state(const std::string& folder);
/// And none is being written that would do.
bool state_is_wanted(const std::string& folder);
/// None that was wanted is there yet.
bool state_is_awaited(const std::string& folder);
/// None is wanted any more.
void want_no_state(const std::string& folder);
/// On PE 0, when the ranks stand still for a state: it is the one that was wanted so far. When it is valid,
/// or is not to become so.
void grant_state(const std::string& folder);
void end_grant(const std::string& folder, bool valid);

/// From here on SIGUSR1 and SIGUSR2 to this process say that a state is wanted, unless the program has a use
/// for them.
void let_signals_want_states();
/// Whether one did since the last call.
bool take_signalled_wish();
void renew_signalled_wish();

/// Throws skein::Error where the folder cannot be written.
void want_size(const std::string& folder, int pes);
void want_no_size(const std::string& folder);
bool other_size_is_wanted(const std::string& folder);
/// The number, or 0 where no other one is wanted.
int wanted_size(const std::string& folder);
/// It cannot be had. Whoever wanted it takes the answer.
void refuse_size(const std::string& folder);
bool take_refusal(const std::string& folder);
/// On PE 0, when there is a new state: whether another number is wanted. If so, the PEs are to end.
bool obey_size(const std::string& folder);
/// When the PEs have ended: the number that they ended for, or 0.
int take_size(const std::string& folder);

}  // namespace skein::checkpoint
