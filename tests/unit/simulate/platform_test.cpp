// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/platform.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace skein::simulate;

namespace {

// Returns what the reader finds wrong; empty if nothing.
std::string refusal(const std::string& json) {
  try {
    parse_platform(json, "here.json");
  } catch (const PlatformError& error) {
    return error.what();
  }
  return {};
}

std::string with(const std::string& members) { return R"({"nodes": 1, "pes_per_node": 1, )" + members + "}"; }

}  // namespace

TEST_CASE("platform: what is not said is as documented") {
  const Platform platform = parse_platform(R"({"nodes": 1, "pes_per_node": 1})", "small.json");
  CHECK(platform.name == "small.json");
  CHECK(platform.pe_count() == 1);
  CHECK(platform.speed == 1);
  CHECK(platform.memory_bytes == 0);
  CHECK(platform.links.kind == NetworkKind::flat);
}

TEST_CASE("platform: each member is read") {
  const Platform platform = parse_platform(
      R"({"name": "all", "source": "made up", "nodes": 6, "pes_per_node": 2, "pes": 3, "speed": 0.5,
          "speeds": [1, 2, 0.25], "background": [0, 0.5, 0], "noise": 0.01, "memory_bytes": 9007199254740991,
          "changes": [{"pe": 2, "from_ns": 5, "until_ns": 9, "factor": 0}, {"pe": 0, "factor": 2}],
          "pe": {"send_ns": 1}, "node": {"latency_ns": 2, "eager_bytes": 65536},
          "network": {"latency_ns": 3, "send_ns": 4, "send_byte_ns": 0.5, "receive_ns": 6,
                      "receive_byte_ns": 0.75, "fetch_byte_ns": 7, "gap_ns": 8, "byte_ns": 1e-1},
          "links": {"kind": "fat-tree", "shape": [2, 3], "up": [4], "hop_ns": 11, "byte_ns": 12},
          "switch_ns": 13,
          "moves": {"meeting_ns": 14, "collect_object_ns": 15, "begin_ns": 15.5, "object_ns": 16,
                    "node_byte_ns": 17, "network_byte_ns": 18},
          "decision_element_ns": {"greedy": 19.5}, "decision_ns": {"auto": 20},
          "together": {"element_ns": {"zoltan": 21}, "ns": {"zoltan": 22}, "level_ns": {"zoltan": 23},
                       "pe_ns": {"zoltan": 24}, "pes": {"zoltan": 25}}})",
      "all.json");
  CHECK(platform.name == "all");
  CHECK(platform.source == "made up");
  CHECK(platform.nodes == 6);
  CHECK(platform.pes_per_node == 2);
  CHECK(platform.pe_count() == 3);
  CHECK(platform.speed == 0.5);
  CHECK(platform.speeds == std::vector<double>{1, 2, 0.25});
  CHECK(platform.background == std::vector<double>{0, 0.5, 0});
  CHECK(platform.noise == 0.01);
  CHECK(platform.memory_bytes == 9007199254740991);
  REQUIRE(platform.changes.size() == 2);
  CHECK(platform.changes[0].pe == 2);
  CHECK(platform.changes[0].from_ns == 5);
  CHECK(platform.changes[0].until_ns == 9);
  CHECK(platform.changes[0].factor == 0);
  CHECK(platform.changes[1].factor == 2);
  CHECK(platform.pe.send_ns == 1);
  CHECK(platform.node.latency_ns == 2);
  CHECK(platform.node.eager_bytes == 65536);
  CHECK(platform.network.latency_ns == 3);
  CHECK(platform.network.send_ns == 4);
  CHECK(platform.network.send_byte_ns == 0.5);
  CHECK(platform.network.receive_ns == 6);
  CHECK(platform.network.receive_byte_ns == 0.75);
  CHECK(platform.network.fetch_byte_ns == 7);
  CHECK(platform.network.gap_ns == 8);
  CHECK(platform.network.byte_ns == 0.1);
  CHECK(platform.links.kind == NetworkKind::fat_tree);
  CHECK(platform.links.shape == std::vector<std::uint32_t>{2, 3});
  CHECK(platform.links.up == std::vector<std::uint32_t>{4});
  CHECK(platform.links.hop_ns == 11);
  CHECK(platform.links.byte_ns == 12);
  CHECK(platform.switch_ns == 13);
  CHECK(platform.moves.meeting_ns == 14);
  CHECK(platform.moves.collect_object_ns == 15);
  CHECK(platform.moves.object_ns == 16);
  CHECK(platform.moves.node_byte_ns == 17);
  CHECK(platform.moves.network_byte_ns == 18);
  CHECK(platform.moves.begin_ns == 15.5);
  CHECK(platform.decision_element_ns.at("greedy") == 19.5);
  CHECK(platform.decision_ns.at("auto") == 20);
  CHECK(platform.together.element_ns.at("zoltan") == 21);
  CHECK(platform.together.ns.at("zoltan") == 22);
  CHECK(platform.together.level_ns.at("zoltan") == 23);
  CHECK(platform.together.pe_ns.at("zoltan") == 24);
  CHECK(platform.together.pes.at("zoltan") == 25);
  // A written platform reads as the same platform.
  CHECK(to_json(parse_platform(to_json(platform), "again")) == to_json(platform));
}

