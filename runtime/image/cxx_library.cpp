// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/cxx_library.hpp"

#include <ios>
#include <sstream>

namespace skein::image {
namespace {

template <class Character>
void use_numbers() {
  std::basic_stringstream<Character> stream;
  stream << 1 << ' ' << 1.5 << ' ' << true;
  int i;
  double d;
  stream >> i >> d;
}

}  // namespace

void prepare_cxx_library() {
  static const std::ios_base::Init streams;
  use_numbers<char>();
  use_numbers<wchar_t>();
}

std::span<const std::string_view> standard_streams() {
  static constexpr std::string_view names[] = {"_ZSt3cin",  "_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",
                                               "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"};
  return names;
}

}  // namespace skein::image
