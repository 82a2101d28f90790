// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/auto.hpp"

#include <string>

namespace skein::lb {

std::optional<AutoOptions> parse_auto(std::string_view text) {
  static constexpr Key keys[] = {
      real_key("horizon", "0", 0, 1e9,
               "LB intervals over which a choice counts; 0: as many as the run has lasted so far"),
  };
  constexpr std::string_view name = "auto";
  if (!text.starts_with(name)) return std::nullopt;
  text.remove_prefix(name.size());
  if (!text.empty() && text[0] != ':') return std::nullopt;
  const Options options = parse_keys("strategy 'auto'", keys, text);
  return AutoOptions{options.real("horizon")};
}

void check_choice(std::string_view text) {
  try {
    if (parse_auto(text)) return;
    const Selection selection = parse_strategy(text);
    if (const std::string_view key = selection.missing_key(); !key.empty())
      throw StrategyError("strategy '" + std::string(selection.info->name) + "' needs a value of its key '" +
                          std::string(key) + "'");
  } catch (const UnknownStrategy& error) {
    throw UnknownStrategy(std::string(error.what()) + ", auto");
  }
}

}  // namespace skein::lb
