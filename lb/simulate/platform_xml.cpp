// SPDX-License-Identifier: Apache-2.0
// Writes a platform for SimGrid: the same platform that the module around SimGrid sets up without a file.

#include "lb/simulate/platform_members.hpp"
#include "lb/simulate/routes.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/platform.hpp"

namespace skein::simulate {
namespace {

/// The most nodes of a network whose routes are written one by one.
constexpr std::uint32_t kMostRoutedNodes = 256;

[[noreturn]] void fail_to_write(const Platform& platform, const std::string& because) {
  throw PlatformError("platform " + lb::quoted(platform.name) + " as SimGrid's XML: " + because);
}

std::string time(double ns) { return to_text(ns) + "ns"; }
/// Returns a bandwidth; without a time for each byte, one at which no message takes any.
std::string bandwidth(double byte_ns) { return byte_ns > 0 ? to_text(1e9 / byte_ns) + "Bps" : "1e18Bps"; }

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ").append(name).append("=\"").append(value).append("\"");
}

std::string link(const std::string& id, double byte_ns, double latency_ns, const char* sharing = "SHARED") {
  return "    <link" + attribute("id", id) + attribute("bandwidth", bandwidth(byte_ns)) +
         attribute("latency", time(latency_ns)) + attribute("sharing_policy", sharing) + "/>\n";
}

std::string computing(const Platform& platform) {
  return attribute("speed", to_text(platform.speed * 1e9) + "f") +
         attribute("core", std::to_string(platform.pes_per_node));
}

std::string cluster(const Platform& platform) {
  return "  <cluster" + attribute("id", "machine") + attribute("prefix", "node-") + attribute("suffix", "") +
         attribute("radical", "0-" + std::to_string(platform.nodes - 1)) + computing(platform) +
         attribute("bw", bandwidth(platform.network.byte_ns)) +
         attribute("lat", time(platform.network.latency_ns / 2)) +
         attribute("loopback_bw", bandwidth(platform.node.byte_ns)) +
         attribute("loopback_lat", time(platform.node.latency_ns)) + "/>\n";
}

std::string route(const std::string& from, const std::string& to, const std::vector<std::string>& links) {
  std::string text = "    <route" + attribute("src", "node-" + from) + attribute("dst", "node-" + to) +
                     attribute("symmetrical", "NO") + ">";
  for (const std::string& id : links) text += "<link_ctn" + attribute("id", id) + "/>";
  return text + "</route>\n";
}

std::string zone(const Platform& platform) {
  if (platform.nodes > kMostRoutedNodes)
    fail_to_write(platform, "routes of a torus or fat tree are written for up to " +
                                std::to_string(kMostRoutedNodes) + " nodes, and it has " +
                                std::to_string(platform.nodes) + "; use fewer PEs");
  std::string hosts, links, routes;
  Routes between(platform);
  std::vector<char> used(between.link_count());
  for (std::uint32_t from = 0; from < platform.nodes; ++from) {
    const std::string name = std::to_string(from);
    hosts += "    <host" + attribute("id", "node-" + name) + computing(platform) + "/>\n";
    links += link("out-" + name, platform.network.byte_ns, platform.network.latency_ns) +
             link("in-" + name, platform.network.byte_ns, 0) +
             link("loopback-" + name, platform.node.byte_ns, platform.node.latency_ns, "FATPIPE");
    for (std::uint32_t to = 0; to < platform.nodes; ++to) {
      std::vector<std::string> way;
      if (from == to) {
        way = {"loopback-" + name};
      } else {
        way = {"out-" + name};
        for (const LinkIndex index : between.between(from, to)) {
          used[index] = 1;
          way.push_back("link-" + std::to_string(index));
        }
        way.push_back("in-" + std::to_string(to));
      }
      routes += route(name, std::to_string(to), way);
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) links += link("link-" + std::to_string(i), platform.links.byte_ns, platform.links.hop_ns);
  return "  <zone" + attribute("id", "machine") + attribute("routing", "Full") + ">\n" + hosts + links +
         routes + "  </zone>\n";
}

}  // namespace

std::string to_simgrid_xml(const Platform& platform) {
  for (const auto& [name, there] : {std::pair("speeds", !platform.speeds.empty()),
                                    {"background", !platform.background.empty()},
                                    {"changes", !platform.changes.empty()}})
    if (there)
      fail_to_write(platform, std::string(name) + " cannot be said there, where a node has one speed");
  return "<?xml version=\"1.0\"?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         (platform.links.kind == NetworkKind::flat ? cluster(platform) : zone(platform)) + "</platform>\n";
}

}  // namespace skein::simulate