TEST_CASE("platform: a member that is not known is refused by name, with the nearest one") {
  CHECK(
      refusal(with(R"("nods": 3)")) ==
      "here.json: nods is no member of a platform (did you mean nodes?); here are known name, source, nodes, "
      "pes_per_node, pes, speed, speeds, background, changes, contention, noise, memory_bytes, pe, node, "
      "network, links, "
      "switch_ns, moves, decision_element_ns, decision_ns, together");
  CHECK(refusal(with(R"("network": {"latency": 3})")).starts_with("here.json: network.latency is no member"));
  CHECK(refusal(with(R"("decision_element_ns": {"gredy": 3})")) ==
        "here.json: platform 'here.json': decision_element_ns names 'gredy', which is no strategy (did you "
        "mean greedy?)");
  CHECK(refusal(with(R"("decision_ns": {"gredy": 3})")).find("decision_ns names 'gredy'") !=
        std::string::npos);
  CHECK(refusal(with(R"("together": {"pes": {"gredy": 3}})")).find("together.pes names 'gredy'") !=
        std::string::npos);
}

TEST_CASE("platform: absurd numbers are refused with what they may be") {
  CHECK(refusal(with(R"("speed": 0)")) == "here.json: speed is 0; it may be above 0, up to 1000000");
  CHECK(refusal(with(R"("speed": "fast")")) == "here.json: speed is no number");
  CHECK(refusal(with(R"("network": {"latency_ns": -1})")) ==
        "here.json: network.latency_ns is -1; it may be from 0 to 1000000000000");
  CHECK(refusal(with(R"("background": [1])")) ==
        "here.json: background[0] is 1; it may be from 0 to below 1");
  CHECK(refusal(with(R"("pes": 1.5)")) == "here.json: pes is 1.5; it must be a whole number");
  CHECK(refusal(with(R"("pes": 2)")) == "here.json: platform 'here.json': pes is 2, but the nodes have 1");
  CHECK(refusal(with(R"("speeds": [1, 1])")) ==
        "here.json: platform 'here.json': speeds has 2 numbers for 1 PEs");
  CHECK(refusal(with(R"("changes": [{"pe": 1}])")) ==
        "here.json: platform 'here.json': changes[0].pe is 1, but the platform has 1 PEs");
  CHECK(refusal(with(R"("changes": [{"factor": 1}])")) == "here.json: changes[0].pe is missing");
  CHECK(refusal(with(R"("changes": [{"pe": 0, "from_ns": 7, "until_ns": 7}])")) ==
        "here.json: platform 'here.json': changes[0].until_ns is 7, which is not after from_ns, 7");
  CHECK(refusal(R"({"nodes": 0, "pes_per_node": 1})") ==
        "here.json: nodes is 0; it may be from 1 to 16777216");
  CHECK(
      refusal(
          R"({"nodes": 1e7, "pes_per_node": 1e7, "network": {"latency_ns": 0, "byte_ns": 0}, "node": {"latency_ns": 0}})")
          .find("is 100000000000000 PEs") != std::string::npos);
  CHECK(refusal(with(R"("memory_bytes": 1e400)")).find("is no JSON") != std::string::npos);
}

