// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/lb/nearest.hpp"

namespace skein::options {

using lb::did_you_mean;
using lb::valid_names;

}  // namespace skein::options
