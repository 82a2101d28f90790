// SPDX-License-Identifier: Apache-2.0
// Names, keys and values of strategies: turns a user's text into a Selection.
#include "skein/lb/strategy.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "lb/kernel/levels.hpp"
#include "lb/kernel/memory_limit.hpp"
#include "lb/kernel/pe_graph.hpp"
#include "lb/plugin.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

/// Calls use(part) for each part of `text` between separators.
template <class Use>
void for_each_part(std::string_view text, char separator, Use use) {
  while (true) {
    const std::size_t end = text.find(separator);
    use(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string describe_range(const Key& key) {
  char text[80];
  std::snprintf(text, sizeof text, "from %.12g to %.12g", key.min, key.max);
  return (key.type == KeyType::integer ? "an integer " : "a number ") + std::string(text);
}

bool in_range(const Key& key, double value) { return value >= key.min && value <= key.max; }

std::variant<std::int64_t, double, std::string> parse_value(std::string_view owner, const Key& key,
                                                            std::string_view text) {
  const std::string where = std::string(owner) + ": key " + quoted(key.name) + " is " + quoted(text);
  switch (key.type) {
    case KeyType::integer:
      if (const auto value = parse_number<std::int64_t>(text);
          value && in_range(key, static_cast<double>(*value))) {
        return *value;
      }
      break;
    case KeyType::real:
      if (const auto value = parse_number<double>(text); value && in_range(key, *value)) return *value;
      break;
    case KeyType::choice: {
      std::vector<std::string_view> choices;
      for_each_part(key.choices, '|', [&](std::string_view choice) { choices.push_back(choice); });
      if (std::ranges::find(choices, text) != choices.end()) return std::string(text);
      throw StrategyError(where + valid_names(text, choices));
    }
    case KeyType::text:
      return std::string(text);
    case KeyType::strategy:
      try {
        if (parse_strategy(text).by_level)
          throw StrategyError("by_level is a key of the strategy that is named first");
      } catch (const StrategyError& error) {
        throw StrategyError(where + ": " + error.what());
      }
      return std::string(text);
  }
  throw StrategyError(where + "; it must be " + describe_range(key));
}

const StrategyInfo& available_strategy(std::span<const StrategyInfo> among, std::string_view name) {
  const StrategyInfo* const info = find_named(among, name);
  if (!info) throw UnknownStrategy("unknown strategy " + quoted(name) + valid_names(name, names_of(among)));
  if (const std::string reason = why_unavailable(*info); !reason.empty())
    throw StrategyError("strategy " + quoted(name) + " " + reason);
  return *info;
}

std::size_t find_key(std::string_view owner, std::span<const Key> keys, std::string_view name) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k].name == name) return k;
  }
  throw StrategyError(std::string(owner) + " has no key " + quoted(name) +
                      (keys.empty() ? "; it has none" : valid_names(name, names_of(keys))));
}

/// Returns the value of the key in `options`, const or not.
template <class T, class AnyOptions>
auto& value_of(AnyOptions& options, std::string_view key) {
  for (std::size_t k = 0; k < options.keys.size(); ++k) {
    if (options.keys[k].name != key) continue;
    if (auto* value = std::get_if<T>(&options.values[k])) return *value;
    throw std::logic_error("key " + quoted(key) + " was declared with another type");
  }
  throw std::logic_error("key " + quoted(key) + " was not declared");
}

}  // namespace

std::int64_t Options::integer(std::string_view key) const { return value_of<std::int64_t>(*this, key); }
double Options::real(std::string_view key) const { return value_of<double>(*this, key); }
const std::string& Options::text(std::string_view key) const { return value_of<std::string>(*this, key); }
const std::string& Options::choice(std::string_view key) const { return value_of<std::string>(*this, key); }
void Options::set(std::string_view key, double value) { value_of<double>(*this, key) = value; }
bool Options::declares(std::string_view key, KeyType type) const {
  return std::ranges::any_of(keys, [&](const Key& each) { return each.name == key && each.type == type; });
}

bool names_library(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  return name.find('/') != std::string_view::npos || name.ends_with(".so");
}

