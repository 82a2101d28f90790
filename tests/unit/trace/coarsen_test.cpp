// SPDX-License-Identifier: Apache-2.0
// Coarser decompositions: cases worked out by hand, and properties that they keep.
#include "skein/lb/coarsen.hpp"

#include <doctest/doctest.h>

#include <map>

#include "lb/kernel/random.hpp"
#include "skein/lb/trace_check.hpp"
#include "tests/unit/trace/events.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

using Grid = std::vector<std::uint32_t>;

template <typename Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

std::string findings(const Trace& trace) {
  std::string text;
  for (const Finding& one : check_trace(trace).findings) text += one.text + "\n";
  return text;
}

std::vector<Event> events_of(const Trace& trace, ObjectIndex object, EventKind kind) {
  std::vector<Event> events;
  Cursor cursor = trace.events(object);
  while (const Event* const event = cursor.next())
    if (event->kind == kind) events.push_back(*event);
  return events;
}

// Bytes from one coarse rank to another.
using Traffic = std::map<std::pair<ObjectIndex, ObjectIndex>, std::uint64_t>;

Traffic traffic_of(const Trace& trace, const CoarseMap& map) {
  Traffic traffic;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    for (const Event& send : events_of(trace, object, EventKind::send)) {
      const ObjectIndex from = map.coarse_of[object],
                        to = map.coarse_of[static_cast<std::size_t>(send.partner)];
      if (from != to) traffic[{from, to}] += send.bytes;
    }
  return traffic;
}

CoarseMap identity(std::size_t objects) {
  CoarseMap map{{}, objects};
  for (ObjectIndex k = 0; k < objects; ++k) map.coarse_of.push_back(k);
  return map;
}

// The time that all objects computed in each region, inner regions included, and the total of the counter.
struct InRegions {
  std::map<std::string, std::uint64_t> ns;
  std::vector<std::int64_t> counted;
  bool operator==(const InRegions&) const = default;
};

InRegions in_regions(const Trace& trace) {
  InRegions sums{{}, std::vector<std::int64_t>(trace.header().counters.size(), 0)};
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    std::vector<std::uint64_t> inside;
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      for (const std::uint64_t name : inside) sums.ns[trace.names()[name]] += event->burst_ns;
      for (std::size_t k = 0; k < event->counters.size(); ++k) sums.counted[k] += event->counters[k];
      if (event->kind == EventKind::region_begin) inside.push_back(event->list[0]);
      if (event->kind != EventKind::region_end) continue;
      REQUIRE(!inside.empty());
      CHECK(inside.back() == event->list[0]);
      inside.pop_back();
    }
    CHECK(inside.empty());
  }
  return sums;
}

Event region(EventKind kind, std::size_t name) {
  Event event;
  event.kind = kind;
  event.list = std::span(kBack).subspan(name, 1);  // each name is a place of its own
  return event;
}

void check_conserved(const Trace& fine, const CoarseMap& map, const Trace& coarse) {
  REQUIRE(coarse.object_count() == map.count);
  std::vector<std::uint64_t> load(map.count);
  const TraceInfo fine_info = trace_info(fine), coarse_info = trace_info(coarse);
  for (std::size_t k = 0; k < fine_info.objects.size(); ++k)
    load[map.coarse_of[k]] += fine_info.objects[k].compute_ns;
  for (std::size_t k = 0; k < map.count; ++k) CHECK(coarse_info.objects[k].compute_ns == load[k]);
  CHECK(in_regions(coarse) == in_regions(fine));
  CHECK(traffic_of(coarse, identity(map.count)) == traffic_of(fine, map));
  CHECK(findings(coarse) == "");
  // The coarse trace can be played to its end, as this does.
  CHECK(trace_info(coarsen(coarse, identity(map.count))).bytes == coarse_info.bytes);
}

// A halo exchange on a grid: four receives, four sends, wait, sync point. Bursts are drawn.
Trace stencil(std::uint32_t width, std::uint32_t height, int steps) {
  skein::lb::Random random(1);
  Streams streams(width * height);
  for (int step = 0; step < steps; ++step)
    for (std::uint32_t rank = 0; rank < width * height; ++rank) {
      const std::int32_t x = static_cast<std::int32_t>(rank % width),
                         y = static_cast<std::int32_t>(rank / width);
      const std::int32_t w = static_cast<std::int32_t>(width), h = static_cast<std::int32_t>(height);
      std::vector<std::int32_t> neighbours;
      if (x > 0) neighbours.push_back(y * w + x - 1);
      if (x + 1 < w) neighbours.push_back(y * w + x + 1);
      if (y > 0) neighbours.push_back((y - 1) * w + x);
      if (y + 1 < h) neighbours.push_back((y + 1) * w + x);
      auto& stream = streams[rank];
      stream.push_back(after(random.below(1000000), sync_point(1000)));
      for (const std::int32_t one : neighbours) stream.push_back(after(random.below(100), ireceive(one, 10)));
      for (const std::int32_t one : neighbours) stream.push_back(after(random.below(100), isend(one, 10)));
      stream.push_back(after(random.below(1000), wait_for(2 * neighbours.size())));
    }
  for (auto& stream : streams) stream.push_back(end_of_object(17));
  return trace_of(streams);
}

