// SPDX-License-Identifier: Apache-2.0
// The arrays of the job on this PE, by number. Every PE numbers the arrays that it creates without asking:
// the upper bits, as many as the job's PEs need, hold the PE, the lower a count. A later job of the processes
// continues the counts of earlier ones, so that names of earlier arrays name none of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Agrees on the first count of the job. At the start, on every PE, before the other functions here. Waits
/// for all PEs.
void begin_numbers();
/// Returns the job's number: equal on all PEs, and different for two jobs with a process in common.
std::uint32_t job_number();
/// Returns a number for an array that this PE creates. Ends the job if the PE has none left.
std::uint32_t new_array_number();
/// The state of the numbering, for a job that continues from a state and its array numbers.
struct ArrayNumbers {
  std::uint64_t next_count = 0;  ///< above all that this PE and earlier jobs have given out
  int count_bits = 0;            ///< bits below the PE
};
ArrayNumbers array_numbers();
/// Continues a state's numbering, on a PE that has given out only the first numbers. The PE's part of a
/// number has room for `pes`.
void go_on_numbering(const ArrayNumbers& numbers);
/// Reserves the first `count` numbers of all, of PE 0, for arrays that every PE makes at the start. Returns
/// the first.
std::uint32_t reserve_array_numbers(std::uint32_t count);
int maker_of(std::uint32_t array);
/// Returns "array 3 of PE 1".
std::string text_of_number(std::uint32_t array);

ArrayBase& enter_array(std::unique_ptr<ArrayBase> array);
/// Returns the arrays that this PE has heard of, by number.
std::span<const std::unique_ptr<ArrayBase>> all_arrays();
bool is_known(std::uint32_t array);
/// Ends all arrays, at the job's end.
void forget_arrays();

}  // namespace skein::chare
