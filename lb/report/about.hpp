// SPDX-License-Identifier: Apache-2.0
// The JSON of a page: all that is shown but what is large, which is in arrays.
#pragma once
#include <string>

#include "arrays.hpp"
#include "skein/lb/report.hpp"

namespace skein::report {

std::string describe(const Report& report, Arrays& arrays);

}  // namespace skein::report
