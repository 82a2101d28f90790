// SPDX-License-Identifier: Apache-2.0
// What import_ti() does with what it has read: for tests that need no files.
#pragma once
#include "lb/trace/formats/ti_files.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::trace {

Trace import_ti_texts(std::deque<TiText> texts, const TiOptions& options, Remarks* remarks);

}  // namespace skein::trace