TEST_CASE("platform: what would make messages free must be said") {
  CHECK(refusal(R"({"pes_per_node": 1})") == "here.json: nodes is missing");
  CHECK(refusal(R"({"nodes": 2, "pes_per_node": 1})") == "here.json: network.latency_ns is missing");
  CHECK(refusal(R"({"nodes": 2, "pes_per_node": 1, "network": {"latency_ns": 0}})") ==
        "here.json: network.byte_ns is missing");
  CHECK(refusal(R"({"nodes": 1, "pes_per_node": 2})") == "here.json: node.latency_ns is missing");
  CHECK(refusal(with(R"("links": {"kind": "torus"})")) == "here.json: links.shape is missing");
}

TEST_CASE("platform: links hold the nodes") {
  const auto links = [](const std::string& text) {
    return refusal(
        R"({"nodes": 8, "pes_per_node": 1, "network": {"latency_ns": 0, "byte_ns": 0}, "links": )" + text +
        "}");
  };
  CHECK(links(R"({"kind": "torus", "shape": [2, 4], "hop_ns": 1, "byte_ns": 1})").empty());
  CHECK(links(R"({"kind": "torus", "shape": [7], "hop_ns": 1, "byte_ns": 1})") ==
        "here.json: platform 'here.json': links.shape holds 7 nodes, but nodes is 8");
  CHECK(links(R"({"kind": "torus", "shape": [8], "up": [1], "hop_ns": 1, "byte_ns": 1})")
            .ends_with("links.up has 1 numbers; with this links.shape a torus has 0"));
  CHECK(links(R"({"kind": "fat-tree", "shape": [4, 2], "hop_ns": 1, "byte_ns": 1})")
            .ends_with("links.up has 0 numbers; with this links.shape a fat-tree has 1"));
  // The limit is 2^24 links: a torus has 2 for each node and dimension, a tree 2 for each node and way up.
  CHECK(links(R"({"kind": "torus", "shape": [8388608], "hop_ns": 1, "byte_ns": 1})").empty());
  CHECK(links(R"({"kind": "torus", "shape": [8388609], "hop_ns": 1, "byte_ns": 1})")
            .find("makes 1.67772e+07 links, and at most 16777216") != std::string::npos);
  CHECK(links(R"({"kind": "torus", "shape": [65536, 65536, 2], "hop_ns": 1, "byte_ns": 1})")
            .find("makes 5.15396e+10 links") != std::string::npos);
  CHECK(links(R"({"kind": "fat-tree", "shape": [4, 2], "up": [16777216], "hop_ns": 1, "byte_ns": 1})")
            .find("make 6.71089e+07 links") != std::string::npos);
  CHECK(links(R"({"kind": "fat tree"})") ==
        "here.json: links.kind is 'fat tree' (did you mean fat-tree?); valid: flat, torus, fat-tree");
  CHECK(links(R"({"shape": [8]})").ends_with("links.kind is flat"));
}

TEST_CASE("platform: what is no JSON, or says a thing twice") {
  CHECK(refusal("").find("is no JSON") != std::string::npos);
  const std::string of_simgrid =
      "<?xml version='1.0'?>\n<platform version=\"4.1\">\n  <cluster id=\"c\" prefix=\"node-\" "
      "radical=\"0-15\" "
      "suffix=\"\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" core=\"4\"/>\n</platform>\n";
  for (const char* const before : {"", "\n ", "\xef\xbb\xbf"}) {
    const std::string told = refusal(before + of_simgrid);
    CHECK(told.find("is XML, as SimGrid's platforms are") != std::string::npos);
    CHECK(told.find("pes_per_node, its core") != std::string::npos);
  }
  CHECK(refusal("[]") == "here.json: the platform is no object, { ... }");
  CHECK(refusal(R"({"nodes": 1, "pes_per_node": 1, "nodes": 2})") == "here.json: nodes is there twice");
  CHECK(refusal(with(R"("network": 7)")) == "here.json: network is no object, { ... }");
  CHECK(refusal(with(R"("speeds": 7)")) == "here.json: speeds is no array, [ ... ]");
}

