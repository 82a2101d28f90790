// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::chare {

/// The end of the job asks for activities that wait. On every PE, once.
void watch_activities();

}  // namespace skein::chare
