// SPDX-License-Identifier: Apache-2.0
// The JSON of a page: all data but large arrays, which Arrays holds.
#pragma once
#include <string>
#include <string_view>

#include "arrays.hpp"
#include "skein/lb/report.hpp"

namespace skein::report {

std::string describe(const Report& report, Arrays& arrays);

/// The files of page/ and the drawing library, embedded by the build (embed.cmake).
struct PageSources {
  std::string_view page;  // page.html, with @NAME@ at places to be filled
  std::string_view style;
  std::string_view script;  // all modules
  std::string_view d3;      // empty: not found
  std::string_view d3_licence;
};
extern const PageSources page_sources;

}  // namespace skein::report
