// SPDX-License-Identifier: Apache-2.0
// Futures live on the PE that made them, until they were both set and asked for.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Sets the receivers. Collective, once in each job.
void start_futures();

/// Has the value of the future sent to the element, wherever it is by then.
void request_value(const Element& element, const FutureName& future);

}  // namespace skein::chare
