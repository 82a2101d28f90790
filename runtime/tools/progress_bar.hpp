// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace skein::tools {

/// Returns a line like "[####......] 43 %, 12 of 84 simulations, about 35 s left", at most `width` wide.
/// `part` of the work took `elapsed_s`.
std::string progress_line(double part, double elapsed_s, const std::string& what, std::size_t width);

/// Shows a progress_line() on standard error, in one place; nothing if that is no terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();  ///< removes the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double part, const std::string& what);
  double elapsed_s() const;

 private:
  bool on_terminal_;
  double began_s_;
  std::string shown_;
};

}  // namespace skein::tools