// Returns a random program that MPI allows: it can run in the one global order in which its events are
// appended.
Trace random_program(skein::lb::Random& random, std::uint32_t ranks, int length) {
  Streams streams(ranks);
  std::vector<std::size_t> open(ranks);  // numbers of open requests, always the last ones started
  std::vector<Communicator> groups{Communicator{1, {}, {}}};
  for (ObjectIndex rank = 0; rank < ranks; rank += 2) groups[0].members.push_back(rank);
  std::vector<std::vector<std::size_t>> inside(ranks);
  const auto add = [&](std::uint32_t rank, Event event) {
    event.burst_ns = random.below(1000);
    streams[rank].push_back(event);
    if (random.below(4) > 0) return;
    const bool ends = !inside[rank].empty() && random.below(2);
    if (!ends) inside[rank].push_back(random.below(3));
    Event border = region(ends ? EventKind::region_end : EventKind::region_begin, inside[rank].back());
    if (ends) inside[rank].pop_back();
    streams[rank].push_back(after(random.below(1000), border));
  };
  const auto wait_all = [&](std::uint32_t rank) {
    if (open[rank]) add(rank, wait_for(open[rank]));
    open[rank] = 0;
  };
  for (int k = 0; k < length; ++k) {
    const std::uint32_t from = random.below(ranks), to = random.below(ranks);
    const auto sender = static_cast<std::int32_t>(from), receiver = static_cast<std::int32_t>(to);
    const auto tag = static_cast<std::int32_t>(random.below(2));
    switch (random.below(12)) {
      case 0:
        for (std::uint32_t rank = 0; rank < ranks; ++rank) add(rank, collective(Collective::allreduce, 8));
        break;
      case 1:
        for (const ObjectIndex rank : groups[0].members)
          add(rank, collective(Collective::barrier, 0, kAny, 1));
        break;
      case 2:
        for (std::uint32_t rank = 0; rank < ranks; ++rank) add(rank, sync_point(rank));
        break;
      default:
        if (from == to) break;
        const std::uint64_t bytes = random.below(100);
        if (random.below(2)) {
          add(from, isend(receiver, bytes, tag));
          ++open[from];
        } else {
          add(from, send(receiver, bytes, tag));
        }
        if (random.below(2)) {
          wait_all(to);  // a blocking receive would take the message of an earlier one
          add(to, receive(sender, bytes, tag));
        } else if (random.below(2)) {
          add(to, ireceive(sender, bytes, tag));
          ++open[to];
        } else {
          wait_all(to);
          add(to, ireceive(kAny, bytes, kAny));
          add(to, matched(0, sender, bytes, tag));
          add(to, wait_for(1));
        }
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (open[rank] > 8 || (open[rank] && random.below(4) == 0)) wait_all(rank);
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    wait_all(rank);
    for (; !inside[rank].empty(); inside[rank].pop_back())
      streams[rank].push_back(after(3, region(EventKind::region_end, inside[rank].back())));
    streams[rank].push_back(end_of_object(random.below(1000)));
  }
  return trace_of(streams, groups, {}, {"a", "b", "c"});
}

}  // namespace

