// SPDX-License-Identifier: Apache-2.0
// All of Skein for native programs.
#pragma once

#include "skein/aggregate.hpp"
#include "skein/all.hpp"
#include "skein/array.hpp"
#include "skein/ask.hpp"
#include "skein/callback.hpp"
#include "skein/chare.hpp"
#include "skein/completion_detector.hpp"
#include "skein/flow.hpp"
#include "skein/future.hpp"
#include "skein/index.hpp"
#include "skein/job.hpp"
#include "skein/ordered.hpp"
#include "skein/ordered_output.hpp"
#include "skein/pup.hpp"
#include "skein/read_only.hpp"
#include "skein/reduction.hpp"
#include "skein/section.hpp"
#include "skein/thread.hpp"
#include "skein/timer.hpp"
#include "skein/when.hpp"