Options parse_keys(std::string_view owner, std::span<const Key> keys, std::string_view text) {
  Options options{keys, {}};
  for (const Key& key : keys) options.values.push_back(parse_value(owner, key, key.default_text));
  if (text.empty()) return options;

  std::vector<bool> seen(keys.size(), false);
  for_each_part(text.substr(1), ',', [&](std::string_view part) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, equals);
    const auto named = std::ranges::find(keys, name, &Key::name);
    const bool is_switch = named != keys.end() && named->choices == kNoOrYes;
    if (equals == part.size() && !is_switch) {
      throw StrategyError(std::string(owner) + ": " + quoted(part) + " is not of the form key=value" +
                          (keys.empty() ? "; it has no keys" : valid_names(name, names_of(keys))));
    }
    const std::size_t k = find_key(owner, keys, name);
    if (seen[k])
      throw StrategyError(std::string(owner) + ": key " + quoted(keys[k].name) + " is given twice");
    seen[k] = true;
    options.values[k] = parse_value(owner, keys[k], equals == part.size() ? "yes" : part.substr(equals + 1));
  });
  return options;
}

namespace {

constexpr Key kCommonKeys[] = {integer_key(
    "by_level", "0", 0, 1, "1: level by level, where the program's levels run one after another")};

/// Moves the keys that every strategy has out of `text` and parses them as parse_keys() does.
Options take_common_keys(std::string_view owner, std::string& text) {
  std::string own, common;
  if (!text.empty())
    for_each_part(std::string_view(text).substr(1), ',', [&](std::string_view part) {
      const bool is_common =
          std::ranges::find(kCommonKeys, part.substr(0, part.find('=')), &Key::name) != std::end(kCommonKeys);
      std::string& to = is_common ? common : own;
      to.append(to.empty() ? ":" : ",").append(part);
    });
  text = std::move(own);
  return parse_keys(owner, kCommonKeys, common);
}

}  // namespace

Selection parse_strategy(std::string_view text) {
  std::span<const StrategyInfo> among = strategies();
  if (names_library(text)) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    among = library_strategies(std::string(text.substr(0, colon)));
    text.remove_prefix(std::min(colon + 1, text.size()));
  }
  const std::size_t end = std::min(text.find(':'), text.size());
  const StrategyInfo& info = available_strategy(among, text.substr(0, end));
  const std::string owner = "strategy " + quoted(info.name);
  std::string keys(text.substr(end));
  const Options common = take_common_keys(owner, keys);
  return {&info, parse_keys(owner, info.keys, keys), common.integer("by_level") == 1};
}

const StrategyInfo* find_strategy(std::string_view name) { return find_named(strategies(), name); }

bool may_call_mpi(std::string_view text) {
  bool may = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(":,="), text.size());
    const StrategyInfo* const named = find_strategy(text.substr(0, end));
    may = may || text.substr(0, end) == "auto" || (named && (named->traits & uses_zoltan));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return may;
}

Selection with_defaults(const StrategyInfo& info) { return {&info, parse_keys(info.name, info.keys, {})}; }

namespace {

/// Calls the strategy; reports exceptions and wrong results of a library's strategy as its errors.
template <class Call>
Decision guarded(const StrategyInfo& info, const Snapshot& snapshot, Call call) {
  if (!(info.traits & from_library)) return call();
  const std::string threw = "strategy " + quoted(info.name) + " of a library threw ";
  Decision decision;
  try {
    decision = call();
  } catch (const std::exception& error) {
    throw StrategyError(threw + "an exception: " + error.what());
  } catch (...) {
    throw StrategyError(threw + "something that is no std::exception");
  }
  check_decision(info, snapshot, decision);
  return decision;
}

Assignment limited(const Selection& selection, const Snapshot& snapshot, Assignment pe_of) {
  return keep_memory_limit(snapshot, std::move(pe_of), selection.info->traits & never_worse);
}

Decision decide_whole(const Selection& selection, const Snapshot& snapshot, std::uint64_t seed) {
  snapshot.validate();
  if (snapshot.object_count() == 0) return {};
  selection.check_needs(lacking_in(snapshot));
  const StrategyInfo& info = *selection.info;
  Decision decision = guarded(info, snapshot, [&] {
    return info.go_on ? info.go_on(snapshot, selection.options, seed)
                      : Decision{info.assign(snapshot, selection.options, seed), {}};
  });
  decision.pe_of = limited(selection, snapshot, std::move(decision.pe_of));
  return decision;
}

Decision decide_by_level(const Selection& selection, const Snapshot& snapshot, std::uint64_t seed,
                         bool may_split) {
  snapshot.validate();
  if (snapshot.object_count() == 0) return {};
  selection.check_needs(lacking_in(snapshot));
  const Selection each{selection.info, selection.options};
  Decision decision{snapshot.objects.pe, {}};
  for (const Level& level : levels_of(snapshot)) {
    const Decision its = may_split ? each.decide(level.alone, seed) : decide_whole(each, level.alone, seed);
    for (std::size_t k = 0; k < level.objects.size(); ++k) decision.pe_of[level.objects[k]] = its.pe_of[k];
    for (const Split& split : its.splits)
      decision.splits.push_back({level.objects[split.object], split.pe, split.fraction});
  }
  decision.pe_of = limited(selection, snapshot, std::move(decision.pe_of));
  keep_memory_limit(snapshot, decision.pe_of, decision.splits);
  return decision;
}

/// Returns true if `holds` is true of a strategy that a key of `selection` names.
template <class Holds>
bool any_inner(const Selection& selection, Holds holds) {
  for (std::size_t k = 0; k < selection.info->keys.size(); ++k)
    if (selection.info->keys[k].type == KeyType::strategy &&
        holds(parse_strategy(std::get<std::string>(selection.options.values[k]))))
      return true;
  return false;
}

}  // namespace

