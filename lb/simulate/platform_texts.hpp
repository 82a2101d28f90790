// SPDX-License-Identifier: Apache-2.0
// The platforms that come with Skein; made by the build from lb/simulate/platforms/*.json.
#pragma once
#include <span>
#include <string_view>

namespace skein::simulate {

struct PlatformText {
  std::string_view name;  // of the file, without its end
  std::string_view text;
};
/// By name.
std::span<const PlatformText> platform_texts();

}  // namespace skein::simulate