TEST_CASE("coarsen: what ranks did in regions is in them, of all ranks of a block") {
  constexpr EventKind begins = EventKind::region_begin, ends = EventKind::region_end;
  Header header;
  header.counters = {"instructions"};
  TraceBuilder builder(header, 2);
  for (const char* name : {"step", "solve"}) builder.name(name);
  for (const std::uint64_t k : {1, 2}) {
    // 10 k, then 100 k in step, 1000 k in solve, 30 k in step; twice. Nine times as many instructions.
    const auto add = [&](std::uint64_t burst_ns, Event event) {
      const std::int64_t counted[] = {static_cast<std::int64_t>(9 * burst_ns)};
      event.burst_ns = burst_ns;
      event.counters = counted;
      builder.add(static_cast<ObjectIndex>(k - 1), event);
    };
    for (int step = 0; step < 2; ++step) {
      add(10 * k, region(begins, 0));
      add(100 * k, region(begins, 1));
      add(1000 * k, region(ends, 1));
      add(30 * k, region(ends, 0));
      add(0, sync_point(8));
    }
    add(7 * k, end_of_object());
  }
  const Trace fine = std::move(builder).finish();
  const Trace coarse = coarsen(fine, map_grid(std::vector{2u}, std::vector{1u}, 2));
  const InRegions expected{{{"step", 2 * 3 * 1130}, {"solve", 2 * 3 * 1000}}, {9 * 3 * (2 * 1140 + 7)}};
  CHECK(in_regions(fine) == expected);
  CHECK(in_regions(coarse) == expected);
  // The two ranks make the same visits, which become one each.
  CHECK(events_of(coarse, 0, begins).size() == 4);
  CHECK(events_of(coarse, 0, EventKind::sync)[1].bytes == 16);
  check_conserved(fine, map_grid(std::vector{2u}, std::vector{1u}, 2), coarse);
}

TEST_CASE("coarsen: what ends what did not begin, or ends before what began in it, is no region") {
  constexpr EventKind begins = EventKind::region_begin, ends = EventKind::region_end;
  TraceBuilder builder({}, 2);
  for (const char* name : {"a", "b"}) builder.name(name);
  for (const ObjectIndex rank : {0u, 1u}) {
    for (const Event& event :
         {after(1, region(ends, 0)), after(2, region(begins, 0)), after(4, region(begins, 1)),
          after(8, region(ends, 0)), after(16, region(ends, 1)), end_of_object(32)})
      builder.add(rank, event);
  }
  const Trace coarse = coarsen(std::move(builder).finish(), map_grid(std::vector{2u}, std::vector{1u}, 2));
  CHECK(in_regions(coarse).ns == std::map<std::string, std::uint64_t>{{"a", 2 * 12}, {"b", 2 * 8}});
}

TEST_CASE("coarsen: a rank is where its ranks were, if they were on one PE") {
  const Streams streams(4, {end_of_object(1)});
  Header header;
  header.pes = 2;
  header.placement = {0, 0, 1, 1};
  const Trace trace = trace_of(streams, {}, header);
  CHECK(coarsen(trace, map_grid(std::vector{4u}, std::vector{2u}, 4)).header().placement ==
        std::vector<PeIndex>{0, 1});
  CHECK(coarsen(trace, map_grid(std::vector{4u}, std::vector{1u}, 4)).header().placement.empty());
}

