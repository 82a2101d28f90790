// SPDX-License-Identifier: Apache-2.0
// Plays a trace by the logical clock, and takes it apart into the parts of coarse ranks.
#pragma once
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/coarsen/collectives.hpp"
#include "lb/trace/coarsen/parts.hpp"
#include "lb/trace/coarsen/requests.hpp"

namespace skein::trace::coarse {

class LogicalOrder {
 public:
  LogicalOrder(const Trace& trace, const CoarseMap& map);
  /// Plays the trace. Throws TraceError if ranks wait for events that never come.
  Parts play();

 private:
  static constexpr std::uint32_t kInside = UINT32_MAX;  // of a message inside a coarse rank
  struct SentMessage {
    Level level;
    std::uint32_t crossing;
  };
  struct Messages {
    std::vector<SentMessage> sent;
    std::uint64_t wanted = 0;  // by receives so far
  };
  struct Request {
    enum class Kind : std::uint8_t { none, send, receive, collective };
    Kind kind = Kind::none;
    Level level = 0;
    std::uint32_t crossing = kInside;  // of a send
    Messages* messages = nullptr;      // of a receive
    std::uint64_t number = 0;          // the message that it gets
    const Collectives::Instance* collective = nullptr;
  };
  struct Walker {
    ObjectIndex object, coarse;
    Cursor cursor;
    LateReceives late;
    const Event* event = nullptr;
    std::uint64_t number = 0;  // of the event
    Level level = 0;
    std::uint32_t order = 0;
    bool entered = false;            // it has begun the event, and waits in it
    std::vector<Work> carried = {};  // work that no event follows yet
    struct Frame {
      std::uint32_t visit = kOutside;
      std::uint32_t visits = 0;  // visits made in it so far
    };
    std::vector<Frame> inside = {{}};  // regions, the innermost last
    std::uint64_t started = 0, syncs = 0;
    std::deque<Request> requests = {};  // from the first incomplete one to the one started last
    Request current = {};               // the one that a blocking call waits for
  };
  struct Sync {
    std::size_t missing = 0;
    Level level = 0;
  };

  bool step(Walker& walker);  // false: it must wait
  void send(Walker& walker);
  bool receive(Walker& walker);
  bool wait(Walker& walker);
  bool collective(Walker& walker);
  bool sync(Walker& walker);
  void keep(Walker& walker);
  void region(Walker& walker);

  Request start_receive(Walker& walker, std::int32_t partner, std::int32_t tag);
  bool ready(const Request& request) const;
  Level level_of(const Request& request) const;
  void complete(const Request& request, Level level);
  void raise(Walker& walker, Level level);
  void start(Walker& walker, Request request);
  Request* find(Walker& walker, std::uint64_t back);
  /// Puts the event's work and the carried work before `slot` at this level.
  void add_time(Walker& walker, Level level, Slot slot);
  void carry(Walker& walker);  // keeps the event's work for the next event
  std::uint32_t counts_of(const Event& event);
  void add_to(Work& sum, const Work& work);
  [[noreturn]] void fail() const;

  const Trace& trace_;
  const CoarseMap& map_;
  Parts parts_;
  Collectives collectives_;
  std::vector<Walker> walkers_;
  std::vector<Request> freed_;  // receives that got a message and that no call waits for
  std::vector<Sync> syncs_;
  std::unordered_map<Channel, Messages, ChannelHash> channels_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      visits_;  // by visit around, index there, name
};

}  // namespace skein::trace::coarse
