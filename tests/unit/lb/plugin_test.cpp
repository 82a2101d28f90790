// SPDX-License-Identifier: Apache-2.0
// Strategies from shared libraries; the libraries of plugins/ are built beside this test.
#include "lb/plugin.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using doctest::Contains;

namespace {

std::string library(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / ("libplugin_" + name + ".so"))
      .string();
}

// Object 1 is pinned.
Snapshot make_three() {
  Snapshot snapshot = test::make_snapshot(3, {1, 2, 3}, {0, 0, 0});
  snapshot.objects.migratable[1] = 0;
  snapshot.objects.splittable.assign(3, 1);
  return snapshot;
}

Selection parse(const std::string& strategy) { return parse_strategy(library("good") + ":" + strategy); }

}  // namespace

TEST_CASE("library: a strategy with its keys, as those of the table") {
  CHECK(parse("gather").assign(make_three(), 1) == Assignment{1, 0, 1});
  CHECK(parse("gather:to=2").assign(make_three(), 1) == Assignment{2, 0, 2});
  CHECK_THROWS_WITH_AS(parse("gather:to=-1"), Contains("it must be an integer from 0 to 1000"),
                       StrategyError);
  CHECK_THROWS_WITH_AS(parse("gather:by=1"), "strategy 'gather' has no key 'by'; valid: to", StrategyError);
  CHECK_THROWS_WITH_AS(parse("gathr"),
                       Contains("unknown strategy 'gathr' (did you mean gather?); valid: gather, throws"),
                       StrategyError);
  CHECK_THROWS_WITH_AS(parse_strategy(library("good")), Contains("unknown strategy ''; valid: gather"),
                       StrategyError);
}

TEST_CASE("library: the memory limit holds for it as for all") {
  Snapshot snapshot = make_three();
  snapshot.pes.memory_bytes = {300, 150, 100};
  CHECK(parse("gather").assign(snapshot, 1) == Assignment{2, 0, 1});
}

TEST_CASE("library: what it does wrong is reported with the strategy's name") {
  const auto error_of = [](const std::string& strategy) -> std::string {
    try {
      parse(strategy).decide(make_three(), 1);
    } catch (const StrategyError& error) {
      return error.what();
    }
    return "nothing";
  };
  CHECK(error_of("throws") == "strategy 'throws' of a library threw an exception: no idea");
  CHECK(error_of("throws-number") ==
        "strategy 'throws-number' of a library threw something that is no std::exception");
  CHECK(error_of("too-short") ==
        "strategy 'too-short' of a library returned a bad assignment: it is for 1 objects, and there are 3");
  CHECK(error_of("gather:to=9") ==
        "strategy 'gather' of a library returned a bad assignment: object 0 is to go to PE 9, and there are "
        "only 3");
  CHECK(error_of("unpins") ==
        "strategy 'unpins' of a library returned a bad assignment: object 1 is pinned to PE 0");
  CHECK(error_of("oversplits") ==
        "strategy 'oversplits' of a library returned a bad assignment: it splits 0.700000 off object 0 for "
        "PE 2");
}

TEST_CASE("library: missing, no plug-in, another version") {
  CHECK_THROWS_WITH_AS(
      parse_strategy("./no_such.so:mine"),
      Contains("strategy library './no_such.so': cannot be loaded: ./no_such.so: cannot open"),
      StrategyError);
  CHECK_THROWS_WITH_AS(parse_strategy("no_such.so:mine"), Contains("cannot be loaded"), StrategyError);
  CHECK_THROWS_WITH_AS(
      parse_strategy(library("no_plugin") + ":mine"),
      Contains("has no function skein_lb_plugin; SKEIN_LB_PLUGIN of skein/lb/plugin.hpp makes it"),
      StrategyError);
  CHECK_THROWS_WITH_AS(parse_strategy(library("other_version") + ":mine"),
                       Contains("is built for version 99 (1/2/3/4) of the interface, this is version 1 ("),
                       StrategyError);
}

TEST_CASE("library: which texts name one") {
  CHECK(names_library("./libmine.so:mine"));
  CHECK(names_library("libmine.so:mine:key=1"));
  CHECK(names_library("/opt/strategies/mine:mine"));
  CHECK(!names_library("greedy"));
  CHECK(!names_library("offline:file=./a.so"));
}
