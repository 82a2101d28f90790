// SPDX-License-Identifier: Apache-2.0
// Platforms by name: the files of lb/simulate/platforms, whose text the build puts into the library.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lb/simulate/platform_members.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::simulate {
namespace {

[[noreturn]] void fail(const Platform& platform, const std::string& because) {
  throw PlatformError("platform " + lb::quoted(platform.name) + ": " + because);
}

/// Checks that each number is in its allowed range.
struct NumberCheck {
  const Platform& platform;
  std::string prefix;

  void number(const std::string& name, double value, const AllowedRange& allowed) const {
    if (!is_allowed(value, allowed)) fail(platform, not_allowed(prefix + name, value, allowed));
  }
  template <class T>
  void operator()(const char* name, const T& value, const AllowedRange& allowed, const char*) const {
    number(name, static_cast<double>(value), allowed);
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& values, const AllowedRange& allowed,
                  const char*) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      number(indexed(name, i), static_cast<double>(values[i]), allowed);
  }
  void operator()(const char* name, const std::map<std::string, double>& values, const AllowedRange& allowed,
                  const char*) const {
    for (const auto& [key, value] : values) number(std::string(name) + "." + key, value, allowed);
  }
  void operator()(const char* name, const std::vector<SpeedChange>& changes, const char*) const {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      NumberCheck inner{platform, prefix + indexed(name, i) + "."};
      each_member_of_change(inner, changes[i]);
    }
  }
  void operator()(const char*, const std::string&, const char*) const {}
  void operator()(const char*, const NetworkKind&, const char*) const {}
  template <class T, class Members>
  void inside(const char* name, const T& value, const char*, Members members) const {
    NumberCheck inner{platform, prefix + name + "."};
    members(inner, value);
  }
};

/// Returns how many nodes the links connect; saturates.
std::uint64_t nodes_held(const Links& links) {
  std::uint64_t result = 1;
  for (const std::uint32_t extent : links.shape) result = std::min<std::uint64_t>(result * extent, 1u << 30);
  return result;
}

/// The most links of a torus or fat tree: Routes counts them in 32 bits, and each takes 64 B of memory.
constexpr double kMostLinks = 1 << 24;

double link_count(const Links& links) {
  double nodes = 1;
  for (const std::uint32_t extent : links.shape) nodes *= extent;
  if (links.kind == NetworkKind::torus) return nodes * static_cast<double>(links.shape.size()) * 2;
  double below = 1, copies = 1, count = 0;
  for (std::size_t level = 0; level < links.shape.size(); ++level) {
    const double ports = level == 0 ? 1 : links.up[level - 1];
    count += nodes / below * copies * ports * 2;
    below *= links.shape[level];
    copies *= ports;
  }
  return count;
}

void check_links(const Platform& platform) {
  const Links& links = platform.links;
  if (links.kind == NetworkKind::flat) {
    if (!links.shape.empty() || !links.up.empty())
      fail(platform, "links.shape and links.up are for a torus or fat-tree, and links.kind is flat");
    return;
  }
  const std::string kind(kKindNames[static_cast<int>(links.kind)]);
  if (links.shape.empty() || links.shape.size() > 8)
    fail(platform, "links.shape has " + std::to_string(links.shape.size()) + " numbers; a " + kind +
                       " has from 1 to 8 " + (links.kind == NetworkKind::torus ? "dimensions" : "levels"));
  if (nodes_held(links) < platform.nodes)
    fail(platform, "links.shape holds " + std::to_string(nodes_held(links)) + " nodes, but nodes is " +
                       std::to_string(platform.nodes));
  const std::size_t ups = links.kind == NetworkKind::torus ? 0 : links.shape.size() - 1;
  if (links.up.size() != ups)
    fail(platform, "links.up has " + std::to_string(links.up.size()) + " numbers; with this links.shape a " +
                       kind + " has " + std::to_string(ups));
  if (link_count(links) > kMostLinks) {
    std::ostringstream text;
    text << "links.shape" << (ups > 0 ? " and links.up make " : " makes ") << link_count(links) << " links, "
         << "and at most " << static_cast<std::uint64_t>(kMostLinks)
         << " are simulated: take a smaller part of the machine, or links.kind flat";
    fail(platform, text.str());
  }
}

void check_changes(const Platform& platform) {
  for (std::size_t i = 0; i < platform.changes.size(); ++i) {
    const SpeedChange& change = platform.changes[i];
    const std::string name = indexed("changes", i);
    if (change.pe >= platform.pe_count())
      fail(platform, name + ".pe is " + std::to_string(change.pe) + ", but the platform has " +
                         std::to_string(platform.pe_count()) + " PEs");
    if (change.until_ns != 0 && change.until_ns <= change.from_ns)
      fail(platform, name + ".until_ns is " + std::to_string(change.until_ns) +
                         ", which is not after from_ns, " + std::to_string(change.from_ns));
  }
}

