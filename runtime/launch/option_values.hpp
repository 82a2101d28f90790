// SPDX-License-Identifier: Apache-2.0
// Parses the texts of options of `skein run` (option_table.hpp) that are more than a word or a number: each
// function sets its members of RunOptions. Throws skein::Error that says what is wrong with the text, and
// what it may be; the caller adds the option's name.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/arena/arena.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

inline constexpr std::uint64_t kMostRanks = arena::kArenaLimitBytes / arena::kLeastSlotBytes;
inline constexpr double kMostPeriodSeconds = 1e6;

/// Parses NAME[:KEY=VALUE,...]. Does not load a library.
void set_lb(RunOptions& run, std::string_view text);
void set_lb_model(RunOptions& run, std::string_view text);
void set_pe_speed(RunOptions& run, std::string_view text);
/// Parses MODE[:KEY=VALUE,...], or auto.
void set_lb_mode(RunOptions& run, std::string_view text);
/// Parses K, Ks or auto.
void set_lb_period(RunOptions& run, std::string_view text);
void set_lb_memory(RunOptions& run, std::string_view text);
/// Parses CALL[:every=K,ranks=N].
void set_sync_at(RunOptions& run, std::string_view text);
void set_map(RunOptions& run, std::string_view text);
void set_slot_size(RunOptions& run, std::string_view text);
void set_stack_size(RunOptions& run, std::string_view text);
void set_papi(RunOptions& run, std::string_view text);
void set_check(RunOptions& run, std::string_view text);
/// Parses FILE[:counters=EVENT,...][:last=SECONDS]. Names of files and of events may have colons.
void set_trace(RunOptions& run, std::string_view text);

/// Parses FOLDER[:every=TIME,keep=N]; TIME is a number of s, min or h. Names of folders may have colons.
void set_checkpoint(RunOptions& run, std::string_view text);
/// Parses yes or no, or every=TIME.
void set_survive(RunOptions& run, std::string_view text);

}  // namespace skein::launch
