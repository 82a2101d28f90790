// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/lb/nearest.hpp"

namespace skein::options {

using lb::did_you_mean;

}  // namespace skein::options
