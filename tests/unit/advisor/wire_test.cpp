// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/wire.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein;
namespace wire = advisor::wire;

TEST_CASE("advisor: a question and an answer come out as they went in") {
  wire::Question question;
  question.kind = wire::Kind::apply;
  question.member = 3;
  question.steps = 12;
  question.options = {50, 4, "hyper:pins=8"};
  const std::vector<AdvisorElement> elements{{5, 2, 100}, {9, 6, 200}};
  const std::vector<AdvisorEdge> edges{{5, 9, 8}};
  const std::vector<std::array<float, 3>> positions{{1, 2, 3}, {4, 5, 6}};
  const std::vector<AdvisorInteraction> interactions{{{9, 5}, 32}, {{5}, 1}};
  advisor::ProcessReport told;
  const wire::Question back = wire::unpack_question(
      wire::pack(question, advisor::told_by({elements, edges, positions, 4, 12, interactions})), told);
  CHECK(back.kind == wire::Kind::apply);
  CHECK(back.member == 3);
  CHECK(back.steps == 12);
  CHECK(back.options.horizon_steps == 50);
  CHECK(back.options.seed == 4);
  CHECK(back.options.strategy == "hyper:pins=8");
  REQUIRE(told.records.size() == 2);
  CHECK(told.counts == std::vector<int>{2});
  CHECK(told.records[1].id == 9);
  CHECK(told.records[1].load == doctest::Approx(3));  // 6 of 8 weights of 4 s
  CHECK(told.records[1].position == std::array<float, 3>{4, 5, 6});
  REQUIRE(told.edges.size() == 1);
  CHECK(told.edges[0].to == 9);
  CHECK(told.joined == std::vector<std::uint64_t>{9, 5, 5});
  REQUIRE(told.interactions.size() == 2);
  CHECK(told.interactions[0].bytes == 32);
  CHECK(told.interactions[0].elements == 2);
  CHECK(told.interactions[1].elements == 1);

  wire::Answer answer;
  answer.error = "";
  answer.advice.balance = true;
  answer.advice.strategy = "rcb";
  answer.advice.process = {2, 0};
  answer.advice.table = "a line\n";
  answer.advice.drift.come = 4;
  const wire::Answer came = wire::unpack_answer(wire::pack(answer));
  CHECK(came.error.empty());
  CHECK(came.advice.balance);
  CHECK(came.advice.strategy == "rcb");
  CHECK(came.advice.process == std::vector<int>{2, 0});
  CHECK(came.advice.table == "a line\n");
  CHECK(came.advice.drift.come == 4);
}
