// SPDX-License-Identifier: Apache-2.0
// Compares the queues of matching with the rules of MPI written plainly: two lists that are searched from the
// front (MPI 4.1, 3.5).
#include "runtime/vmpi/p2p/match.hpp"

#include <doctest/doctest.h>

#include <list>
#include <memory>
#include <memory_resource>
#include <random>
#include <vector>

using namespace skein::vmpi;

namespace {

/// Returns a request with the fields that matching reads; its rank and communicator do not matter.
std::unique_ptr<Request> receive(const Pattern& pattern) {
  alignas(64) static std::byte nobody[64];
  return std::make_unique<Request>(reinterpret_cast<RankState&>(nobody), reinterpret_cast<Comm&>(nobody),
                                   pattern, skein::vmpi::Data{});
}

class Model {
 public:
  Request* match_posted(const Envelope& envelope) {
    for (auto at = posted.begin(); at != posted.end(); ++at) {
      if (!matches((*at)->pattern, envelope)) continue;
      Request* const found = *at;
      posted.erase(at);
      return found;
    }
    return nullptr;
  }
  Unexpected* find_unexpected(const Pattern& pattern) const {
    for (Unexpected* message : unexpected)
      if (matches(pattern, message->envelope)) return message;
    return nullptr;
  }

  std::list<Request*> posted;
  std::list<Unexpected*> unexpected;
};

struct Numbers {
  std::mt19937 random;
  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
};

Envelope some_envelope(Numbers& numbers, int kinds) {
  // Tags differ in high bits, and contexts are formed as the runtime forms them.
  return {.context = (std::int64_t{numbers.below(2)} << 32) * 5 + 5 * numbers.below(2),
          .source = numbers.below(kinds),
          .tag = numbers.below(kinds) << 20};
}

Pattern some_pattern(Numbers& numbers, int kinds, int wildcards_percent) {
  Pattern pattern = key_of(some_envelope(numbers, kinds));
  if (numbers.below(100) < wildcards_percent) pattern.source = MPI_ANY_SOURCE;
  if (numbers.below(100) < wildcards_percent) pattern.tag = MPI_ANY_TAG;
  return pattern;
}

/// Makes random receives and messages, as a rank meets them: whichever of a pair comes first waits for the
/// other.
void compare(unsigned seed, int kinds, int wildcards_percent, int messages_percent, int steps) {
  Numbers numbers{std::mt19937(seed)};
  MatchQueues queues(*std::pmr::new_delete_resource());
  Model model;
  std::list<std::unique_ptr<Request>> receives;
  for (int step = 0; step < steps; ++step) {
    CAPTURE(step);
    if (numbers.below(100) < messages_percent) {
      const Envelope envelope = some_envelope(numbers, kinds);
      Request* const expected = model.match_posted(envelope);
      CHECK(queues.match_posted(key_of(envelope)) == expected);
      if (!expected) model.unexpected.push_back(queues.add_without_data(envelope));
    } else {
      const Pattern pattern = some_pattern(numbers, kinds, wildcards_percent);
      Unexpected* const expected = model.find_unexpected(pattern);
      Unexpected* const found = queues.find_unexpected(pattern);
      CHECK(found == expected);
      if (found) {
        model.unexpected.remove(found);
        queues.remove_unexpected(found);
        queues.free_unexpected(found);
      } else {
        receives.push_back(receive(pattern));
        queues.post(*receives.back());
        model.posted.push_back(receives.back().get());
      }
    }
    if (numbers.below(20) == 0 && !model.posted.empty()) {
      Request* const gone = model.posted.back();
      model.posted.pop_back();
      CHECK(queues.withdraw(*gone));
      CHECK(!queues.withdraw(*gone));
    }
    CHECK(queues.posted() == model.posted.size());
    CHECK(queues.unexpected() == model.unexpected.size());
    CHECK(queues.oldest_unexpected() == (model.unexpected.empty() ? nullptr : model.unexpected.front()));
  }
}

}  // namespace

TEST_CASE("matching: of what matches, the first posted and the first arrived are taken") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    compare(seed, 3, 0, 50, 2000);
    compare(seed, 3, 30, 50, 2000);
    compare(seed, 20, 10, 60, 2000);  // mostly messages
    compare(seed, 20, 60, 40, 2000);  // mostly receives
  }
}

TEST_CASE("matching: a rank has room again when half of what it may keep is free") {
  const std::uint64_t unbounded = settings.eager_memory;
  const auto one = sizeof(Unexpected) + 100;
  settings.eager_memory = 4 * one;
  MatchQueues queues(*std::pmr::new_delete_resource());
  std::vector<Unexpected*> messages;
  const auto come = [&](int tag) {
    messages.push_back(queues.add_unexpected({.source = 1, .tag = tag, .bytes = 100, .carries_data = true}));
  };
  const auto go = [&] {
    queues.remove_unexpected(messages.back());
    queues.free_unexpected(messages.back());
    messages.pop_back();
  };
  for (int n = 0; n < 4; ++n) come(n);
  CHECK(queues.has_room());
  come(4);
  CHECK_FALSE(queues.has_room());
  CHECK(queues.kept_bytes() == 5 * one);
  CHECK_FALSE(queues.has_room_again());  // no sender waits for room
  queues.await_room();
  for (int n = 0; n < 2; ++n) {
    go();
    CHECK_FALSE(queues.has_room_again());
  }
  go();
  CHECK(queues.has_room_again());
  CHECK_FALSE(queues.has_room_again());  // the sender was told
  // A message without its data takes as much if it may get them later, else nothing.
  Unexpected* const later = queues.add_without_data({.source = 2, .tag = 0, .bytes = 100});
  CHECK(queues.kept_bytes() == 2 * one);
  queues.charge(*later);
  CHECK(queues.kept_bytes() == 3 * one);
  queues.add_payload(*later);
  CHECK(queues.kept_bytes() == 3 * one);
  messages.push_back(later);
  while (!messages.empty()) go();
  CHECK(queues.kept_bytes() == 0);
  settings.eager_memory = unbounded;
}

TEST_CASE("matching: a sent message is found by its send, the newest of those that are alike") {
  MatchQueues queues(*std::pmr::new_delete_resource());
  const auto send = [](std::uintptr_t number) { return reinterpret_cast<Request*>(64 * number); };
  Unexpected* const first =
      queues.add_without_data({.context = 5, .source = 1, .tag = 2, .send = send(1), .sender = 1});
  Unexpected* const other =
      queues.add_without_data({.context = 5, .source = 1, .tag = 2, .send = send(2), .sender = 1});
  Unexpected* const again =
      queues.add_without_data({.context = 5, .source = 1, .tag = 2, .send = send(1), .sender = 1});
  CHECK(queues.find_sent(first->envelope) == again);
  CHECK(queues.find_sent(other->envelope) == other);
  queues.remove_unexpected(again);
  CHECK(queues.find_sent(first->envelope) == first);
  Envelope none = first->envelope;
  none.tag = 3;
  CHECK(queues.find_sent(none) == nullptr);
  for (Unexpected* const message : {first, other, again}) {
    if (message != again) queues.remove_unexpected(message);
    queues.free_unexpected(message);
  }
}
