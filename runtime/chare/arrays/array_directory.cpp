// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/arrays/array_directory.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

std::vector<std::unique_ptr<ArrayBase>> all;  // by number
std::vector<ArrayBase*> of_pe_0;              // by count; null: not known
std::vector<std::vector<ArrayBase*>> of_pe;   // the others', by PE, then by count
std::uint64_t next_count = 0;                 // of an array that this PE creates
std::uint64_t first_count = 0;
const BegunAnew<all, of_pe_0, of_pe, next_count, first_count> with_runtime;

/// Above the counts of all arrays that earlier jobs of this process have known.
std::uint64_t past_counts = 0;

int count_bits() { return 32 - std::bit_width(static_cast<unsigned>(net::world.pes - 1)); }
std::uint32_t count_of(std::uint32_t number) {
  return number & static_cast<std::uint32_t>((std::uint64_t{1} << count_bits()) - 1);
}

std::vector<ArrayBase*>& made_on(int pe) {
  if (pe == 0) return of_pe_0;
  if (of_pe.empty()) of_pe.resize(static_cast<std::size_t>(net::world.pes));
  return of_pe[static_cast<std::size_t>(pe)];
}

ArrayBase* find(std::uint32_t number) {
  if (number < of_pe_0.size()) [[likely]]
    return of_pe_0[number];
  if (number == no_array) return nullptr;
  const std::vector<ArrayBase*>& arrays = made_on(maker_of(number));
  const std::uint32_t count = count_of(number);
  return count < arrays.size() ? arrays[count] : nullptr;
}

/// Where a number is not known: that of an array that is still to come is an array's.
/// Apart, so that finding an array needs no room on the stack.
[[gnu::cold, gnu::noinline]] ArrayBase* check_names_array(std::uint32_t number) {
  if (number == no_array) fail("an Array or ElementRef is used that names no array");
  if (count_of(number) < first_count)
    fail(
        "an Array or ElementRef is used that names an array of an earlier job of this program: arrays end "
        "with "
        "their job");
  return nullptr;
}

}  // namespace

void begin_array_numbers() {
  double first = static_cast<double>(past_counts);
  net::max_of_all({&first, 1});
  next_count = first_count = static_cast<std::uint64_t>(first);
}

std::uint32_t new_array_number() {
  // The last of all would be no_array.
  if (next_count + 1 >= std::uint64_t{1} << count_bits())
    fail("PE " + std::to_string(net::world.pe) + " has created " + std::to_string(next_count) +
         " arrays, those of earlier jobs included, which is as many as it can; objects of which there are "
         "many "
         "are made by skein::create()");
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(net::world.pe) << count_bits()) +
                                    next_count++);
}

std::uint32_t reserve_array_numbers(std::uint32_t count) {
  if (net::world.pe == 0) next_count += count;
  return static_cast<std::uint32_t>(first_count);
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
  const auto place =
      std::ranges::upper_bound(all, array->number(), {}, [](const auto& each) { return each->number(); });
  return **all.insert(place, std::move(array));
}

std::span<const std::unique_ptr<ArrayBase>> all_arrays() { return all; }
bool is_known(std::uint32_t array) { return find(array); }

void forget_arrays() {
  past_counts = std::max<std::uint64_t>({past_counts, next_count, of_pe_0.size()});
  for (const auto& arrays : of_pe) past_counts = std::max<std::uint64_t>(past_counts, arrays.size());
  all.clear();
  of_pe_0.clear();
  of_pe.clear();
}

ArrayBase* known_array(std::uint32_t number) {
  ArrayBase* const array = find(number);
  if (!array) [[unlikely]]
    return check_names_array(number);
  return array;
}

ArrayBase& array_number(std::uint32_t number) {
  ArrayBase* array = known_array(number);
  // An entry method uses a name that came faster than the array. Receivers await arrays before.
  while (!array) {
    if (!net::poll()) net::idle();
    array = find(number);
  }
  return *array;
}

}  // namespace skein::chare
