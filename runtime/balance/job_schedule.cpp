// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/job_schedule.hpp"

namespace skein::balance {
PerRuntime<lb::Schedule> job_schedule;
}
