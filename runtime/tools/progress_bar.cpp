// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/progress_bar.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"

namespace skein::tools {
namespace {

constexpr int kBarWidth = 20;
constexpr double kLeastS = 1;        // earlier nothing is known of the time left
constexpr double kLeastPart = 0.01;  // with less done nothing is known, either

std::size_t terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string time_text(double seconds) {
  const long long whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 100) return format("%lld s", whole);
  if (whole < 6000) return format("%lld min", (whole + 30) / 60);
  return format("%.1f h", seconds / 3600);
}

}  // namespace

std::string progress_line(double part, double elapsed_s, const std::string& what, std::size_t width) {
  part = std::clamp(part, 0.0, 1.0);
  std::string line(kBarWidth, '.');
  std::fill_n(line.begin(), static_cast<int>(part * kBarWidth), '#');
  line = format("[%s] %d %%, %s", line.c_str(), static_cast<int>(part * 100), what.c_str());
  if (elapsed_s >= kLeastS && part >= kLeastPart && part < 1)
    line += ", about " + time_text(elapsed_s / part * (1 - part)) + " left";
  if (line.size() > width) line.resize(width);
  return line;
}

ProgressBar::ProgressBar() : on_terminal_(isatty(STDERR_FILENO) == 1), began_s_(seconds()) {}

ProgressBar::~ProgressBar() {
  if (!shown_.empty()) fprintf(stderr, "\r%*s\r", static_cast<int>(shown_.size()), "");
}

void ProgressBar::show(double part, const std::string& what) {
  if (!on_terminal_) return;
  const std::string line = progress_line(part, elapsed_s(), what, terminal_width() - 1);
  if (line == shown_) return;
  // Blanks overwrite the rest of a longer line.
  fprintf(stderr, "\r%-*s", static_cast<int>(std::max(line.size(), shown_.size())), line.c_str());
  fflush(stderr);
  shown_ = line;
}

double ProgressBar::elapsed_s() const { return seconds() - began_s_; }

}  // namespace skein::tools