TEST_CASE("coarsen: blocks of a grid") {
  const CoarseMap map = map_grid(Grid{4, 6}, Grid{2, 3}, 24);
  CHECK(map.count == 6);
  CHECK(map.coarse_of[0] == 0);
  CHECK(map.coarse_of[1] == 0);  // (0, 1)
  CHECK(map.coarse_of[2] == 1);  // (0, 2)
  CHECK(map.coarse_of[1 * 6 + 5] == 2);
  CHECK(map.coarse_of[2 * 6 + 0] == 3);
  CHECK(map.coarse_of[23] == 5);
  CHECK(map_grid(Grid{2, 2, 2}, Grid{2, 1, 2}, 8).coarse_of ==
        std::vector<ObjectIndex>{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(
      error_of([] {
        map_grid(Grid{16, 12}, Grid{4, 5}, 192);
      }) ==
      "the grid 16x12 cannot be cut into 4x5 blocks: 12 does not divide by 5; it does by 1, 2, 3, 4, 6, 12");
  CHECK(error_of([] {
          map_grid(Grid{16, 16}, Grid{4, 4}, 250);
        }) == "the grid 16x16 has 256 ranks, but the trace has 250; name the grid of the recorded run");
  CHECK(error_of([] {
          map_grid(Grid{4, 4}, Grid{4}, 16);
        }).starts_with("the grid 4x4 has 2 dimensions, but 4 has 1"));
}

TEST_CASE("coarsen: any other map") {
  const CoarseMap map = parse_map("0 1\n1 0  # why\n\n2 1\n", "m", 3);
  CHECK(map.count == 2);
  CHECK(map.coarse_of == std::vector<ObjectIndex>{1, 0, 1});
  const auto error = [](const std::string& text) { return error_of([&] { parse_map(text, "m", 3); }); };
  CHECK(error("0 0\n1 x\n") == "m, line 2: '1 x' is not a fine and a coarse rank: two numbers");
  CHECK(error("0 0 0\n") == "m, line 1: '0 0 0' is not a fine and a coarse rank: two numbers");
  CHECK(error("3 0\n") == "m, line 1: there is no rank 3; the trace has 3");
  CHECK(error("0 7\n") == "m, line 1: coarse rank 7 is more than the 3 ranks of the trace could fill");
  CHECK(error("0 0\n0 1\n") == "m, line 2: rank 0 is given twice");
  CHECK(error("0 0\n1 0\n") == "m: rank 2 is missing; each of the 3 ranks needs a line");
  CHECK(error("0 0\n1 2\n2 0\n") ==
        "m: coarse rank 1 has no fine rank, but there is rank 2; number coarse ranks from 0 without gaps");
  CHECK(error_of([] { read_map("/none", 3); }).starts_with("/none: cannot be read"));
}

TEST_CASE("coarsen: two blocks of two, by hand") {
  // Ranks 0, 1 | 2, 3 in a row; each step they exchange with their neighbours.
  Streams streams(4);
  const auto exchange = [&](std::int32_t rank, std::initializer_list<std::int32_t> neighbours,
                            std::uint64_t work) {
    auto& stream = streams[static_cast<std::size_t>(rank)];
    for (const std::int32_t one : neighbours) stream.push_back(ireceive(one, 100));
    stream.front().burst_ns = work;
    for (const std::int32_t one : neighbours) stream.push_back(after(5, isend(one, 100)));
    stream.push_back(after(3, wait_for(2 * neighbours.size(), 50)));
    stream.push_back(after(2, sync_point(1000)));
    stream.push_back(end_of_object(1));
  };
  exchange(0, {1}, 1000);
  exchange(1, {0, 2}, 2000);
  exchange(2, {1, 3}, 3000);
  exchange(3, {2}, 4000);
  const Trace coarse = coarsen(trace_of(streams), CoarseMap{{0, 0, 1, 1}, 2});
  std::vector<std::vector<Event>> found(2);
  std::vector<std::uint64_t> last_list;
  for (ObjectIndex rank = 0; rank < 2; ++rank) {
    Cursor cursor = coarse.events(rank);
    while (const Event* const event = cursor.next()) found[rank].push_back(*event);
    REQUIRE(found[rank].size() == 5);
    const auto& events = found[rank];
    CHECK(events[0].kind == EventKind::receive);
    CHECK(events[0].starts_request);
    CHECK(events[0].partner == static_cast<std::int32_t>(1 - rank));
    CHECK(events[1].kind == EventKind::send);
    CHECK(events[1].bytes == 100);
    CHECK(events[2].kind == EventKind::wait);
    CHECK(events[2].list.size() == 2);
    CHECK(events[2].burst_ns == 6);  // the sum of both ranks
    CHECK(events[2].call_ns == 50);
    CHECK(events[3].kind == EventKind::sync);
    CHECK(events[3].bytes == 2000);
    CHECK(events[3].burst_ns == 4);
    CHECK(events[4].kind == EventKind::end);
    CHECK(events[4].burst_ns == 2);
  }
  // Work and the two sends inside the block precede the messages that leave it.
  CHECK(found[0][0].burst_ns == 1000 + 2000 + 5 + 5);
  CHECK(found[0][1].burst_ns == 5);
  CHECK(found[1][0].burst_ns == 3000 + 4000 + 5 + 5);
}

TEST_CASE("coarsen: a halo exchange stays one, with one message a step and direction") {
  constexpr int kSteps = 20;
  const Trace fine = stencil(8, 8, kSteps);
  const CoarseMap map = map_grid(Grid{8, 8}, Grid{2, 4}, 64);
  const Trace coarse = coarsen(fine, map);
  check_conserved(fine, map, coarse);
  // A grid of 2 x 4 has 10 pairs of neighbours.
  const TraceInfo info = trace_info(coarse);
  CHECK(info.messages == 2 * 10 * kSteps);
  CHECK(info.syncs == kSteps);
  // Messages across the long side are 4 of 10 B each, the others 2.
  for (const Event& send : events_of(coarse, 0, EventKind::send))
    CHECK(send.bytes == (send.partner == 4 ? 20 : 40));
}

TEST_CASE("coarsen: collectives have the bytes of their parts") {
  const auto coarse_of = [](const std::vector<Event>& all, const CoarseMap& map,
                            const std::vector<Communicator>& communicators = {}) {
    Streams streams(map.coarse_of.size(), all);
    for (auto& stream : streams) stream.push_back(end_of_object());
    return coarsen(trace_of(streams, communicators), map);
  };
  const CoarseMap halves{{0, 0, 1, 1}, 2}, uneven{{0, 0, 0, 1}, 2};
  const auto first = [](const Trace& trace, ObjectIndex rank) {
    const auto events = events_of(trace, rank, EventKind::collective);
    REQUIRE(events.size() == 1);
    return events[0];
  };
  CHECK(first(coarse_of({collective(Collective::allreduce, 8)}, halves), 1).bytes == 8);
  const Event bcast = first(coarse_of({collective(Collective::bcast, 8, 3)}, halves), 0);
  CHECK(bcast.bytes == 8);
  CHECK(bcast.partner == 1);
  CHECK(first(coarse_of({collective(Collective::allgather, 8)}, halves), 1).bytes == 16);
  CHECK(first(coarse_of({collective(Collective::scatter, 8, 0)}, halves), 1).bytes == 16);
  CHECK(first(coarse_of({collective(Collective::alltoall, 8)}, halves), 1).bytes == 32);
  CHECK(first(coarse_of({collective(Collective::allgather, 8)}, uneven), 0).bytes == 24);
  CHECK(first(coarse_of({collective(Collective::allgather, 8)}, uneven), 1).what ==
        static_cast<std::uint8_t>(Collective::allgatherv));
  const Trace alltoall = coarse_of({collective(Collective::alltoall, 8)}, uneven);
  Cursor cursor = alltoall.events(0);
  const Event* const event = cursor.next();
  CHECK(event->what == static_cast<std::uint8_t>(Collective::alltoallv));
  CHECK(std::vector(event->list.begin(), event->list.end()) == std::vector<std::uint64_t>{9 * 8, 3 * 8});
  const std::uint64_t list[] = {1, 2, 3, 4};
  Event alltoallv = collective(Collective::alltoallv);
  alltoallv.list = list;
  const Trace counts = coarse_of({alltoallv}, halves);
  Cursor of_counts = counts.events(1);
  const Event* const found = of_counts.next();
  CHECK(std::vector(found->list.begin(), found->list.end()) == std::vector<std::uint64_t>{2 * 3, 2 * 7});
  // Inside one coarse rank no collective is left.
  CHECK(events_of(coarse_of({collective(Collective::barrier)}, CoarseMap{{0, 0, 0, 0}, 1}), 0,
                  EventKind::collective)
            .empty());
}

TEST_CASE("coarsen: starts of persistent collectives in another order are joined one by one") {
  const auto start = [](std::int32_t which, Collective kind, std::uint64_t bytes) {
    Event event = collective(kind, bytes);
    event.tag = which;
    event.starts_request = true;
    return event;
  };
  const Event first = start(1, Collective::allgather, 8), second = start(2, Collective::allreduce, 16);
  const std::vector<Event> forth{first, second, wait_for(2), end_of_object()},
      back{second, first, wait_for(2), end_of_object()};
  const Trace coarse = coarsen(trace_of({forth, back, back, forth}), CoarseMap{{0, 0, 1, 1}, 2});
  for (const ObjectIndex rank : {0u, 1u}) {
    const auto calls = events_of(coarse, rank, EventKind::collective);
    REQUIRE(calls.size() == 2);
    const bool gathers_first = calls[0].what == static_cast<std::uint8_t>(Collective::allgather);
    CHECK(calls[gathers_first ? 0 : 1].bytes == 2 * 8);  // of two ranks
    CHECK(calls[gathers_first ? 1 : 0].bytes == 16);
    CHECK(calls[0].what == events_of(coarse, 0, EventKind::collective)[0].what);  // all members in one order
  }
}

TEST_CASE("coarsen: rows of a grid that make a collective each make one together") {
  // 2 x 2 ranks, each row with a communicator of its own; both rows are in the same blocks.
  const std::vector<Communicator> rows{Communicator{1, {0, 1}, {}}, Communicator{2, {2, 3}, {}}};
  const Event upper = collective(Collective::allreduce, 8, kAny, 1),
              lower = collective(Collective::allreduce, 8, kAny, 2);
  const Trace coarse = coarsen(trace_of({{upper, end_of_object()},
                                         {upper, end_of_object()},
                                         {lower, end_of_object()},
                                         {lower, end_of_object()}},
                                        rows),
                               CoarseMap{{0, 1, 0, 1}, 2});
  const auto calls = events_of(coarse, 0, EventKind::collective);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].bytes == 16);  // each row's vector
  CHECK(calls[0].communicator == 0);
}

