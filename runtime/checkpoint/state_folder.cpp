// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/state_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kValid = "state-", kWriting = ".writing-", kSpare = ".spare-",
                           kManifest = "manifest.json";

[[noreturn]] void failed(const std::string& path, const char* what, int error) {
  throw Error(format("%s: cannot be %s: %s", path.c_str(), what, strerror(error)));
}

std::optional<std::uint64_t> number_in(std::string_view name, std::string_view beginning) {
  if (!name.starts_with(beginning)) return std::nullopt;
  name.remove_prefix(beginning.size());
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  return code == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

std::string numbered(const std::string& folder, std::string_view beginning, std::uint64_t number) {
  return folder + "/" + std::string(beginning) + format("%06llu", static_cast<unsigned long long>(number));
}

/// Returns the numbers of the valid states, ascending; none if there is no such folder.
std::vector<std::uint64_t> valid_numbers(const std::string& folder) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (const auto number = number_in(entry.path().filename().string(), kValid)) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

bool is_state(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path + "/" + std::string(kManifest), error);
}

/// Brings a file or folder to the device.
void settle(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fsync(descriptor) != 0) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    failed(path, "written", error);
  }
  close(descriptor);
}

void write_text(const std::string& path, const std::string& text) {
  FILE* const file = fopen(path.c_str(), "wxe");
  if (!file) failed(path, "written", errno);
  const bool written = fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (fclose(file) != 0 || !written) failed(path, "written", written ? errno : error);
}

std::string report_path(const std::string& state, int file) {
  return state + "/written-" + std::to_string(file);
}

void remove_all(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) failed(path, "removed", error.value());
}

/// Makes the folder and its parents, for make_folder().
void make_with_parents(const fs::path& folder, std::error_code& error) {
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  std::error_code none;
  if (const fs::file_status there = status(folder, none); exists(there)) {
    if (!is_directory(there)) error = std::make_error_code(std::errc::not_a_directory);
    return;
  }
  if (parent != ".") make_with_parents(parent, error);
  if (error || !fs::create_directory(folder, error)) return;
  const int descriptor = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  if (fsync(descriptor) != 0) error.assign(errno, std::generic_category());
  close(descriptor);
}

/// Returns a descriptor that holds the folder; -1 if another process holds it, -2 if that is unknown.
int try_to_hold(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -2;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  const int error = errno;
  close(descriptor);
  return error == EWOULDBLOCK ? -1 : -2;
}

}  // namespace

std::error_code make_folder(const std::string& folder) {
  std::error_code error;
  make_with_parents(folder, error);
  return error;
}

bool hold_folder(const std::string& folder) { return try_to_hold(folder) != -1; }

bool is_held(const std::string& folder) {
  const int descriptor = try_to_hold(folder);
  if (descriptor >= 0) close(descriptor);
  return descriptor < 0;
}

std::string image_path(const std::string& state, int file, Form form) {
  return state + "/image-" + std::to_string(file) + (form == Form::compressed ? ".zst" : ".raw");
}

std::string writing_path(const std::string& folder, std::uint64_t number) {
  return numbered(folder, kWriting, number);
}

std::string valid_path(const std::string& folder, std::uint64_t number) {
  return numbered(folder, kValid, number);
}

std::uint64_t image_bytes(const std::string& state) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(state, error))
    if (entry.path().filename().string().starts_with("image-")) bytes += entry.file_size(error);
  return bytes;
}

std::string newest_state(const std::string& folder) {
  const std::vector<std::uint64_t> numbers = valid_numbers(folder);
  return numbers.empty() ? "" : numbered(folder, kValid, numbers.back());
}

std::string find_state(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    throw Error(path + ": no folder with a checkpoint: " + (error ? error.message() : "it is no folder") +
                "; name the one that --checkpoint was given");
  if (is_state(path)) return path;
  const std::string newest = newest_state(path);
  if (newest.empty())
    throw Error(path +
                ": has no valid checkpoint: the job ended before the first one was whole; run it from the "
                "beginning, or with a shorter --checkpoint " +
                path + ":every=TIME");
  return newest;
}

Manifest read_manifest(const std::string& state) {
  const std::string name = state + "/" + std::string(kManifest);
  std::ifstream file(name);
  if (!file) failed(name, "read", errno);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return from_json(text, name);
}

void report_images(const std::string& state, int file, std::span<const SavedRank> images) {
  const std::string report = report_path(state, file), writing = report + ".new";
  write_text(writing, {reinterpret_cast<const char*>(images.data()), images.size_bytes()});
  if (rename(writing.c_str(), report.c_str()) != 0) failed(report, "written", errno);
}

std::optional<std::vector<SavedRank>> take_report(const std::string& state, int file) {
  const std::string report = report_path(state, file);
  if (access(report.c_str(), F_OK) != 0) return std::nullopt;
  std::ifstream in(report, std::ios::binary);
  if (!in) failed(report, "read", errno);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<SavedRank> images(bytes.size() / sizeof(SavedRank));
  std::ranges::copy(bytes, reinterpret_cast<char*>(images.data()));
  (void)unlink(report.c_str());
  return images;
}

NewState::NewState(const std::string& folder, const std::string& spare, std::uint64_t number)
    : folder_(folder), number_(number) {
  std::error_code error = make_folder(folder);
  if (error) failed(folder, "made", error.value());
  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if ((number_in(name, kWriting) || number_in(name, kSpare)) && entry.path().string() != spare)
      left.push_back(entry.path().string());
  }
  if (error) failed(folder, "read", error.value());
  const std::vector<std::uint64_t> numbers = valid_numbers(folder);
  if (number_ == 0) number_ = numbers.empty() ? 1 : numbers.back() + 1;
  for (const std::uint64_t valid : numbers)
    if (valid >= number_) left.push_back(valid_path(folder, valid));
  for (const std::string& each : left) remove_all(each);
  if (spare.empty() ? mkdir(path().c_str(), 0700) != 0 : rename(spare.c_str(), path().c_str()) != 0)
    failed(path(), "made", errno);
}

void NewState::publish(const Manifest& manifest, bool lasting) {
  const std::string text = path() + "/" + std::string(kManifest);
  write_text(text, as_json(manifest));
  if (lasting) {
    settle(text);
    settle(path());
  }
  const std::string valid = numbered(folder_, kValid, number_);
  if (rename(path().c_str(), valid.c_str()) != 0) failed(valid, "made of what was written", errno);
  if (lasting) settle(folder_);
}

void NewState::remove_older(int keep) const {
  const std::vector<std::uint64_t> numbers = valid_numbers(folder_);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < numbers.size(); ++i) {
    const std::string state = numbered(folder_, kValid, numbers[i]),
                      gone = numbered(folder_, kWriting, numbers[i]);
    if (rename(state.c_str(), gone.c_str()) != 0) failed(state, "removed", errno);
    remove_all(gone);
  }
}

std::string NewState::make_spare() const {
  const std::vector<std::uint64_t> numbers = valid_numbers(folder_);
  if (numbers.size() < 2) return "";
  const std::string state = numbered(folder_, kValid, numbers[numbers.size() - 2]),
                    spare = numbered(folder_, kSpare, numbers[numbers.size() - 2]);
  if (rename(state.c_str(), spare.c_str()) != 0) failed(state, "removed", errno);
  const std::string manifest = spare + "/" + std::string(kManifest);
  if (unlink(manifest.c_str()) != 0) failed(manifest, "removed", errno);
  remove_older(1);
  return spare;
}

void NewState::drop() {
  std::error_code error;
  fs::remove_all(path(), error);
}

}  // namespace skein::checkpoint
