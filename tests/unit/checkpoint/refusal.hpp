// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "runtime/base/error.hpp"

/// What skein::Error says of it, or "accepted".
inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "accepted";
}