TEST_CASE("coarsen: a chain that goes to and fro between two blocks") {
  // 0 -> 1 -> 2 -> 3 with the even ranks in one block, which must not wait for itself.
  const CoarseMap map{{0, 1, 0, 1}, 2};
  const Trace fine = trace_of({{after(10, send(1, 5)), end_of_object()},
                               {receive(0, 5), after(20, send(2, 6)), end_of_object()},
                               {receive(1, 6), after(30, send(3, 7)), end_of_object()},
                               {receive(2, 7), end_of_object(40)}});
  const Trace coarse = coarsen(fine, map);
  check_conserved(fine, map, coarse);
  CHECK(events_of(coarse, 0, EventKind::send).size() == 2);
}

TEST_CASE("coarsen: load and crossing bytes of any program are what they were") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    skein::lb::Random random(seed);
    const std::uint32_t ranks = 2 + random.below(7);
    const Trace fine = random_program(random, ranks, 150);
    REQUIRE(findings(fine) == "");
    CoarseMap map{{}, 1 + random.below(ranks)};
    for (ObjectIndex rank = 0; rank < ranks; ++rank)
      map.coarse_of.push_back(rank < map.count ? rank : random.below(static_cast<std::uint32_t>(map.count)));
    check_conserved(fine, map, coarsen(fine, map));
  }
}

