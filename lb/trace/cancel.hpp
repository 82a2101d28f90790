// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "skein/lb/trace.hpp"

namespace skein::trace {

/// Whether it tells of a request that was cancelled: of a receive, or of a send.
inline bool is_cancel(const Event& event) { return event.kind == EventKind::matched && event.partner == any; }

}  // namespace skein::trace