TEST_CASE("platform: with other numbers of PEs") {
  Platform platform = parse_platform(R"({"nodes": 4, "pes_per_node": 2, "speeds": [1, 2, 3, 4, 5, 6, 7, 8],
      "network": {"latency_ns": 0, "byte_ns": 0}, "node": {"latency_ns": 0},
      "links": {"kind": "torus", "shape": [2, 2], "hop_ns": 1, "byte_ns": 1}})",
                                     "four");
  CHECK(with_pes(platform, 8).pe_count() == 8);
  CHECK(with_pes(platform, 8).links.shape == platform.links.shape);
  const Platform fewer = with_pes(platform, 3);
  CHECK(fewer.nodes == 2);
  CHECK(fewer.pe_count() == 3);
  CHECK(fewer.speeds == std::vector<double>{1, 2, 3});
  CHECK(fewer.links.shape == std::vector<std::uint32_t>{2, 1});
  const Platform more = with_pes(platform, 100);
  CHECK(more.nodes == 50);
  CHECK(more.links.shape == std::vector<std::uint32_t>{8, 8});
  CHECK(more.speeds[99] == 1);
  for (const Platform& each : {fewer, more}) CHECK_NOTHROW(validate(each));
  CHECK_THROWS_AS(with_pes(platform, 0), PlatformError);
}

TEST_CASE("platform: one node is not made a cluster without a network") {
  const Platform node =
      parse_platform(R"({"nodes": 1, "pes_per_node": 2, "node": {"latency_ns": 1}})", "one");
  CHECK(with_pes(node, 1).pe_count() == 1);
  CHECK_THROWS_WITH_AS(
      with_pes(node, 3),
      "platform 'one': it is one node of 2 PEs and says nothing of a network, so it cannot have "
      "3; add network.latency_ns and network.byte_ns",
      PlatformError);
}

TEST_CASE("platform: those that come with Skein") {
  for (const std::string_view known : known_platforms()) {
    const std::string name(known);
    CAPTURE(name);
    const Platform platform = load_platform(name);
    CHECK(platform.name == name);
    CHECK(platform.source.find("ublished") != std::string::npos);
    CHECK(platform.source.find("ssumed") != std::string::npos);
    CHECK_NOTHROW(validate(with_pes(platform, 256)));
  }
  // As published.
  CHECK(load_platform("paraplui").pe_count() == 16 * 24);
  CHECK(load_platform("opteron288").pe_count() == 288);
  CHECK(load_platform("intrepid").pe_count() == 163840);
  CHECK(load_platform("steele").pe_count() == 893 * 8);
  CHECK(load_platform("origin2000").pe_count() == 256 * 2);
  // A smaller hypercube.
  const std::vector<std::uint32_t> shape = with_pes(load_platform("origin2000"), 64).links.shape;
  CHECK(std::ranges::count(shape, 2) == 5);
  CHECK(std::ranges::count(shape, 1) == 3);
  CHECK(with_pes(load_platform("intrepid"), 8192 * 4).links.shape == std::vector<std::uint32_t>{32, 16, 16});
}

TEST_CASE("platform: one that is not there") {
  CHECK_THROWS_WITH_AS(
      load_platform("parapluie"),
      "there is neither a file nor a platform of the name 'parapluie' (did you mean paraplui?); "
      "platforms are intrepid, opteron288, origin2000, paraplui, steele, and `skein calibrate -o FILE` "
      "makes one of this machine",
      PlatformError);
  CHECK_THROWS_WITH_AS(load_platform("/tmp"),
                       "/tmp is a folder: name the file in it that describes the platform", PlatformError);
  CHECK_THROWS_WITH_AS(load_platform("./no/such.json"),
                       "./no/such.json cannot be read: No such file or directory", PlatformError);
}