TEST_CASE("coarsen: what cannot be") {
  CHECK(error_of([] {
          coarsen(trace_of({{receive(1, 8), end_of_object()}, {end_of_object()}}), CoarseMap{{0, 0}, 1});
        }) == "object 0, event 0: waits for ever; `skein trace check` tells what is missing");
  Header header;
  header.native = true;
  CHECK(error_of([&] {
          coarsen(trace_of({{}}, {}, header), CoarseMap{{0}, 1});
        }).starts_with("this is the trace of a native program"));
}

namespace {

// Returns a program of `side` x `side` ranks: each computes 1,000,000 ns / ranks for its part and 2 ns for
// each byte it sends, 8000 / side bytes to each neighbour.
Trace program_with_borders(std::uint32_t side) {
  Streams streams(side * side);
  for (std::uint32_t rank = 0; rank < side * side; ++rank) {
    const std::uint32_t x = rank % side, y = rank / side;
    std::vector<std::int32_t> neighbours;
    if (x > 0) neighbours.push_back(static_cast<std::int32_t>(rank - 1));
    if (x + 1 < side) neighbours.push_back(static_cast<std::int32_t>(rank + 1));
    if (y > 0) neighbours.push_back(static_cast<std::int32_t>(rank - side));
    if (y + 1 < side) neighbours.push_back(static_cast<std::int32_t>(rank + side));
    const std::uint64_t bytes = 8000 / side;
    for (const std::int32_t one : neighbours) streams[rank].push_back(ireceive(one, bytes));
    for (const std::int32_t one : neighbours) streams[rank].push_back(isend(one, bytes));
    streams[rank].push_back(
        after(1'000'000 / (side * side) + 2 * bytes * neighbours.size(), wait_for(2 * neighbours.size())));
    streams[rank].push_back(sync_point(1));
    streams[rank].push_back(end_of_object(0));
  }
  return trace_of(streams);
}

}  // namespace

TEST_CASE("coarsen: another decomposition tells what is left of the work") {
  const Trace fine = program_with_borders(8), between = program_with_borders(4);
  const Grid from{8, 8}, to{2, 2};
  const CoarseMap map = map_grid(from, to, 64);
  const double work = work_left(fine, map, between).all;
  // There are 2 (side - 1) lines between ranks, over each of which go 8000 B in both directions.
  const double fine_ns = 1e6 + 2 * 2 * 7 * 2 * 8000, coarse_ns = 1e6 + 2 * 2 * 1 * 2 * 8000;
  CHECK(work == doctest::Approx(coarse_ns / fine_ns));
  const Trace coarse = coarsen(fine, map, {.all = work});
  // Each burst is rounded.
  CHECK(static_cast<double>(trace_info(coarse).compute_ns) == doctest::Approx(coarse_ns).epsilon(1e-4));
  CHECK(trace_info(coarse).bytes == trace_info(coarsen(fine, map)).bytes);
  // Cells move work from one coarse rank to another, and keep its sum.
  const CoarseMap by_cells = map_cells(from, to, Grid{12, 12}, 64);
  const TraceInfo info = trace_info(coarsen(fine, by_cells, work_left(fine, by_cells, between)));
  CHECK(static_cast<double>(info.compute_ns) == doctest::Approx(coarse_ns).epsilon(1e-4));
  CHECK(info.objects[3].compute_ns > info.objects[0].compute_ns);
}

