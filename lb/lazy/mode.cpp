// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/mode.hpp"

#include <charconv>
#include <cstdio>
#include <string>

#include "skein/lb/nearest.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {
namespace {

constexpr std::string_view kModeNames[] = {"inline", "decoupled", "lazy"};
constexpr double kMostPes = 65535;
constexpr std::uint64_t kMostPoints = 1'000'000'000;
constexpr double kMostSeconds = 1e6;

constexpr Key kPes = integer_key("pes", "1", 1, kMostPes, "PEs that decide, the last ones of the job");
constexpr Key kPatience =
    real_key("patience", "60", 0.001, kMostSeconds, "seconds without an answer after which that is told");
constexpr Key kSilent = choice_key("silent", "go-on", "go-on|end", "what the job does then");
constexpr Key kDecoupledKeys[] = {kPes, switch_key("reserved", "these have no objects, and only decide"),
                                  kPatience, kSilent};
constexpr Key kLazyKeys[] = {
    kPes,
    text_key("wait", "never", "never; K: at the K-th sync point after the asking one; always: there"),
    switch_key("thread", "no PE is reserved: a thread of low priority decides beside PE 0"),
    kPatience,
    kSilent,
};

Wait parse_wait(const std::string& text) {
  if (text == "never") return std::nullopt;
  if (text == "always") return 0;
  std::uint64_t points = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, points);
  if (error != std::errc() || stop != end || points < 1 || points > kMostPoints)
    throw StrategyError("mode 'lazy': key 'wait' is '" + text + "'" +
                        (text == "auto" ? ", which was removed, since it took no less time than never" : "") +
                        "; it must be never, always, or a number of sync points from 1 to " +
                        std::to_string(kMostPoints));
  return points;
}

Mode lazy_mode(std::string_view keys) {
  const Options options = parse_keys("mode 'lazy'", kLazyKeys, keys);
  Mode mode{.kind = Mode::Kind::lazy,
            .wait = parse_wait(options.text("wait")),
            .thread = options.choice("thread") == "yes",
            .patience_s = options.real("patience"),
            .ends_if_silent = options.choice("silent") == "end"};
  if (mode.thread && keys.find("pes=") != std::string_view::npos)
    throw StrategyError(
        "mode 'lazy': 'thread' decides beside PE 0, and 'pes' on PEs of its own; leave one of them out");
  mode.reserved = !mode.thread;
  if (mode.reserved) mode.deciding_pes = static_cast<int>(options.integer("pes"));
  return mode;
}

Mode decoupled_mode(std::string_view keys) {
  const Options options = parse_keys("mode 'decoupled'", kDecoupledKeys, keys);
  const Mode mode{.kind = Mode::Kind::decoupled,
                  .deciding_pes = static_cast<int>(options.integer("pes")),
                  .reserved = options.choice("reserved") == "yes",
                  .patience_s = options.real("patience"),
                  .ends_if_silent = options.choice("silent") == "end"};
  const bool of_reserved =
      keys.find("patience=") != std::string_view::npos || keys.find("silent=") != std::string_view::npos;
  if (!mode.reserved && of_reserved)
    throw StrategyError(
        "mode 'decoupled': 'patience' and 'silent' are about PEs that only decide, and without 'reserved' "
        "those that compute decide: add 'reserved', or leave them out");
  return mode;
}

}  // namespace

Mode parse_mode(std::string_view text) {
  const std::size_t end = text.find(':');
  const std::string_view name = text.substr(0, end),
                         keys = end == std::string_view::npos ? std::string_view() : text.substr(end);
  if (name == "inline") return (void)parse_keys("mode 'inline'", {}, keys), Mode{};
  if (name == "decoupled") return decoupled_mode(keys);
  if (name == "lazy") return lazy_mode(keys);
  throw StrategyError("unknown mode '" + std::string(name) + "'" + valid_names(name, kModeNames));
}

std::string to_string(const Mode& mode) {
  if (mode.kind == Mode::Kind::inline_all) return "inline";
  std::string text = mode.is_lazy() ? "lazy:" : mode.reserved ? "decoupled:reserved," : "decoupled:";
  text += mode.thread ? "thread" : "pes=" + std::to_string(mode.deciding_pes);
  if (mode.wait) text += *mode.wait == 0 ? ",wait=always" : ",wait=" + std::to_string(*mode.wait);
  const Mode usual;
  if (mode.patience_s != usual.patience_s) {
    char number[32];
    snprintf(number, sizeof number, ",patience=%.9g", mode.patience_s);
    text += number;
  }
  if (mode.ends_if_silent) text += ",silent=end";
  return text;
}

}  // namespace skein::lb