void check_strategy_names(const Platform& platform) {
  std::vector<std::string_view> names = lb::names_of(lb::strategies());
  names.emplace_back("auto");
  const auto check = [&](const std::string& member, const std::map<std::string, double>& times) {
    for (const auto& [name, time] : times)
      if (std::ranges::find(names, name) == names.end())
        fail(platform, member + " names " + lb::quoted(name) + ", which is no strategy" +
                           lb::did_you_mean(name, names));
  };
  check("decision_element_ns", platform.decision_element_ns);
  check("decision_ns", platform.decision_ns);
  check("together.element_ns", platform.together.element_ns);
  check("together.ns", platform.together.ns);
  check("together.level_ns", platform.together.level_ns);
  check("together.pe_ns", platform.together.pe_ns);
  check("together.pes", platform.together.pes);
}

/// Returns the smallest torus of as many dimensions, as even as doublings make it.
std::vector<std::uint32_t> torus_of(std::uint32_t nodes, std::size_t dimensions) {
  std::vector<std::uint32_t> shape(dimensions, 1);
  for (std::uint64_t held = 1; held < nodes; held *= 2) *std::ranges::min_element(shape) *= 2;
  std::ranges::sort(shape, std::greater<>());
  return shape;
}

/// Returns a tree for `nodes` nodes with the same switches and levels, the last one as wide as needed.
std::vector<std::uint32_t> tree_of(std::uint32_t nodes, std::vector<std::uint32_t> shape) {
  std::uint64_t below = 1;
  for (std::size_t level = 0; level + 1 < shape.size(); ++level) below *= shape[level];
  shape.back() = static_cast<std::uint32_t>((nodes + below - 1) / below);
  return shape;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw PlatformError(path + " cannot be read: " + std::strerror(errno));
  return std::move(text).str();
}

}  // namespace

void validate(const Platform& platform) {
  NumberCheck numbers{platform, {}};
  each_member(numbers, platform);
  const std::uint64_t all = std::uint64_t{platform.nodes} * platform.pes_per_node;
  if (static_cast<double>(all) > kCounts.most)
    fail(platform, "nodes times pes_per_node is " + std::to_string(all) + " PEs; it may be up to " +
                       std::to_string(static_cast<std::uint64_t>(kCounts.most)));
  if (platform.pes > all)
    fail(platform, "pes is " + std::to_string(platform.pes) + ", but the nodes have " + std::to_string(all));
  for (const auto& [name, values] :
       {std::pair("speeds", &platform.speeds), {"background", &platform.background}})
    if (!values->empty() && values->size() != platform.pe_count())
      fail(platform, std::string(name) + " has " + std::to_string(values->size()) + " numbers for " +
                         std::to_string(platform.pe_count()) + " PEs");
  check_links(platform);
  check_changes(platform);
  if (!platform.contention.empty() && platform.contention[0] != 1)
    fail(platform, not_allowed("contention[0]", platform.contention[0], {1, 1}) +
                       ": a PE that computes alone on its node is slowed by nobody");
  check_strategy_names(platform);
}

Platform with_pes(Platform platform, std::uint32_t pes) {
  if (pes == 0 || pes > kCounts.most)
    fail(platform, not_allowed("the number of PEs", static_cast<double>(pes), kCounts));
  const std::uint32_t nodes = (pes + platform.pes_per_node - 1) / platform.pes_per_node;
  if (platform.nodes == 1 && nodes > 1 && platform.network.latency_ns == 0 && platform.network.byte_ns == 0)
    fail(platform, "it is one node of " + std::to_string(platform.pes_per_node) +
                       " PEs and says nothing of a network, so it cannot have " + std::to_string(pes) +
                       "; add network.latency_ns and network.byte_ns");
  platform.nodes = nodes;
  platform.pes = pes == platform.nodes * platform.pes_per_node ? 0 : pes;
  if (!platform.speeds.empty()) platform.speeds.resize(pes, 1);
  if (!platform.background.empty()) platform.background.resize(pes, 0);
  std::erase_if(platform.changes, [&](const SpeedChange& change) { return change.pe >= pes; });
  Links& links = platform.links;
  if (links.kind != NetworkKind::flat) {
    const std::uint64_t held = nodes_held(links);
    if (held < platform.nodes || held / 2 >= platform.nodes)
      links.shape = links.kind == NetworkKind::torus ? torus_of(platform.nodes, links.shape.size())
                                                     : tree_of(platform.nodes, links.shape);
  }
  return platform;
}

std::vector<std::string_view> known_platforms() { return lb::names_of(platform_texts()); }

Platform load_platform(const std::string& path_or_name) {
  if (const PlatformText* const known = lb::find_named(platform_texts(), path_or_name))
    return parse_platform(std::string(known->text), path_or_name);
  const std::vector<std::string_view> names = lb::names_of(platform_texts());
  if (!std::ifstream(path_or_name) && path_or_name.find('/') == path_or_name.npos)
    throw PlatformError("there is neither a file nor a platform of the name " + lb::quoted(path_or_name) +
                        lb::did_you_mean(path_or_name, names) + "; platforms are " + lb::listed(names) +
                        ", and `skein calibrate -o FILE` makes one of this machine");
  if (std::filesystem::is_directory(path_or_name))
    throw PlatformError(path_or_name + " is a folder: name the file in it that describes the platform");
  return parse_platform(read_file(path_or_name), path_or_name);
}

}  // namespace skein::simulate
