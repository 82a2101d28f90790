// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/strategy.hpp"
#include "skein/lb/model.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/strategy_error.hpp"

using namespace skein::lb;
using test::error_of;

TEST_CASE("strategies: the table has unique names, summaries, and keys with help and valid defaults") {
  std::set<std::string_view> names;
  for (const StrategyInfo& info : strategies()) {
    CAPTURE(info.name);
    CHECK(names.insert(info.name).second);
    CHECK(!info.summary.empty());
    if (!why_unavailable(info).empty()) continue;
    CHECK_NOTHROW(parse_strategy(info.name));
    for (const Key& key : info.keys) {
      CHECK(!key.help.empty());
      const std::string with_default =
          std::string(info.name) + ":" + std::string(key.name) + "=" + std::string(key.default_text);
      CHECK(error_of(with_default) == "");
    }
  }
}

TEST_CASE("strategies: keys are set by name, others keep their defaults") {
  CHECK(parse_strategy("rotate").options.integer("by") == 1);
  CHECK(parse_strategy("rotate:by=3").options.integer("by") == 3);
  CHECK(parse_strategy("refine:tolerance=1.25").options.real("tolerance") == 1.25);
}

TEST_CASE("strategies: an error names the fault and lists what is valid") {
  const std::string unknown = error_of("greedi");
  CHECK(unknown.find("unknown strategy 'greedi' (did you mean greedy?); valid: none, ") == 0);
  for (const StrategyInfo& info : strategies()) CHECK(unknown.find(info.name) != std::string::npos);
  CHECK(error_of("").find("unknown strategy ''") == 0);
  CHECK(error_of("rotate:step=2") == "strategy 'rotate' has no key 'step'; valid: by");
  CHECK(error_of("none:by=1") == "strategy 'none' has no key 'by'; it has none");
  CHECK(error_of("rotate:") == "strategy 'rotate': '' is not of the form key=value; valid: by");
  CHECK(error_of("rotate:by=1,by=2") == "strategy 'rotate': key 'by' is given twice");
  CHECK(error_of("rotate:by=-1").find("key 'by' is '-1'; it must be an integer from 0 to") !=
        std::string::npos);
  CHECK(error_of("rotate:by=1.5").find("it must be an integer") != std::string::npos);
  CHECK(error_of("refine:tolerance=0.5").find("it must be a number from 1 to 10") != std::string::npos);
  CHECK(error_of("refine:tolerance=nan").find("it must be a number from 1 to 10") != std::string::npos);
  CHECK(error_of("refine:tolerance=1x").find("is '1x'") != std::string::npos);
}

TEST_CASE("strategies: one that needs data which the snapshot lacks says so") {
  Snapshot snapshot = test::make_snapshot(test::Kind{"plain", 10, 2}, 1);
  snapshot.graph = {};
  snapshot.objects.position.clear();
  for (const StrategyInfo& info : strategies()) {
    CAPTURE(info.name);
    if (!why_unavailable(info).empty()) continue;
    const bool needs = info.traits & (needs_graph | needs_positions | needs_interactions) ||
                       !parse_strategy(info.name).missing_key().empty();
    if (needs) CHECK_THROWS_AS(parse_strategy(info.name).assign(snapshot, 1), MissingData);
    if (!needs) CHECK_NOTHROW(parse_strategy(info.name).assign(snapshot, 1));
  }
}

TEST_CASE("strategies: asking for an undeclared key or another type is a defect") {
  const Selection rotate = parse_strategy("rotate");
  CHECK_THROWS_AS(rotate.options.integer("step"), std::logic_error);
  CHECK_THROWS_AS(rotate.options.real("by"), std::logic_error);
}

// A new strategy is a candidate of auto only if its line says so.
TEST_CASE("strategies: auto chooses among those of the table that say so") {
  const Snapshot snapshot = test::make_snapshot(test::Kind{"plain", 10, 2}, 1);
  std::set<std::string_view> names, expected;
  for (const Selection& candidate : candidates_for(snapshot)) {
    names.insert(candidate.info->name);
    // auto itself weighs when to balance.
    if (candidate.options.declares(kTriggerKey, KeyType::real))
      CHECK(candidate.options.real(kTriggerKey) == 1);
  }
  for (const StrategyInfo& info : strategies())
    if ((info.traits & for_auto) && why_unavailable(info).empty()) expected.insert(info.name);
  CHECK(names == expected);
  for (const char* name : {"none", "rotate", "random", "offline", "enzo"}) CHECK(!names.contains(name));
  for (const char* name : {"greedy", "refine", "diffusion", "move-split"}) CHECK(names.contains(name));
}

TEST_CASE("strategies: options take values") {
  Selection selection = with_defaults(*find_strategy("enzo"));
  CHECK(selection.options.declares("ratio", KeyType::real));
  CHECK(!selection.options.declares("ratio", KeyType::integer));
  CHECK(!selection.options.declares("reason", KeyType::real));
  selection.options.set("ratio", 1.25);
  CHECK(selection.options.real("ratio") == 1.25);
  CHECK_THROWS_AS(selection.options.set("reason", 1), std::logic_error);
  CHECK(find_strategy("metal") == nullptr);
}

TEST_CASE("strategy: what may call MPI is named, by itself or by a key") {
  for (const char* text : {"zoltan", "zoltan:approach=repartition", "hyper", "hyper:pins=8", "auto",
                           "auto:x=1", "hierarchical:node=zoltan", "hierarchical:pe=refine,node=hyper"})
    CHECK_MESSAGE(may_call_mpi(text), text);
  for (const char* text : {"greedy", "diffusion:graph=hypercube", "hierarchical", "offline:file=zoltans", ""})
    CHECK_MESSAGE(!may_call_mpi(text), text);
}
