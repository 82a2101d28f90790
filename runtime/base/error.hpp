// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace skein {

/// An error from outside (options, files, programs, the machine). Thrown on the main thread before any rank
/// runs; the message says what failed with which values, the likely cause and the knob to turn.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Formats a message like printf.
std::string format(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace skein