namespace {

// Returns a program of `side` x `side` ranks with three equal steps and the end: 64 cells of different work.
// Each rank also takes a share that depends on its quarter, least in the last quarter, whose cells are at
// rest.
Trace program_of_quarters(std::uint32_t side) {
  const std::uint32_t cells = 8 / side;
  Streams streams(side * side);
  for (std::uint32_t rank = 0; rank < side * side; ++rank) {
    const std::uint32_t x = rank % side, y = rank / side;
    const bool right = x >= side / 2, low = y >= side / 2, rests = right && low;
    std::uint64_t work = rests ? 300 : 2500 + (right ? 1000 : 0) + (low ? 4000 : 0);
    for (std::uint32_t i = 0; i < cells && !rests; ++i)
      for (std::uint32_t j = 0; j < cells; ++j)
        work += 10'000 + 500 * (x * cells + i) + 900 * (y * cells + j);
    for (int step = 0; step < 3; ++step) streams[rank].push_back(after(work, sync_point(1)));
    streams[rank].push_back(after(300, end_of_object(0)));
  }
  return trace_of(streams);
}

std::vector<std::uint64_t> loads_of(const Trace& trace, ObjectIndex object) {
  std::vector<std::uint64_t> loads{0};
  Cursor cursor = trace.events(object);
  while (const Event* const event = cursor.next()) {
    loads.back() += event->burst_ns;
    if (event->kind == EventKind::sync) loads.push_back(0);
  }
  return loads;
}

}  // namespace

TEST_CASE("coarsen: by grids each rank's work is what the coarse program has") {
  const Trace fine = program_of_quarters(8), between = program_of_quarters(4),
              wanted = program_of_quarters(2);
  const Grid from{8, 8}, to{2, 2};
  const CoarseMap map = map_grid(from, to, 64), other_map = map_grid(grid_between(from, to, 16), to, 16);
  const Trace coarse = coarsen(fine, map, work_left(fine, map, between, other_map));
  for (ObjectIndex rank = 0; rank < 4; ++rank) {
    const std::vector<std::uint64_t> loads = loads_of(coarse, rank), real = loads_of(wanted, rank);
    REQUIRE(loads.size() == real.size());
    for (std::size_t step = 0; step < loads.size(); ++step) {
      CAPTURE(rank);
      CAPTURE(step);
      CHECK(static_cast<double>(loads[step]) ==
            doctest::Approx(static_cast<double>(real[step])).epsilon(1e-3));
    }
  }
}

TEST_CASE("coarsen: a rank takes no less than nothing, however the two recordings differ") {
  // One coarse rank of eight fine ones, and of two, with 1000 ns each; 8 p or 2 p by hand.
  const auto program = [](std::size_t ranks, std::uint64_t work) {
    return trace_of(Streams(ranks, {after(work, sync_point(1)), end_of_object(0)}));
  };
  const auto left_of = [&](std::uint64_t many, std::uint64_t few) {
    const CoarseMap of_eight{std::vector<ObjectIndex>(8), 1}, of_two{std::vector<ObjectIndex>(2), 1};
    const Trace fine = program(8, many);
    return loads_of(coarsen(fine, of_eight, work_left(fine, of_eight, program(2, few), of_two)), 0)[0];
  };
  CHECK(left_of(1000, 2500) == 4500);   // 8000 = a + 8 c and 5000 = a + 2 c: a = 4000, c = 500
  CHECK(left_of(1000, 5000) == 10000);  // c would be -333: it is 0
  CHECK(left_of(1000, 500) == 500);     // a would be -1333: all is the ranks'
}

namespace {

// Returns a program of ranks in a row that take 1000 ns for each of their cells in a step, and 50 ns each.
Trace program_of_cells(const std::vector<std::uint64_t>& cells) {
  Streams streams;
  for (const std::uint64_t mine : cells)
    streams.push_back({after(50 + 1000 * mine, sync_point(1)), end_of_object(0)});
  return trace_of(streams);
}

}  // namespace

