// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/tools/names.hpp"

using namespace skein;

TEST_CASE("tools: each option belongs to a subcommand, and help and document have all of them") {
  for (const options::Tool& tool : tools::all_tools()) {
    CAPTURE(tool.name);
    const std::string document = options::tool_markdown(tool);
    for (const options::OptionText* option : tool.options) {
      CAPTURE(option->name);
      CHECK(std::ranges::any_of(tool.subcommands, [&](const options::Tool::Subcommand& each) {
        return std::ranges::count(each.options, option) == 1;
      }));
      CHECK(document.find(option->name) != std::string::npos);
    }
    for (const options::Tool::Subcommand& each : tool.subcommands) {
      const std::string help =
          tool.has_subcommands() ? options::subcommand_help(each) : options::tool_help(tool);
      for (const options::OptionText* option : each.options)
        CHECK(help.find(option->name) != std::string::npos);
    }
  }
}

TEST_CASE("tools: skein lists those that there are") {
  CHECK(std::ranges::equal(tools::all_tools(), tools::names::kAll, {}, &options::Tool::name,
                           &options::ToolName::name));
}

TEST_CASE("tools: names and letters of a subcommand's options differ") {
  for (const options::Tool& tool : tools::all_tools())
    for (const options::Tool::Subcommand& each : tool.subcommands)
      for (const options::OptionText* option : each.options) {
        CAPTURE(each.command);
        CAPTURE(option->name);
        CHECK(std::ranges::count(each.options, option->name, &options::OptionText::name) == 1);
        if (option->letter)
          CHECK(std::ranges::count(each.options, option->letter, &options::OptionText::letter) == 1);
      }
}
