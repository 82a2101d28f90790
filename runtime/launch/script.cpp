// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/script.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/launch/files.hpp"

namespace skein::launch {
namespace {

constexpr int kMostScripts = 4;  // as many as Linux follows: an interpreter may be a script
constexpr std::string_view kShells[] = {"sh", "bash", "dash", "ksh", "zsh", "csh", "tcsh", "fish"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Returns the first line of a script, without its mark; empty for any other file.
std::string interpreter_line(const std::string& path) {
  std::string line;
  std::ifstream file(path, std::ios::binary);
  char mark[2] = "";
  if (file.read(mark, 2) && std::string_view(mark, 2) == "#!") std::getline(file, line);
  return line;
}

/// Splits the line, like Linux, into the interpreter and all that follows it as one word.
std::vector<std::string> words_of(const std::string& script, const std::string& line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos) throw Error(script + " is a script whose first line names no interpreter");
  const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
  std::vector<std::string> words{line.substr(begin, end - begin)};
  const std::size_t rest = line.find_first_not_of(blanks, end);
  if (rest == std::string::npos) return words;
  words.push_back(line.substr(rest, line.find_last_not_of(blanks) + 1 - rest));
  return words;
}

/// Returns what `env NAME`, or `env -S NAME ARGUMENT...`, would start.
std::vector<std::string> named_to_env(const std::string& script, const std::vector<std::string>& words) {
  std::istringstream rest(words.size() > 1 ? words[1] : "");
  std::vector<std::string> named;
  for (std::string word; rest >> word;)
    if (word != "-S") named.push_back(word);
  if (named.empty() || named[0].starts_with('-') || named[0].find('=') != std::string::npos)
    throw Error(
        script +
        " is a script for env with options or variables: name the interpreter: skein run ... INTERPRETER " +
        script);
  return named;
}

}  // namespace

void follow_script(RunOptions& run) {
  for (int followed = 0;; ++followed) {
    const std::string script = run.program, line = interpreter_line(script);
    if (line.empty()) return;
    if (followed == kMostScripts) throw Error(script + " is a script of a script, too many times over");
    std::vector<std::string> words = words_of(script, line);
    if (file_name(words[0]) == "env") words = named_to_env(script, words);
    const std::string_view name = file_name(words[0]);
    if (std::ranges::find(kShells, name) != std::end(kShells))
      throw Error(script + " is a script of " + std::string(name) +
                  ", which starts other programs, and ranks start none: name the program that it starts (for "
                  "a shim of pyenv, what \"pyenv which " +
                  std::string(file_name(script)) + "\" prints)");
    run.program = resolve_program(words[0]);
    words.erase(words.begin());
    words.push_back(script);
    run.args.insert(run.args.begin(), words.begin(), words.end());
  }
}

}  // namespace skein::launch
