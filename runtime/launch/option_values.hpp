// SPDX-License-Identifier: Apache-2.0
// What the texts of options of `skein run` mean (option_table.hpp), of those that are more than a word or a
// number: each sets its members of RunOptions. Throws skein::Error that says what is wrong with the text, and
// what it may be; the option is named by whoever calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/arena/arena.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

inline constexpr std::uint64_t kMostRanks = arena::kArenaLimitBytes / arena::kLeastSlotBytes;
inline constexpr double kMostPeriodSeconds = 1e6;

/// NAME[:KEY=VALUE,...]. A library is not looked at yet.
void set_lb(RunOptions& run, std::string_view text);
void set_lb_model(RunOptions& run, std::string_view text);
void set_pe_speed(RunOptions& run, std::string_view text);
/// MODE[:KEY=VALUE,...], or auto.
void set_lb_mode(RunOptions& run, std::string_view text);
/// K, Ks or auto.
void set_lb_period(RunOptions& run, std::string_view text);
void set_lb_memory(RunOptions& run, std::string_view text);
/// CALL[:every=K,ranks=N].
void set_sync_at(RunOptions& run, std::string_view text);
void set_map(RunOptions& run, std::string_view text);
void set_slot_size(RunOptions& run, std::string_view text);
void set_stack_size(RunOptions& run, std::string_view text);
void set_papi(RunOptions& run, std::string_view text);
void set_check(RunOptions& run, std::string_view text);
/// FILE[:counters=EVENT,...][:last=SECONDS]. Names of files and of events may have colons.
void set_trace(RunOptions& run, std::string_view text);

/// FOLDER[:every=TIME,keep=N]; TIME is a number of s, min or h. Names of folders may have colons.
void set_checkpoint(RunOptions& run, std::string_view text);
/// Yes or no, or every=TIME.
void set_survive(RunOptions& run, std::string_view text);

}  // namespace skein::launch
