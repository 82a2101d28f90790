// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/base/error.hpp"

namespace skein::launch {

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0)
    throw Error(format("skein: cannot read /proc/self/exe: %s; is /proc mounted?", strerror(errno)));
  return std::string(path, static_cast<std::size_t>(length));
}

void open_closed_input() {
  if (fcntl(STDIN_FILENO, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);  // which gets the lowest number
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::string_view word = text.substr(at, text.find(' ', at) - at);
    words.emplace_back(word);
    at += word.size();
  }
  return words;
}

std::string join_words(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void replace_process(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
}

}  // namespace skein::launch
