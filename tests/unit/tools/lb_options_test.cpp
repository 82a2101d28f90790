// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/lb_command.hpp"

#include <doctest/doctest.h>

#include "runtime/base/error.hpp"

using namespace skein::tools;
namespace options = skein::options;

namespace {

const options::SubcommandOf<LbOptions>& subcommand(std::string_view name) {
  for (const auto& each : lb_tool().subcommands)
    if (each.name == name) return each;
  throw std::logic_error("no such subcommand");
}

LbOptions parse(std::string_view name, std::vector<const char*> words) {
  return options::parse(lb_tool(), subcommand(name), words).value();
}

std::string refusal(std::string_view name, std::vector<const char*> words) {
  try {
    parse(name, std::move(words));
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(std::vector<const char*> words) {
  try {
    options::run_tool(options::as_tool(lb_tool()), words);
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("lb options: options and files in any order") {
  const LbOptions asked = parse("compare", {"a.json", "--pes=64", "b.json", "--phase", "3", "--strategies",
                                            "greedy,refine:tolerance=1.1", "--move-byte", "2e-9", "--json"});
  CHECK(asked.operands == std::vector<std::string>{"a.json", "b.json"});
  CHECK(asked.pes == 64);
  CHECK(asked.phase->which == LbPhase::Which::one);
  CHECK(asked.phase->id == 3);
  CHECK(asked.strategies == "greedy,refine:tolerance=1.1");
  CHECK(asked.cost.byte_s == 2e-9);
  CHECK(asked.json);
  CHECK(parse("metrics", {"--", "--json"}).operands == std::vector<std::string>{"--json"});
}

TEST_CASE("lb options: defaults") {
  const LbOptions asked = parse("compare", {"f"});
  CHECK_FALSE(asked.phase);
  CHECK(asked.strategies == "all");
  CHECK(asked.steps == 100);
  CHECK(asked.cost.object_s == 1e-4);
  CHECK(asked.load_model.changes_nothing());
  CHECK(parse("generate", {"mesh2d"}).seed == 1);
}

TEST_CASE("lb options: what is wrong is named") {
  CHECK(refusal("compare", {"f", "--pes", "0"}) ==
        "skein lb compare: --pes 0: '0' is not a whole number from 1 to 1000000 (--pes P; skein lb compare "
        "--help explains it)");
  CHECK(refusal("compare", {"f", "--phase", "first"}).find("'first' is not a whole number") !=
        std::string::npos);
  CHECK(refusal("compare", {"f", "--lb-model", "mean"})
            .find("unknown load model 'mean' (did you mean median?); valid: last") != std::string::npos);
  CHECK(refusal("compare", {"f", "--steps", "-1"}).find("'-1' is not a number from 0 to 1e+12") !=
        std::string::npos);
  CHECK(refusal("compare", {"f", "--strategy", "greedy"}) ==
        "skein lb compare: unknown option --strategy (did you mean --strategies?); skein lb compare --help "
        "lists all.");
  CHECK(refusal("compare", {}) ==
        "skein lb compare: too few words; usage: skein lb compare FILE... [options]");
  CHECK(refusal("convert", {"one"}).starts_with("skein lb convert: too few words"));
  CHECK(refusal("generate", {"mesh2d", "mesh3d"})
            .starts_with("skein lb generate: one word too many, 'mesh3d'"));
}

TEST_CASE("lb options: what a command cannot do is named") {
  CHECK(refusal({"compar"}) ==
        "skein lb: unknown subcommand 'compar' (did you mean compare?); valid: compare, metrics, apply, "
        "convert, generate");
  CHECK(refusal({"metrics", "/no/file"}) ==
        "skein lb metrics: /no/file: cannot be opened: No such file or directory");
  CHECK(refusal({"generate", "mesh2d", "--pes", "2", "-o", "/tmp/x"}) ==
        "skein lb generate: --objects N is missing");
  CHECK(refusal({"generate", "mesh2d", "--objects", "2", "-o", "/tmp/x"}) ==
        "skein lb generate: --pes P is missing");
  CHECK(refusal({"generate", "mesh2d", "--objects", "2", "--pes", "1"}) ==
        "skein lb generate: --output FILE is missing");
}
