// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/tool.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "runtime/base/error.hpp"
#include "runtime/options/values.hpp"

using namespace skein::options;

namespace {

struct Asked {
  std::vector<std::string> operands;
  std::uint64_t count = 0;
  bool loud = false;
};

Asked last;

using AskedOption = OptionOf<Asked>;

constexpr AskedOption table[] = {
    {"How", 'c', "--count", "", "N", "3", "How often.",
     [](const AskedOption&, Asked& o, std::string_view text) { o.count = parse_count(text, 1, 9); }},
    {"How", 0, "--loud", "", "", "no", "Whether loud.",
     [](const AskedOption&, Asked& o, std::string_view text) { o.loud = parse_switch(text); }},
};

int note(const Asked& asked) {
  last = asked;
  if (asked.operands[0] == "missing") throw std::runtime_error("missing: no such thing");
  if (asked.operands[0] == "wrong") throw std::invalid_argument("'wrong' is not right");
  return asked.operands[0] == "failed" ? 1 : 0;
}

constexpr std::string_view quiet_options[] = {"--count"};
constexpr std::string_view unlisted[] = {"--nothing"};
constexpr SubcommandOf<Asked> several[] = {
    {"say", "WORD [options]", "Says it.", {}, 1, 1, note},
    {"sign", "WORD... [options]", "Signs it.", quiet_options, 1, kAnyNumber, note},
};
constexpr SubcommandOf<Asked> single[] = {{"", "WORD [options]", "", {}, 1, 1, note}};
constexpr SubcommandOf<Asked> broken[] = {{"", "WORD", "", unlisted, 1, 1, note}};

const ToolOf<Asked> talk{"talk", "say|sign ...", "Talks.", "Talks to people.", table, several};
const ToolOf<Asked> shout{
    "shout", "WORD [options]", "Shouts.", "Shouts at people.", table, single, [](Form form) {
      return std::string(form == Form::text ? "\nThe end.\n" : "\n*The end.*\n");
    }};
const ToolOf<Asked> wrong{"wrong", "", "", "", table, broken};

template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(const ToolOf<Asked>& tool, std::vector<const char*> words) {
  return refusal([&] { run_tool(as_tool(tool), words); });
}

}  // namespace

TEST_CASE("tool: words reach the body, and its status comes back") {
  const std::vector<const char*> words = {"say", "--count=5", "hello", "--loud"};
  CHECK(run_tool(as_tool(talk), words) == 0);
  CHECK(last.operands == std::vector<std::string>{"hello"});
  CHECK(last.count == 5);
  CHECK(last.loud);
  const std::vector<const char*> failing = {"failed"};
  CHECK(run_tool(as_tool(shout), failing) == 1);
  CHECK(last.count == 3);
}

TEST_CASE("tool: what is wrong is named with the command's name") {
  CHECK(refusal(talk, {"sig", "x"}) ==
        "skein talk: unknown subcommand 'sig' (did you mean sign?); valid: say, sign");
  CHECK(refusal(talk, {"say"}) == "skein talk say: too few words; usage: skein talk say WORD [options]");
  CHECK(refusal(talk, {"say", "a", "b"}) ==
        "skein talk say: one word too many, 'b'; usage: skein talk say WORD [options]");
  CHECK(refusal(talk, {"sign", "a", "--loud"}) ==
        "skein talk sign: unknown option --loud; skein talk sign --help lists all.");
  CHECK(
      refusal(shout, {"x", "-c", "0"}) ==
      "skein shout: -c 0: '0' is not a whole number from 1 to 9 (--count N; skein shout --help explains it)");
  CHECK(refusal(talk, {"say", "missing"}) == "skein talk say: missing: no such thing");
  CHECK(refusal(shout, {"wrong"}) == "skein shout: 'wrong' is not right");
}

TEST_CASE("tool: what is a defect of Skein is no message about the input") {
  CHECK_THROWS_AS(as_tool(wrong), std::logic_error);
  const auto defect = []() -> int { throw std::logic_error("broken"); };
  CHECK_THROWS_AS(run_named("skein talk", defect), std::logic_error);
}

TEST_CASE("tool: the help of one with subcommands, of a subcommand, and of one without") {
  const Tool tool = as_tool(talk);
  CHECK(tool_help(tool) ==
        "usage: skein talk SUBCOMMAND ...\n\nTalks to people.\n\n"
        "  skein talk say WORD [options]\n      Says it.\n"
        "  skein talk sign WORD... [options]\n      Signs it.\n"
        "\nskein talk SUBCOMMAND --help lists the options of one.\n");
  CHECK(
      subcommand_help(tool.subcommands[1]) ==
      "usage: skein talk sign WORD... [options]\n\nSigns it.\n\nHow\n  -c, --count N  (3)\n      How often.\n"
      "  -h, --help\n      Prints this.\n");
  CHECK(tool_help(as_tool(shout)) ==
        "usage: skein shout WORD [options]\n\nShouts at people.\n\nHow\n  -c, --count N  (3)\n      How "
        "often.\n"
        "  --loud\n      Whether loud.\n  -h, --help\n      Prints this.\n\nThe end.\n");
}

TEST_CASE("tool: the document") {
  CHECK(tool_markdown(as_tool(talk)) ==
        "\n## skein talk\n\nTalks to people.\n\n| subcommand | |\n|---|---|\n| `say WORD [options]` | Says "
        "it. |\n"
        "| `sign WORD... [options]` | Signs it. |\n\n### How\n\n| option | of | default | "
        "|\n|---|---|---|---|\n"
        "| `-c, --count N` | all | `3` | How often. |\n| `--loud` | say | `no` | Whether loud. |\n");
  CHECK(tool_markdown(as_tool(shout)) ==
        "\n## skein shout\n\nShouts at people.\n\n### How\n\n| option | default | |\n|---|---|---|\n"
        "| `-c, --count N` | `3` | How often. |\n| `--loud` | `no` | Whether loud. |\n\n*The end.*\n");
}
