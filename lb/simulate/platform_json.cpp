// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "lb/simulate/platform_members.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::simulate {
namespace {

/// Members are written in the order of each_member().
using Json = nlohmann::ordered_json;

/// Reads members of a JSON object, and refuses members that no code reads.
class Reader {
 public:
  Reader(const Json& object, std::string called, std::string prefix, std::set<std::string>& given)
      : object_(object), called_(std::move(called)), prefix_(std::move(prefix)), given_(given) {
    if (!object.is_object()) fail("", "is no object, { ... }");
  }

  template <class T>
  void operator()(const char* name, T& value, const AllowedRange& allowed, const char*) {
    if (const Json* const json = find(name)) value = number<T>(name, *json, allowed);
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& values, const AllowedRange& allowed, const char*) {
    const Json* const json = find(name);
    if (!json) return;
    if (!json->is_array()) fail(name, "is no array, [ ... ]");
    for (const Json& each : *json) values.push_back(number<T>(indexed(name, values.size()), each, allowed));
  }
  void operator()(const char* name, std::map<std::string, double>& values, const AllowedRange& allowed,
                  const char*) {
    const Json* const json = find(name);
    if (!json) return;
    if (!json->is_object()) fail(name, "is no object, { ... }");
    for (const auto& [key, each] : json->items())
      values[key] = number<double>(name + ("." + key), each, allowed);
  }
  void operator()(const char* name, std::vector<SpeedChange>& changes, const char*) {
    const Json* const json = find(name);
    if (!json) return;
    if (!json->is_array()) fail(name, "is no array, [ ... ]");
    for (const Json& each : *json) {
      Reader inner(each, called_, prefix_ + indexed(name, changes.size()) + ".", given_);
      each_member_of_change(inner, changes.emplace_back());
      inner.refuse_others();
      if (!each.contains("pe")) inner.fail("pe", "is missing");
    }
  }
  void operator()(const char* name, std::string& text, const char*) {
    const Json* const json = find(name);
    if (!json) return;
    if (!json->is_string()) fail(name, "is no text, \"...\"");
    text = *json;
  }
  void operator()(const char* name, NetworkKind& kind, const char*) {
    std::string text(kKindNames[static_cast<int>(kind)]);
    (*this)(name, text, "");
    const auto* const found = std::ranges::find(kKindNames, std::string_view(text));
    if (found == std::end(kKindNames))
      fail(name, "is " + lb::quoted(text) + lb::valid_names(text, kKindNames));
    kind = static_cast<NetworkKind>(found - kKindNames);
  }
  template <class T, class Members>
  void inside(const char* name, T& value, const char*, Members members) {
    const Json* const json = find(name);
    if (!json) return;
    Reader inner(*json, called_, prefix_ + name + ".", given_);
    members(inner, value);
    inner.refuse_others();
  }

  void refuse_others() const {
    const std::vector<std::string_view> known(known_.begin(), known_.end());
    for (const auto& [name, value] : object_.items())
      if (std::ranges::find(known, name) == known.end())
        fail(name, "is no member of a platform" + lb::did_you_mean(name, known) + "; here are known " +
                       lb::listed(known));
  }

  [[noreturn]] void fail(const std::string& name, const std::string& because) const {
    std::string member = prefix_ + name;
    if (member.ends_with('.')) member.pop_back();
    throw PlatformError(called_ + ": " + (member.empty() ? "the platform" : member) + " " + because);
  }

 private:
  const Json* find(const char* name) {
    known_.emplace_back(name);
    const auto found = object_.find(name);
    if (found == object_.end()) return nullptr;
    given_.insert(prefix_ + name);
    return &*found;
  }

  template <class T>
  T number(const std::string& name, const Json& json, const AllowedRange& allowed) const {
    if (!json.is_number()) fail(name, "is no number");
    const double value = json;
    if (!is_allowed(value, allowed))
      throw PlatformError(called_ + ": " + not_allowed(prefix_ + name, value, allowed));
    if (!std::is_floating_point_v<T> && value != std::floor(value))
      fail(name, "is " + to_text(value) + "; it must be a whole number");
    return json.is_number_float() ? static_cast<T>(value) : json.get<T>();
  }

  const Json& object_;
  std::string called_, prefix_;
  std::set<std::string>& given_;
  std::vector<std::string> known_;
};

class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value, const AllowedRange&, const char*) {
    json[name] = value;
  }
  void operator()(const char* name, const std::string& text, const char*) { json[name] = text; }
  void operator()(const char* name, const NetworkKind& kind, const char*) {
    json[name] = std::string(kKindNames[static_cast<int>(kind)]);
  }
  void operator()(const char* name, const std::vector<SpeedChange>& changes, const char*) {
    json[name] = Json::array();
    for (const SpeedChange& change : changes) {
      Writer inner;
      each_member_of_change(inner, change);
      json[name].push_back(inner.json);
    }
  }
  template <class T, class Members>
  void inside(const char* name, const T& value, const char*, Members members) {
    Writer inner;
    members(inner, value);
    json[name] = inner.json;
  }

  Json json = Json::object();
};

/// Refuses SimGrid's XML, which users of SimGrid may have.
void refuse_xml(const std::string& text, const std::string& called) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == text.npos || text[first] != '<') return;
  throw PlatformError(
      called +
      " is XML, as SimGrid's platforms are, but platforms of Skein are JSON (docs/platforms.md). A <cluster> "
      "gives nodes, the number in its radical; pes_per_node, its core; network.latency_ns, its lat; "
      "network.byte_ns, 1e9 / its bw in bytes a second; speed, its speed divided by that of the machine of "
      "the trace. It has no node.latency_ns: add that. The other way round, skein simulate --platform-xml "
      "writes a platform for SimGrid");
}

/// Parses JSON and refuses members given twice, of which the parser would silently take the last.
Json parse(const std::string& text, const std::string& called) {
  std::vector<std::set<std::string>> open;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second &&
        twice.empty())
      twice = parsed.get<std::string>();
    return true;
  };
  Json result;
  try {
    result = Json::parse(text, watch);
  } catch (const Json::exception& error) {
    throw PlatformError(called + " is no JSON: " + error.what());
  }
  if (!twice.empty()) throw PlatformError(called + ": " + twice + " is there twice");
  return result;
}

}  // namespace

Platform parse_platform(const std::string& text, const std::string& called) {
  refuse_xml(text, called);
  const Json json = parse(text, called);
  std::set<std::string> given;
  Reader reader(json, called, "", given);
  Platform platform;
  each_member(reader, platform);
  reader.refuse_others();
  std::vector<const char*> needed{"nodes", "pes_per_node"};
  // Without these members messages would take no time, in a result that looks right.
  if (platform.nodes > 1) needed.insert(needed.end(), {"network.latency_ns", "network.byte_ns"});
  if (platform.pes_per_node > 1) needed.insert(needed.end(), {"node.latency_ns"});
  if (platform.links.kind != NetworkKind::flat)
    needed.insert(needed.end(), {"links.shape", "links.hop_ns", "links.byte_ns"});
  for (const char* name : needed)
    if (!given.contains(name)) reader.fail(name, "is missing");
  if (platform.name.empty()) platform.name = called;
  try {
    validate(platform);
  } catch (const PlatformError& error) {
    throw PlatformError(called + ": " + error.what());
  }
  return platform;
}

std::string to_json(const Platform& platform) {
  Writer writer;
  each_member(writer, platform);
  return writer.json.dump(2) + "\n";
}

}  // namespace skein::simulate
