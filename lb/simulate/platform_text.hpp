// SPDX-License-Identifier: Apache-2.0
// What a number of a platform may be, in words.
#pragma once
#include <string>

#include "lb/simulate/platform_members.hpp"

namespace skein::simulate {

bool is_allowed(double value, const Allowed& allowed);
// "from 0 to 1000", "above 0, up to 1000", "from 0 to below 1"
std::string to_text(const Allowed& allowed);
// As short as it can be read back, in every locale.
std::string to_text(double number);
// "name[index]"
std::string indexed(const char* name, std::size_t index);
// "NAME is -3; it may be ..."
std::string not_allowed(const std::string& name, double value, const Allowed& allowed);

}  // namespace skein::simulate
