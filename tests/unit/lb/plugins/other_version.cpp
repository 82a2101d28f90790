// SPDX-License-Identifier: Apache-2.0
// A library built for a later version of the interface.
#include "skein/lb/plugin.hpp"

extern "C" const skein::lb::Plugin* skein_lb_plugin() {
  static const skein::lb::Plugin plugin{{99, 1, 2, 3, 4}, 0, nullptr};
  return &plugin;
}
