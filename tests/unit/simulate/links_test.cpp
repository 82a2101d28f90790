// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "lb/simulate/link_windows.hpp"
#include "lb/simulate/network.hpp"
#include "lb/simulate/routes.hpp"

using namespace skein::simulate;

namespace {

struct Span {
  Ns begin, end;
  bool operator==(const Span&) const = default;
};
Span take(LinkWindows& link, Ns now, Ns at, Ns work) {
  const LinkWindows::Passage passed = link.take(now, at, work, 1000);
  return {passed.begin, passed.end};
}

Platform with_links(NetworkKind kind, std::vector<std::uint32_t> shape, std::vector<std::uint32_t> up = {}) {
  Platform platform;
  platform.nodes = 1;
  for (const std::uint32_t extent : shape) platform.nodes *= extent;
  platform.network.latency_ns = 1000;
  platform.network.gap_ns = 100;
  platform.links = {kind, shape, up, 10, 1};
  return platform;
}

using Expected = std::map<std::uint64_t, Ns>;
Expected arrivals(Network& network) {
  Expected result;
  while (network.next() != kNever)
    if (const Delivery delivery = network.take(); delivery.message != Delivery::none)
      result[delivery.message] = delivery.at;
  return result;
}

std::set<LinkIndex> links(Routes& routes, std::uint32_t from, std::uint32_t to) {
  const auto& route = routes.between(from, to);
  const std::set<LinkIndex> result(route.begin(), route.end());
  CHECK(result.size() == route.size());  // no link is passed twice
  for (const LinkIndex link : route) CHECK(link < routes.link_count());
  return result;
}

std::size_t shared(const std::set<LinkIndex>& a, const std::set<LinkIndex>& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a, [&](LinkIndex link) { return b.contains(link); }));
}

}  // namespace

TEST_CASE("link: messages pass one after the other, into the next window") {
  LinkWindows link;
  CHECK(take(link, 0, 0, 400) == Span{0, 400});
  CHECK(take(link, 0, 100, 400) == Span{400, 800});
  CHECK(take(link, 0, 100, 400) == Span{800, 1200});
}

TEST_CASE("link: who comes before others that were told earlier is not held up by them") {
  LinkWindows link;
  CHECK(take(link, 0, 5000, 700) == Span{5000, 5700});
  CHECK(take(link, 0, 2500, 400) == Span{2500, 2900});
  // A long message takes the time that the others leave: 3000 to 5000, 300 in the window of the first, 200
  // more.
  CHECK(take(link, 0, 3000, 2500) == Span{3000, 6200});
}

TEST_CASE("link: beyond the windows in the order of telling") {
  LinkWindows link;
  CHECK(take(link, 0, 24000, 500) == Span{24000, 24500});
  CHECK(take(link, 0, 24000, 500) == Span{24500, 25000});
  CHECK(take(link, 0, 0, 10) == Span{0, 10});
  // Now window 24 is one of the recorded windows, and full.
  CHECK(take(link, 10000, 24100, 100) == Span{25000, 25100});
  CHECK(take(link, 10000, 23000, 100) == Span{23000, 23100});
}

TEST_CASE("link: a message longer than all windows") {
  LinkWindows link;
  CHECK(take(link, 0, 0, 30000) == Span{0, 30000});
  CHECK(take(link, 0, 0, 10) == Span{30000, 30010});
  CHECK(take(link, 500000, 500000, 10) == Span{500000, 500010});
}

TEST_CASE("routes: around a torus the shorter way, dimension by dimension") {
  Routes routes(with_links(NetworkKind::torus, {5, 4, 3}));
  CHECK(routes.link_count() == 60 * 6);
  const auto ring = [](int a, int b, int extent) {
    return std::min((a - b + extent) % extent, (b - a + extent) % extent);
  };
  for (int from = 0; from < 60; ++from)
    for (int to = 0; to < 60; ++to)
      CHECK(links(routes, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)).size() ==
            static_cast<std::size_t>(ring(from % 5, to % 5, 5) + ring(from / 5 % 4, to / 5 % 4, 4) +
                                     ring(from / 20, to / 20, 3)));
  // Along x first: 0 -> (2,1,0) goes 0 -> 1 -> 2 like 0 -> 2, and then like (2,0,0) -> (2,1,0).
  CHECK(shared(links(routes, 0, 7), links(routes, 0, 2)) == 2);
  CHECK(shared(links(routes, 0, 7), links(routes, 2, 7)) == 1);
  CHECK(shared(links(routes, 0, 7), links(routes, 7, 0)) == 0);
  // 4 -> 0 goes over the edge, as the first step of 4 -> 1; both ways round are equal in a dimension of four.
  CHECK(shared(links(routes, 4, 0), links(routes, 4, 1)) == 1);
  CHECK(shared(links(routes, 0, 10), links(routes, 0, 5)) == 1);
  CHECK(shared(links(routes, 10, 0), links(routes, 10, 5)) == 1);
}

TEST_CASE("routes: up a fat tree by the port of the destination") {
  Routes routes(with_links(NetworkKind::fat_tree, {2, 2}, {2}));
  // Four nodes and two leaves with two ways up: links are 4 + 4, in both directions.
  CHECK(routes.link_count() == 16);
  CHECK(links(routes, 0, 1).size() == 2);
  CHECK(links(routes, 0, 2).size() == 4);
  CHECK(shared(links(routes, 0, 2), links(routes, 1, 3)) == 0);
  CHECK(shared(links(routes, 0, 2), links(routes, 1, 2)) == 3);
  CHECK(shared(links(routes, 0, 2), links(routes, 0, 3)) == 1);
  CHECK(shared(links(routes, 0, 2), links(routes, 2, 0)) == 0);
}

TEST_CASE("routes: shifts do not meet in a full fat tree") {
  // Zahavi's theorem: with D-mod-k every node can send to the node `shift` further without sharing a link.
  Routes routes(with_links(NetworkKind::fat_tree, {4, 4, 4}, {4, 4}));
  for (std::uint32_t shift = 1; shift < 64; ++shift) {
    std::set<LinkIndex> used;
    std::size_t count = 0;
    for (std::uint32_t from = 0; from < 64; ++from) {
      const std::set<LinkIndex> route = links(routes, from, (from + shift) % 64);
      count += route.size();
      used.insert(route.begin(), route.end());
    }
    CHECK(used.size() == count);
  }
}

TEST_CASE("fast network: hops and the pace of the slowest link") {
  // 0 -> 2 on a ring of five: two hops; a byte takes 1 ns of a link and nothing of a side.
  const auto network = make_fast_network(with_links(NetworkKind::torus, {5}));
  network->send(1, 0, 2, 400, 0);
  CHECK(arrivals(*network) == Expected{{1, 1000 + 2 * 10 + 400}});
}

TEST_CASE("fast network: messages share links") {
  const auto network = make_fast_network(with_links(NetworkKind::torus, {5}));
  network->send(1, 0, 2, 400, 0);
  network->send(2, 1, 2, 400,
                0);  // the second link of the first message, of which 400 ns of its first window are used
  network->send(3, 2, 1, 400, 0);  // the other direction
  CHECK(arrivals(*network) == Expected{{1, 1420}, {2, 400 + 400 + 10 + 1000}, {3, 1410}});
}
