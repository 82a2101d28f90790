// SPDX-License-Identifier: Apache-2.0
#include "lb/report/trace_regions.hpp"

#include <doctest/doctest.h>

using namespace skein;
using trace::EventKind;

namespace {

// Returns a run of one rank with regions, each event 10 ns after the one before: "name" begins a region,
// "/name" ends it.
report::Run run_of(const std::vector<std::string>& events) {
  trace::TraceBuilder builder(trace::Header{}, 1);
  for (std::string name : events) {
    trace::Event event;
    event.kind = name[0] == '/' ? EventKind::region_end : EventKind::region_begin;
    if (name[0] == '/') name.erase(0, 1);
    const std::uint64_t number = builder.name(name);
    event.list = {&number, 1};
    event.burst_ns = 10;
    builder.add(0, event);
  }
  builder.add(0, trace::Event{});
  const trace::Trace trace = std::move(builder).finish();
  report::TraceRegions regions(trace);
  std::uint64_t now_ns = 0;
  trace::Cursor cursor = trace.events(0);
  while (const trace::Event* const event = cursor.next()) regions.add(0, *event, now_ns += event->burst_ns);
  regions.end_object(0, now_ns);
  report::Run run;
  regions.finish(run);
  return run;
}

// Returns the regions of a lane as "name 10-20, ...".
std::string lane(const report::Run& run, std::size_t number) {
  std::string text;
  for (const report::Span& span : run.regions.at(number))
    text += (text.empty() ? "" : ", ") + run.names.at(span.what) + " " + std::to_string(span.begin_ns) + "-" +
            std::to_string(span.end_ns);
  return text;
}

}  // namespace

TEST_CASE("regions: what is inside of another is in the next lane") {
  const report::Run run = run_of({"step", "solve", "/solve", "halo", "/halo", "/step", "step", "/step"});
  REQUIRE(run.regions.size() == 2);
  CHECK(lane(run, 0) == "step 10-60, step 70-80");
  CHECK(lane(run, 1) == "solve 20-30, halo 40-50");
  REQUIRE(run.region_sums.size() == 3);
  CHECK(run.region_sums[0].times == 2);
  CHECK(run.region_sums[0].compute_s == doctest::Approx(60e-9));
}

TEST_CASE("regions: those that are not one in another, or inside themselves, or without an end") {
  CHECK(lane(run_of({"a", "b", "/a", "c", "/b", "/c"}), 0) == "a 10-30, c 40-60");
  CHECK(lane(run_of({"a", "b", "/a", "c", "/b", "/c"}), 1) == "b 20-50");
  const report::Run itself = run_of({"a", "a", "/a", "/a", "/a"});
  REQUIRE(itself.regions.size() == 1);
  CHECK(lane(itself, 0) == "a 10-40");
  CHECK(lane(run_of({"a", "b", "/b"}), 0) == "a 10-30");  // the end of a has no burst
}

TEST_CASE("regions: deeper ones than can be drawn are said to be there, and are in the sums") {
  std::vector<std::string> events;
  for (char name = 'a'; name < 'k'; ++name) events.emplace_back(1, name);
  const report::Run run = run_of(events);
  CHECK(run.regions.size() == 6);
  CHECK(run.region_sums.size() == 10);
  CHECK(run.timeline_note.find("6 levels") != std::string::npos);
}

TEST_CASE("regions: a trace without names has none") {
  CHECK(run_of({}).regions.empty());
  CHECK(run_of({}).names.empty());
}