MissingInputs lacking_in(const Snapshot& snapshot) {
  return {.graph = snapshot.graph.empty(),
          .positions = snapshot.objects.position.empty(),
          .hyperedges = snapshot.hypergraph.empty(),
          .levels = snapshot.objects.level.empty()};
}

void Selection::check_needs(const MissingInputs& lacking) const {
  const std::string strategy = "strategy " + quoted(info->name);
  if (const std::string_view key = missing_key(); !key.empty())
    throw MissingData(strategy + " needs the key " + quoted(key));
  if ((info->traits & needs_graph) && lacking.graph)
    throw MissingData(strategy + " needs the communication graph, which was not recorded");
  if ((info->traits & needs_interactions) && lacking.graph && lacking.hyperedges)
    throw MissingData(strategy +
                      " needs the interactions of the objects: hyperedges, which were not given, or in their "
                      "place the communication graph, which was not recorded");
  if ((info->traits & needs_positions) && lacking.positions)
    throw MissingData(strategy + " needs positions of the objects, which were not given");
  if (by_level && lacking.levels)
    throw MissingData(strategy +
                      ": by_level=1 needs levels of the objects, which were not given: elements of native "
                      "programs have them, by lb_level()");
  any_inner(*this, [&](const Selection& inner) {
    inner.check_needs(lacking);
    return false;
  });
}

bool Selection::acts_at_every_point() const {
  return options.declares(kEveryStepKey, KeyType::choice) && options.choice(kEveryStepKey) == "yes";
}

bool Selection::uses_graph() const {
  if (info->traits & (needs_graph | needs_interactions | from_library)) return true;
  if (!(info->traits & may_use_graph)) return false;
  return std::ranges::any_of(options.values,
                             [](const auto& value) {
                               const std::string* const text = std::get_if<std::string>(&value);
                               return text && looks_at_messages(*text);
                             }) ||
         any_inner(*this, [](const Selection& inner) { return inner.uses_graph(); });
}

std::string_view Selection::missing_key() const {
  for (std::size_t k = 0; k < info->keys.size(); ++k) {
    const std::string* text = std::get_if<std::string>(&options.values[k]);
    if (info->keys[k].type == KeyType::text && text->empty()) return info->keys[k].name;
  }
  return {};
}

Assignment Selection::assign(const Snapshot& snapshot, std::uint64_t seed) const {
  return (by_level ? decide_by_level(*this, snapshot, seed, false) : decide_whole(*this, snapshot, seed))
      .pe_of;
}

Decision Selection::decide(const Snapshot& snapshot, std::uint64_t seed) const {
  if (by_level) return decide_by_level(*this, snapshot, seed, true);
  if (!info->decide || snapshot.objects.splittable.empty()) return decide_whole(*this, snapshot, seed);
  snapshot.validate();
  check_needs(lacking_in(snapshot));
  Decision decision = guarded(*info, snapshot, [&] { return info->decide(snapshot, options, seed); });
  decision.pe_of = limited(*this, snapshot, std::move(decision.pe_of));
  keep_memory_limit(snapshot, decision.pe_of, decision.splits);
  return decision;
}

}  // namespace skein::lb
