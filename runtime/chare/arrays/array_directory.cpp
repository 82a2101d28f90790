// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/arrays/array_directory.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct Directory {
  std::vector<std::unique_ptr<ArrayBase>> all;  // by number
  std::vector<ArrayBase*> of_pe_0;              // by count; null: unknown
  std::vector<std::vector<ArrayBase*>> of_pe;   // of other PEs, by PE, then by count
  std::uint64_t next_count = 0;                 // of the next array that this PE creates
  std::uint64_t first_count = 0;
  std::uint32_t job = 0;  // FutureName::job, equal on all PEs
  int count_bits = 0;

  // ---- used up by earlier jobs of this process
  std::uint64_t past_counts = 0;  // all counts of their arrays are below
  std::uint32_t past_jobs = 0;    // the jobs' numbers: two jobs with a process in common differ
};
Directory directory;

int count_bits() { return directory.count_bits; }
std::uint32_t count_of(std::uint32_t number) {
  return number & static_cast<std::uint32_t>((std::uint64_t{1} << count_bits()) - 1);
}

std::vector<ArrayBase*>& made_on(int pe) {
  if (pe == 0) return directory.of_pe_0;
  // Numbers from a state may be of PEs that do not exist now.
  if (directory.of_pe.empty()) directory.of_pe.resize(std::size_t{1} << (32 - count_bits()));
  return directory.of_pe[static_cast<std::size_t>(pe)];
}

ArrayBase* find(std::uint32_t number) {
  if (number < directory.of_pe_0.size()) [[likely]]
    return directory.of_pe_0[number];
  if (number == kNoArray) return nullptr;
  const std::vector<ArrayBase*>& arrays = made_on(maker_of(number));
  const std::uint32_t count = count_of(number);
  return count < arrays.size() ? arrays[count] : nullptr;
}

/// Ends the job if the number can be no array's. Called for unknown numbers, which may be of arrays still to
/// come. Not inline, so that finding an array needs no stack.
[[gnu::cold, gnu::noinline]] ArrayBase* check_names_array(std::uint32_t number) {
  if (number == kNoArray) fail("an Array or ElementRef is used that names no array");
  if (count_of(number) < directory.first_count)
    fail(
        "an Array or ElementRef is used that names an array of an earlier job of this program: arrays end "
        "with their job");
  return nullptr;
}

}  // namespace

void begin_numbers() {
  forget_arrays();  // of a job that did not start
  double first[] = {static_cast<double>(directory.past_counts), static_cast<double>(directory.past_jobs)};
  net::max_of_all(first);
  directory.next_count = directory.first_count = static_cast<std::uint64_t>(first[0]);
  directory.job = static_cast<std::uint32_t>(first[1]);
  directory.count_bits = 32 - std::bit_width(static_cast<unsigned>(net::world.pes - 1));
  directory.past_jobs = directory.job + 1;
}
ArrayNumbers array_numbers() { return {directory.next_count, directory.count_bits}; }
void go_on_numbering(const ArrayNumbers& numbers) {
  directory.next_count = std::max(directory.next_count, numbers.next_count);
  directory.count_bits = std::min(directory.count_bits, numbers.count_bits);
}
std::uint32_t job_number() { return directory.job; }

std::uint32_t new_array_number() {
  // The last number of all would be kNoArray.
  if (directory.next_count + 1 >= std::uint64_t{1} << count_bits())
    fail("PE " + std::to_string(net::world.pe) + " has created " + std::to_string(directory.next_count) +
         " arrays, those of earlier jobs included, which is as many as it can; objects of which there are "
         "many are made by skein::create()");
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(net::world.pe) << count_bits()) +
                                    directory.next_count++);
}

std::uint32_t reserve_array_numbers(std::uint32_t count) {
  if (net::world.pe == 0) directory.next_count += count;
  return static_cast<std::uint32_t>(directory.first_count);
}

int maker_of(std::uint32_t array) { return static_cast<int>(std::uint64_t{array} >> count_bits()); }

std::string text_of_number(std::uint32_t array) {
  return "array " + std::to_string(count_of(array)) + " of PE " + std::to_string(maker_of(array));
}

ArrayBase& enter_array(std::unique_ptr<ArrayBase> array) {
  std::vector<ArrayBase*>& arrays = made_on(maker_of(array->number()));
  const std::uint32_t count = count_of(array->number());
  if (arrays.size() <= count) arrays.resize(count + 1);
  arrays[count] = array.get();
  const auto place = std::ranges::upper_bound(directory.all, array->number(), {},
                                              [](const auto& each) { return each->number(); });
  return **directory.all.insert(place, std::move(array));
}

std::span<const std::unique_ptr<ArrayBase>> all_arrays() { return directory.all; }
bool is_known(std::uint32_t array) { return find(array); }

void forget_arrays() {
  directory.past_counts =
      std::max<std::uint64_t>({directory.past_counts, directory.next_count, directory.of_pe_0.size()});
  for (const auto& arrays : directory.of_pe)
    directory.past_counts = std::max<std::uint64_t>(directory.past_counts, arrays.size());
  directory.all.clear();
  directory.of_pe_0.clear();
  directory.of_pe.clear();
}

ArrayBase* known_array(std::uint32_t number) {
  ArrayBase* const array = find(number);
  if (!array) [[unlikely]]
    return check_names_array(number);
  return array;
}

ArrayBase& array_number(std::uint32_t number) {
  ArrayBase* array = known_array(number);
  // An entry method uses a name that arrived before the array. Receivers await arrays before.
  while (!array) {
    if (!net::poll()) net::idle();
    array = find(number);
  }
  return *array;
}

}  // namespace skein::chare
