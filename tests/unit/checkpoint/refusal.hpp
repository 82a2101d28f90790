// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "runtime/base/error.hpp"

/// Returns the text of the skein::Error that `act` throws, or "accepted".
inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "accepted";
}
