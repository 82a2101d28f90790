// SPDX-License-Identifier: Apache-2.0
// Failing together: an error that one PE finds is thrown on all PEs, so that none waits for another.
// Collective.
#pragma once

#include <exception>
#include <string>

#include "runtime/base/error.hpp"

namespace skein::net {

/// Throws skein::Error on all PEs if `failure` is not empty on one of them, with the text of the first such
/// PE. (pe_collectives.cpp)
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
