// SPDX-License-Identifier: Apache-2.0
// Makes a larger job from a recorded one.
#pragma once
#include <cstddef>

#include "skein/lb/trace.hpp"

namespace autojudge {

// Returns `copies` copies of a trace of MPI ranks side by side. Ranks of a copy talk to each other; a
// collective of the world is one of all copies. The k-th copy's bursts take 0.7 to 1.3 times as long, rising
// with k, so that copies differ in load, too. Throws skein::trace::TraceError for native programs.
skein::trace::Trace tile(const skein::trace::Trace& trace, std::size_t copies);

}  // namespace autojudge
