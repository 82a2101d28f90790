// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/hints.hpp"

#include <algorithm>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

/// Returns true for a whole number above zero.
bool is_number(std::string_view value) {
  return !value.empty() && value.size() < 19 &&
         std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }) &&
         value.find_first_not_of('0') != value.npos;
}

}  // namespace

bool means_something(const Hint& hint, std::string_view value) {
  switch (hint.values) {
    case Hint::Values::truth:
      return value == "true" || value == "false";
    case Hint::Values::number:
      return is_number(value);
    case Hint::Values::text:
      return true;
    case Hint::Values::fixed:
      break;
  }
  return false;
}

void take_hints(RankState& state, Info*& own, MPI_Info given, std::span<const Hint> known) {
  const Info* const said = state.infos.find(given);
  if (!said) return;
  if (!own) own = make_info(state);
  for (const Hint& hint : known)
    if (const std::pmr::string* const value = said->find(hint.key); value && means_something(hint, *value))
      own->set(hint.key, *value);
}

Info& hints_in_force(RankState& state, const Info* own, std::span<const Hint> known) {
  Info& told = *make_info(state);
  for (const Hint& hint : known) {
    const std::pmr::string* const given = own ? own->find(hint.key) : nullptr;
    const std::string_view value = given ? std::string_view(*given) : hint.otherwise;
    if (!value.empty()) told.set(hint.key, value);
  }
  return told;
}

}  // namespace skein::vmpi
