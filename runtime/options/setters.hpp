// SPDX-License-Identifier: Apache-2.0
// Setters for tables of options (OptionOf::set): `member` is a pointer to a member of the Target or of its
// base.
#pragma once

#include <type_traits>

#include "runtime/options/option_walk.hpp"
#include "runtime/options/values.hpp"

namespace skein::options {

/// Sets the value by `set(target, text)`.
template <auto set, class Target>
void set_value(const OptionOf<Target>&, Target& to, std::string_view text) {
  set(to, text);
}

/// Stores any text.
template <auto member, class Target>
void set_any(const OptionOf<Target>&, Target& to, std::string_view text) {
  to.*member = text;
}
/// Stores the result of `parse(text)`.
template <auto member, auto parse, class Target>
void set_parsed(const OptionOf<Target>&, Target& to, std::string_view text) {
  to.*member = parse(text);
}
template <auto member, class Target>
void set_text(const OptionOf<Target>&, Target& to, std::string_view text) {
  to.*member = parse_text(text);
}
template <auto member, class Target>
void set_switch(const OptionOf<Target>&, Target& to, std::string_view text) {
  to.*member = parse_switch(text);
}
/// Stores which word of the option's value was given, by its number.
template <auto member, class Target>
void set_choice(const OptionOf<Target>& self, Target& to, std::string_view text) {
  auto& value = to.*member;
  value = static_cast<std::remove_reference_t<decltype(value)>>(parse_choice(text, self.value));
}
template <auto member, std::uint64_t least, std::uint64_t most, class Target>
void set_count(const OptionOf<Target>&, Target& to, std::string_view text) {
  auto& value = to.*member;
  value = static_cast<std::remove_reference_t<decltype(value)>>(parse_count(text, least, most));
}

}  // namespace skein::options
