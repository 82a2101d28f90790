// SPDX-License-Identifier: Apache-2.0
// The arrays of the job on this PE, by number. Every PE gives the arrays that it creates numbers of its own,
// so that nobody is asked: the PE in the upper bits, as many as the job's PEs need, and below a count. A
// later job of the processes counts on where the earlier ones have ended, so that names of their arrays name
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// At the start, on every PE, before any of the following: where the job begins to count. Waits for all PEs.
void begin_numbers();
/// All PEs have the same number, and two jobs with a process in common have different ones.
std::uint32_t job_number();
/// A number for an array that this PE creates. The job ends if the PE has none left.
std::uint32_t new_array_number();
/// What numbers of arrays are made of, for a job that goes on from a state with those of the state.
struct ArrayNumbers {
  std::uint64_t next_count = 0;  ///< all that this PE has given out, and those of earlier jobs, are below
  int count_bits = 0;            ///< below the PE
};
ArrayNumbers array_numbers();
/// When this PE has given out none but the first of all. The PE's part of a number has room for `pes`.
void go_on_numbering(const ArrayNumbers& numbers);
/// The first `count` of all, of PE 0, are of arrays that every PE makes at the start. The number of the
/// first.
std::uint32_t reserve_array_numbers(std::uint32_t count);
int maker_of(std::uint32_t array);
/// "array 3 of PE 1"
std::string text_of_number(std::uint32_t array);

ArrayBase& enter_array(std::unique_ptr<ArrayBase> array);
/// Those that this PE has heard of, by number.
std::span<const std::unique_ptr<ArrayBase>> all_arrays();
bool is_known(std::uint32_t array);
/// At the job's end.
void forget_arrays();

}  // namespace skein::chare
