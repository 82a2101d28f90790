// SPDX-License-Identifier: Apache-2.0
// The one function of the module around SimGrid, which is loaded when its network is asked for, so that
// nothing else depends on SimGrid. It is built together with what loads it.
#pragma once
#include "lb/simulate/network.hpp"

// The number changes with Platform and Network. Throws SimulationError; the caller deletes what it returns.
#define SKEIN_SIMULATE_SIMGRID skein_simulate_simgrid_3
extern "C" __attribute__((visibility("default"))) skein::simulate::Network* SKEIN_SIMULATE_SIMGRID(
    const skein::simulate::Platform& platform);
