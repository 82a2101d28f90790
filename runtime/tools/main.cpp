// SPDX-License-Identifier: Apache-2.0
// The program skein-tools, which `skein lb`, `skein simulate` and their like become: skein-tools TOOL
// WORDS... With --markdown alone it prints the tools' chapters of docs/cli.md.
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/tools/tools.hpp"

namespace skein::tools {
namespace {

using Words = std::span<const char* const>;

constexpr int kDidNotStart = 2;

int print_markdown() {
  for (const options::Tool& tool : all_tools()) fputs(options::tool_markdown(tool).c_str(), stdout);
  return 0;
}

int dispatch(Words words) {
  const std::string_view name = words.empty() ? "" : words[0];
  if (name == "--markdown") return print_markdown();
  for (const options::Tool& tool : all_tools())
    if (tool.name == name) return options::run_tool(tool, words.subspan(1));
  throw Error("skein-tools: call it by skein: skein help lists the commands");
}

}  // namespace
}  // namespace skein::tools

int main(int argc, char** argv) {
  try {
    const int status = skein::tools::dispatch({argv + 1, static_cast<std::size_t>(argc - 1)});
    // A full disk makes a command fail whose output is incomplete.
    return skein::finish_standard_output() || status != 0 ? status : EXIT_FAILURE;
  } catch (const skein::Error& error) {
    fprintf(stderr, "%s\n", error.what());
    return skein::tools::kDidNotStart;
  }
}
