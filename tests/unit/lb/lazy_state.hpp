// SPDX-License-Identifier: Apache-2.0
// The state of a small job that balances lazily, as a value: where its objects are, what members, coordinator
// and witness know, and the messages under way between them.
#pragma once
#include <compare>
#include <optional>
#include <vector>

#include "skein/lb/lazy.hpp"
#include "skein/lb/witness.hpp"

namespace lazy_model {

using namespace skein::lb;
using namespace skein::lb::lazy;

struct Job {
  std::vector<int> pe_of;    // of each object at the start
  std::vector<Point> lasts;  // an object ends when it has passed so many points
  Point period = 1;
  Wait wait = {};
  bool tight = false;  // no object is ahead of another by more than a point
  bool silences = false;
  int losses = 0;      // how often the witness may find that the coordinator's PE does not answer
  bool stops = false;  // the coordinator's PE may stop for good
  std::size_t pes = 2;
  Point from = 0;         // all objects have passed this point when it begins
  bool by_clock = false;  // no object is asked: the coordinator wants a stop when it likes
};

struct Message {
  enum class Kind {
    share,
    dry,
    promise,
    answered,
    decided,
    agreed,
    silent,
    stand,
    call,
    here,
    meet,
    lost,
    found
  } kind;
  Point point = 0;         // or the number of the call, or the round
  Point about = 0;         // of a promise
  std::uint64_t drop = 0;  // of a decision
  Stand stand = {};
  auto operator<=>(const Message&) const = default;
};

struct Object {
  int pe = 0;
  Point passed = 0;
  Point asked = 0;   // the last point for which the object left its share
  int asked_in = 0;  // the epoch of `asked`
  bool ended = false;
  Member::At now = Member::At::pass;
  auto operator<=>(const Object&) const = default;
};

struct Pe {
  Member member;
  Point sent = 0;  // newest share
  bool said_dry = false;
  std::uint64_t round = 0;
  std::optional<Stand> said = {};
  bool meets = false;
  auto operator<=>(const Pe&) const = default;
};

struct State {
  std::vector<Object> objects;
  std::vector<Pe> pes;
  Coordinator coordinator;
  std::vector<std::vector<Message>> to_coordinator, from_coordinator;  // by PE
  std::vector<Point> shared;  // by PE: newest share that the coordinator has stored
  int epoch = 0;
  bool was_silent = false;
  Witness witness;
  std::vector<std::vector<Message>> to_witness, from_witness;  // by PE
  int losses = 0;
  std::uint64_t lost_in = 0;  // the round that began with this loss
  bool is_lost = false, meets = false, stopped = false;
  auto operator<=>(const State&) const = default;
};

}  // namespace lazy_model
