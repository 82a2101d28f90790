// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/tools_program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/process.hpp"

namespace skein::launch {
namespace {

std::string tools_path() {
  const std::string self = own_path();
  return self.substr(0, self.rfind('/') + 1) + build_info::libexec_dir + "/skein-tools";
}

Error cannot_start(const std::string& path) {
  return Error("skein: cannot start " + path + ": " + strerror(errno) +
               "; is the installation whole? Of packages it is skein-tools");
}

}  // namespace

void become_tool(std::string_view tool, std::span<const char* const> words) {
  std::vector<std::string> command{tools_path(), std::string(tool)};
  command.insert(command.end(), words.begin(), words.end());
  replace_process(command);
  throw cannot_start(command.front());
}

std::string tools_markdown() {
  const std::string path = tools_path();
  FILE* const printed = popen(("'" + path + "' --markdown").c_str(), "r");
  if (!printed) throw cannot_start(path);
  std::string text;
  char part[4096];
  for (std::size_t length; (length = fread(part, 1, sizeof part, printed)) > 0;) text.append(part, length);
  if (pclose(printed) != 0) throw Error("skein: " + path + " --markdown failed; is the installation whole?");
  return text;
}

}  // namespace skein::launch
