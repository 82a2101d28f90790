// SPDX-License-Identifier: Apache-2.0
// Declares what a kind's file defines for lb/generate/generate.cpp: its keys and its function. The function
// is called with at least one object and one PE.
#pragma once
#include <span>

#include "skein/lb/generate.hpp"

#define SKEIN_LB_DECLARE_GENERATOR(identifier, ...) \
  std::span<const Key> identifier##_keys();         \
  Snapshot generate_##identifier(const GenerateSize& size, const Options& options);