TEST_CASE("coarsen: cells that do not divide are whose they are in the coarse run") {
  const CoarseMap map = map_cells(Grid{16}, Grid{4}, Grid{140}, 16);
  // Fine ranks have 9 cells, the last four 8; coarse ranks have 35.
  using Shares = std::vector<std::pair<ObjectIndex, double>>;
  CHECK(map.shares[0] == Shares{{0, 1}});
  CHECK(map.shares[3] == Shares{{0, 8.0 / 9}, {1, 1.0 / 9}});
  CHECK(map.shares[7] == Shares{{1, 7.0 / 9}, {2, 2.0 / 9}});
  CHECK(map.shares[11] == Shares{{2, 6.0 / 9}, {3, 3.0 / 9}});
  CHECK(map.shares[15] == Shares{{3, 1}});
  CHECK(map.coarse_of == map_grid(Grid{16}, Grid{4}, 16).coarse_of);
  // 2 x 4 ranks of 2 x 6 cells: 2, 2, 1, 1 along the second axis, of which a coarse rank has 3.
  const CoarseMap plane = map_cells(Grid{2, 4}, Grid{2, 2}, Grid{2, 6}, 8);
  CHECK(plane.shares[1] == Shares{{0, 0.5}, {1, 0.5}});
  CHECK(plane.shares[5] == Shares{{2, 0.5}, {3, 0.5}});
  CHECK(plane.shares[6] == Shares{{3, 1}});
  // Cells that divide evenly change nothing.
  for (const Shares& all : map_cells(Grid{4}, Grid{2}, Grid{40}, 4).shares) CHECK(all.size() == 1);
}

TEST_CASE("coarsen: by cells a coarse rank has the work of its own") {
  const Trace fine = program_of_cells({2, 2, 2, 2, 1, 1, 1, 1}), between = program_of_cells({3, 3, 3, 3});
  const CoarseMap map = map_cells(Grid{8}, Grid{2}, Grid{12}, 8),
                  other_map = map_cells(Grid{4}, Grid{2}, Grid{12}, 4);
  // The first coarse rank has three ranks' work, and nothing of the fourth rank.
  const Trace shared = coarsen(fine, map, work_left(fine, map));
  CHECK(loads_of(shared, 0)[0] == 3 * 2050);
  CHECK(loads_of(shared, 1)[0] == 2050 + 4 * 1050);
  const Trace coarse = coarsen(fine, map, work_left(fine, map, between, other_map));
  for (const ObjectIndex rank : {0u, 1u}) CHECK(loads_of(coarse, rank)[0] == 6 * 1000 + 50);
  // Half of a rank moves.
  const Trace few = program_of_cells({2, 2, 1, 1});
  const CoarseMap halves = map_cells(Grid{4}, Grid{2}, Grid{6}, 4);
  for (const ObjectIndex rank : {0u, 1u})
    CHECK(loads_of(coarsen(few, halves, work_left(few, halves)), rank)[0] ==
          (rank ? 1025 + 2100 : 2050 + 1025));
}

TEST_CASE("coarsen: cells that cannot be cut like that are refused") {
  CHECK(error_of([] {
          map_cells(Grid{4}, Grid{2}, Grid{40, 40}, 4);
        }).find("2 dimensions, but ranks of 1") != std::string::npos);
  CHECK(error_of([] {
          map_cells(Grid{4, 4}, Grid{2, 2}, Grid{40, 3}, 16);
        }).starts_with("3 cells cannot be cut for 4 ranks"));
}

TEST_CASE("coarsen: the grid between two is the most even one") {
  CHECK(grid_between(Grid{16, 16}, Grid{4, 4}, 64) == Grid{8, 8});
  CHECK(grid_between(Grid{64, 4}, Grid{4, 4}, 64) == Grid{16, 4});
  CHECK(grid_between(Grid{8, 8, 8}, Grid{2, 2, 2}, 64) == Grid{4, 4, 4});
  CHECK(grid_between(Grid{16, 16}, Grid{4, 4}, 50).empty());
}

TEST_CASE("coarsen: traces that do not compare are refused, and more borders never make work") {
  const Trace fine = program_with_borders(8);
  const Grid from{8, 8}, to{2, 2};
  const CoarseMap map = map_grid(from, to, 64);
  CHECK(error_of([&] { work_left(fine, map, fine); }).find("as many bytes") != std::string::npos);
  CHECK(error_of([&] { work_left(fine, map, stencil(4, 4, 3)); }).find("1 and 3 sync points") !=
        std::string::npos);
  // A run with less border and more work.
  Streams streams(2);
  for (std::int32_t rank : {0, 1}) {
    auto& stream = streams[static_cast<std::size_t>(rank)];
    stream.push_back(after(10'000'000, sync_point(1)));
    stream.push_back(end_of_object(0));
  }
  CHECK(work_left(fine, map, trace_of(streams)).all == 1);
  // With grids, the other trace must have fewer ranks and as many sync points.
  CHECK(error_of([&] { work_left(fine, map, fine, map); }).find("it has 64 ranks, and the other 64") !=
        std::string::npos);
  CHECK(error_of([&] {
          work_left(fine, map, stencil(4, 4, 3), map_grid(Grid{4, 4}, to, 16));
        }).find("1 and 3 sync points") != std::string::npos);
}
