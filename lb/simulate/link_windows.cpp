// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/link_windows.hpp"

#include <algorithm>

namespace skein::simulate {

void LinkWindows::forget_before(Ns window, Ns width) {
  // Window w is in used_[w % count].
  const Ns end = first_ + count;
  first_ = window;
  for (Ns w = std::max(end, window); w < window + count; ++w)
    used_[static_cast<std::size_t>(w % count)] =
        static_cast<std::uint16_t>(std::clamp<Ns>(beyond_ - w * width, 0, width));
}

LinkWindows::Passage LinkWindows::take(Ns now, Ns at, Ns work, Ns width) {
  const Ns present = now / width;
  if (present > first_) forget_before(present, width);
  const Ns end = first_ + count;
  Ns begin = -1;
  for (Ns w = at / width; w < end; ++w) {
    std::uint16_t& used = used_[static_cast<std::size_t>(w % count)];
    const Ns from = std::max(at, w * width + used);
    const Ns taken = std::min(work, (w + 1) * width - from);
    if (taken <= 0 && work > 0) continue;
    if (begin < 0) begin = from;
    used = static_cast<std::uint16_t>(used + taken);
    work -= taken;
    if (work == 0) return {begin, from + taken};
  }
  const Ns from = std::max({at, end * width, beyond_});
  beyond_ = from + work;
  return {begin < 0 ? from : begin, beyond_};
}

}  // namespace skein::simulate
