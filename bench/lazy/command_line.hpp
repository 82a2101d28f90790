// SPDX-License-Identifier: Apache-2.0
// The command lines of this folder's programs: words, and options that each have a value.
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench_lazy {

// Calls take(word, value) for each word. value() returns the next word, which then gets no call of its own,
// and throws std::invalid_argument if there is none.
template <class Take>
void read_command_line(int argc, char** argv, const Take& take) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    take(word, [&] {
      if (i + 1 == argc) throw std::invalid_argument(word + " wants a value");
      return std::string(argv[++i]);
    });
  }
}

// Returns the numbers of a list with commas.
template <class Number>
std::vector<Number> numbers(const std::string& text) {
  std::vector<Number> list;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');)
    list.push_back(static_cast<Number>(std::stod(part)));
  return list;
}

}  // namespace bench_lazy
