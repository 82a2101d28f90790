// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/mode.hpp"

#include <doctest/doctest.h>

#include <string>

#include "skein/lb/strategy.hpp"

using namespace skein::lb;

namespace {

std::string refusal(std::string_view text) {
  try {
    (void)parse_mode(text);
  } catch (const StrategyError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("mode: all decide, and wait, unless another mode is named") {
  const Mode mode = parse_mode("inline");
  CHECK(mode.kind == Mode::Kind::inline_all);
  CHECK(mode.reserved_pes() == 0);
}

TEST_CASE("mode: one PE decides unless another number does, and lazily none that computes") {
  CHECK(parse_mode("decoupled").kind == Mode::Kind::decoupled);
  CHECK(parse_mode("decoupled").deciding_pes == 1);
  CHECK(parse_mode("decoupled").reserved_pes() == 0);
  CHECK(parse_mode("decoupled:pes=4").deciding_pes == 4);
  CHECK(parse_mode("decoupled:pes=4").reserved_pes() == 0);
  CHECK(parse_mode("decoupled:reserved").reserved_pes() == 1);
  CHECK(parse_mode("decoupled:pes=4,reserved").reserved_pes() == 4);
  CHECK(parse_mode("lazy:pes=3").deciding_pes == 3);
  CHECK(parse_mode("lazy").reserved_pes() == 1);
  CHECK(parse_mode("lazy:pes=3,wait=never").reserved_pes() == 3);
}

TEST_CASE("mode: a thread decides where no PE is reserved") {
  const Mode mode = parse_mode("lazy:thread");
  CHECK(mode.is_lazy());
  CHECK(mode.thread);
  CHECK(mode.deciding_pes == 0);
  CHECK(mode.reserved_pes() == 0);
}

TEST_CASE("mode: how long a lazy job goes on without an answer") {
  CHECK(parse_mode("lazy").wait == std::nullopt);
  CHECK(parse_mode("lazy:wait=never").wait == std::nullopt);
  CHECK(parse_mode("lazy:wait=always").wait == 0);
  CHECK(parse_mode("lazy:wait=7").wait == 7);
}

TEST_CASE("mode: what becomes of a job that gets no answer") {
  CHECK(parse_mode("lazy").patience_s == 60);
  CHECK_FALSE(parse_mode("lazy").ends_if_silent);
  const Mode mode = parse_mode("lazy:patience=2.5,silent=end");
  CHECK(mode.patience_s == 2.5);
  CHECK(mode.ends_if_silent);
  const Mode apart = parse_mode("decoupled:reserved,pes=2,patience=3,silent=end");
  CHECK(apart.reserved_pes() == 2);
  CHECK(apart.patience_s == 3);
  CHECK(apart.ends_if_silent);
  CHECK(to_string(apart) == "decoupled:reserved,pes=2,patience=3,silent=end");
}

TEST_CASE("mode: what is wrong is named, with what is valid") {
  CHECK(refusal("eager") == "unknown mode 'eager'; valid: inline, decoupled, lazy");
  CHECK(refusal("").find("unknown mode ''") == 0);
  CHECK(refusal("inline:pes=1").find("mode 'inline' has no key 'pes'") == 0);
  CHECK(refusal("decoupled:wait=3").find("mode 'decoupled' has no key 'wait'; valid: pes") == 0);
  CHECK(refusal("decoupled:pes=0").find("from 1 to 65535") != std::string::npos);
  CHECK(refusal("decoupled:patience=3").find("add 'reserved'") != std::string::npos);
  CHECK(refusal("decoupled:silent=end").find("add 'reserved'") != std::string::npos);
  CHECK(refusal("lazy:pes=x").find("key 'pes' is 'x'") != std::string::npos);
  CHECK(refusal("lazy:wait=0").find("never, always, or a number of sync points") != std::string::npos);
  CHECK(refusal("lazy:wait=auto")
            .find("was removed, since it took no less time than never; it must be never, always") !=
        std::string::npos);
  CHECK(refusal("lazy:wait=-1").find("key 'wait' is '-1'") != std::string::npos);
  CHECK(refusal("lazy:wait=2x").find("key 'wait' is '2x'") != std::string::npos);
  CHECK(refusal("lazy:thread,pes=2").find("leave one of them out") != std::string::npos);
  CHECK(refusal("lazy:silent=wait").find("valid: go-on, end") != std::string::npos);
}

TEST_CASE("mode: as text, which means the same") {
  CHECK(to_string(parse_mode("inline")) == "inline");
  CHECK(to_string(parse_mode("decoupled")) == "decoupled:pes=1");
  CHECK(to_string(parse_mode("lazy")) == "lazy:pes=1");
  for (const char* const text : {"decoupled:pes=3", "decoupled:reserved,pes=3", "lazy:pes=2,wait=10",
                                 "lazy:pes=1,wait=always", "lazy:thread,patience=0.5,silent=end"})
    CHECK(to_string(parse_mode(text)) == text);
}
