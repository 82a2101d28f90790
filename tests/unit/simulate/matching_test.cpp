// SPDX-License-Identifier: Apache-2.0
// MPI's rule for the messages of a channel, however many wait; and requests, however many are open.
#include "lb/simulate/matching.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "lb/kernel/random.hpp"
#include "lb/simulate/waits.hpp"

using namespace skein::simulate;

namespace {

// The rule as the standard has it: two queues a channel, of which one is empty.
struct Rule {
  using Key = std::tuple<ObjectIndex, ObjectIndex, std::uint32_t, std::int32_t>;
  std::map<Key, std::deque<std::uint32_t>> receives;
  std::map<Key, std::deque<Waiting>> messages;

  static auto key(const MessageKey& channel) {
    return std::tuple(channel.receiver, channel.sender, channel.communicator, channel.tag);
  }
};

}  // namespace

TEST_CASE("matching: of one channel the first receive gets the first message, however many wait") {
  for (const bool by_arrival : {false, true}) {
    CAPTURE(by_arrival);
    Pool<Message> pool;
    TagPlaces places;
    Matching matching(pool, places, 3, by_arrival);
    Rule rule;
    skein::lb::Random random(11);
    std::uint32_t requests = 0, lengths = 0;
    for (int i = 0; i < 60000; ++i) {
      // Up to 40 channels of a receiver. For a while messages prevail, then receives, then only calls that
      // take a waiting item.
      MessageKey channel{static_cast<ObjectIndex>(random.below(3)), static_cast<ObjectIndex>(random.below(5)),
                         static_cast<std::uint32_t>(random.below(2)),
                         static_cast<std::int32_t>(random.below(4))};
      // Some have no place.
      if (channel.tag != 3) channel.place = places.of(channel.communicator, channel.tag);
      auto& receives = rule.receives[Rule::key(channel)];
      auto& messages = rule.messages[Rule::key(channel)];
      const bool drains = i / 500 % 4 >= 2;
      if (drains && receives.empty() && messages.empty()) continue;
      if (drains ? !receives.empty() : random.below(10) < (i / 500 % 2 ? 6u : 4u)) {
        Completion receive;
        REQUIRE(matching.take_receive(channel, receive) == !receives.empty());
        if (!receives.empty()) {
          REQUIRE(receive.task == channel.receiver);
          REQUIRE(receive.request == receives.front());
          receives.pop_front();
          continue;
        }
        // Of some messages only the length is kept, if there is room.
        const auto bytes = static_cast<std::uint32_t>(random.below(1 << 29));
        if (random.below(2) != 0 && matching.keep_length(channel, bytes)) {
          messages.push_back({kNone, bytes});
          ++lengths;
          continue;
        }
        const MessageIndex message = pool.add();
        pool[message].receiver = channel.receiver;
        matching.keep(channel, message);
        messages.push_back({message});
        continue;
      }
      Waiting first;
      REQUIRE(matching.has_message(channel) == !messages.empty());
      REQUIRE(matching.take_message(channel, first) == !messages.empty());
      if (messages.empty()) {
        matching.post(channel, {channel.receiver, requests});
        receives.push_back(requests++);
      } else {
        REQUIRE(first.message == messages.front().message);
        REQUIRE(first.bytes == messages.front().bytes);
        if (first.message != kNone) pool.remove(first.message);
        messages.pop_front();
      }
    }
    for (ObjectIndex receiver = 0; receiver < 3; ++receiver) {
      std::map<std::uint32_t, MessageKey> waiting;
      matching.for_receives_of(receiver, [&](const MessageKey& channel, Completion completion) {
        waiting[completion.request] = channel;
      });
      std::size_t expected = 0;
      for (const auto& [channel, open] : rule.receives) {
        if (std::get<0>(channel) != receiver) continue;
        expected += open.size();
        for (const std::uint32_t request : open) CHECK(Rule::key(waiting[request]) == channel);
      }
      CHECK(waiting.size() == expected);
    }
    CHECK((lengths > 100) == !by_arrival);
  }
}

TEST_CASE("matching: receives of tasks keep their task") {
  Pool<Message> pool;
  TagPlaces places;
  Matching matching(pool, places, 2, false);
  for (std::uint32_t i = 0; i < 30; ++i)
    matching.post({1, 0, 0, static_cast<std::int32_t>(i),
                   i < 20 ? places.of(0, static_cast<std::int32_t>(i)) : kNoPlace},
                  {i % 2 ? 1 : 7 + i, i % 3 ? kNone : i});
  for (std::uint32_t i = 30; i-- > 0;) {
    Completion receive;
    REQUIRE(matching.take_receive({1, 0, 0, static_cast<std::int32_t>(i),
                                   i < 20 ? places.of(0, static_cast<std::int32_t>(i)) : kNoPlace},
                                  receive));
    CHECK(receive.task == (i % 2 ? 1 : 7 + i));
    CHECK(receive.request == (i % 3 ? kNone : i));
  }
}

TEST_CASE("requests: completed, awaited and retired in any order, however many are open") {
  enum State { pending, ready, awaited };
  Requests requests;
  std::map<std::uint32_t, State> expected;
  bool at_once = false, retired_at_once = false;
  skein::lb::Random random(12);
  for (int i = 0; i < 30000; ++i) {
    // Few requests at first: then there are often no gaps, and all are waited for at once.
    const std::size_t most = i < 5000 ? 4 : i < 10000 ? 20 : i < 20000 ? 1000 : 100;
    if (expected.size() < random.below(most)) {
      const std::uint32_t request = requests.start();
      REQUIRE(request + 1 == requests.started());
      expected[request] = pending;
      continue;
    }
    if (expected.empty()) continue;
    if (random.below(50) == 0) {
      std::uint32_t left = 3, waits = 3;
      for (const auto& [request, state] : expected) waits += state == pending;
      if (requests.await_all(expected.size(), left)) {
        at_once = true;
        REQUIRE(left == waits);
        for (auto& [request, state] : expected)
          if (state == pending) state = awaited;
        for (auto& [request, state] : expected) {
          if (state == awaited && random.below(3) != 0) {
            REQUIRE(requests.complete(request));
            state = ready;
          }
        }
        if (std::ranges::all_of(expected, [](const auto& one) { return one.second == ready; })) {
          REQUIRE(requests.retire_all(expected.size()));
          expected.clear();
          retired_at_once = true;
        }
        continue;
      }
    }
    auto which = expected.begin();
    std::advance(which, static_cast<std::ptrdiff_t>(random.below(expected.size())));
    auto& [request, state] = *which;
    REQUIRE(requests.is_awaited(request) == (state == awaited));
    if (state == ready) {
      REQUIRE(requests.await(request));
      requests.retire(request);
      REQUIRE(!requests.is_awaited(request));
      expected.erase(which);
    } else if (state == pending && random.below(2) == 0) {
      REQUIRE(!requests.await(request));
      state = awaited;
    } else {
      REQUIRE(requests.complete(request) == (state == awaited));
      state = ready;
    }
  }
  CHECK(at_once);
  CHECK(retired_at_once);
}
