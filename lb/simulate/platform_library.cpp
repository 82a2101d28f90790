// SPDX-License-Identifier: Apache-2.0
// Platforms by name: the files of lb/simulate/platforms, whose text the build puts into the library.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lb/simulate/platform_texts.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/platform.hpp"

namespace skein::simulate {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw PlatformError(path + " cannot be read: " + std::strerror(errno));
  return std::move(text).str();
}

}  // namespace

std::vector<std::string> known_platforms() {
  std::vector<std::string> names;
  for (const PlatformText& known : platform_texts()) names.emplace_back(known.name);
  return names;
}

Platform load_platform(const std::string& path_or_name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const PlatformText& known : platform_texts()) {
    if (known.name == path_or_name) return parse_platform(std::string(known.text), path_or_name);
    names.push_back(known.name);
    list.append(list.empty() ? "" : ", ").append(known.name);
  }
  if (!std::ifstream(path_or_name) && path_or_name.find('/') == path_or_name.npos)
    throw PlatformError("there is neither a file nor a platform of the name " + lb::quoted(path_or_name) +
                        lb::did_you_mean(path_or_name, names) + "; platforms are " + list +
                        ", and `skein calibrate -o FILE` makes one of this machine");
  if (std::filesystem::is_directory(path_or_name))
    throw PlatformError(path_or_name + " is a folder: name the file in it that describes the platform");
  return parse_platform(read_file(path_or_name), path_or_name);
}

}  // namespace skein::simulate
