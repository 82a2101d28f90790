// SPDX-License-Identifier: Apache-2.0
// Failing together: what one PE finds wrong, all PEs throw, so that none waits for another. Collective.
#pragma once

#include <exception>
#include <string>

#include "runtime/base/error.hpp"

namespace skein::net {

/// Throws skein::Error on all PEs if any has failed, with the message of the first. Empty: this PE has not.
/// (pe_collectives.cpp)
void agree_on(const std::string& failure);

/// Runs `f` on every PE; if it throws on one, all PEs throw skein::Error.
template <class F>
void together(F f) {
  std::string failure;
  try {
    f();
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "an error without a message";
  }
  agree_on(failure);
}

}  // namespace skein::net
