// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/interpreter.hpp"

#include <elf.h>

#include <filesystem>
#include <fstream>
#include <regex>

namespace skein::image {
namespace {

bool is_at_fixed_address(const std::string& path) {
  Elf64_Ehdr header{};
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return header.e_type == ET_EXEC;
}

}  // namespace

std::optional<Interpreter> interpreter_at_fixed_address(const std::string& program) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(program, error);
  static const std::regex python("python(3\\.[0-9]+)");
  std::smatch version;
  const std::string name = file.filename();
  if (error || !std::regex_match(name, version, python) || !is_at_fixed_address(file)) return std::nullopt;
  return Interpreter{"libpython" + version[1].str() + ".so.1.0",
                     {"libcrypto.so.3", "libssl.so.3", "libquadmath.so.0"}};
}

}  // namespace skein::image
