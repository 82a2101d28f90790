// SPDX-License-Identifier: Apache-2.0
// The protocol of lazy balancing where the PE that decides does not answer, for a while or for good.
#include <doctest/doctest.h>

#include "lazy_explorer.hpp"

using namespace lazy_model;

TEST_CASE("lazy protocol: a job goes on without a PE that does not answer, and with it when it does again") {
  for (const Wait& wait : all_waits()) {
    CHECK(Explorer({.pe_of = {1}, .lasts = {2}, .wait = wait, .losses = 1}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {1, 1}, .wait = wait, .tight = true, .losses = 1}).states() >
          500);
  }
}

// Once the PE has stopped it is lost, whatever happened before.
TEST_CASE("lazy protocol: a job ends though the PE that decides has stopped for good") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {1}, .lasts = {2}, .wait = wait, .losses = 1, .stops = true}).states() > 500);
}
