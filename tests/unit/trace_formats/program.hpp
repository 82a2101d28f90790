// SPDX-License-Identifier: Apache-2.0
// Small traces of MPI programs, written call by call.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace::test {

// The calls of one rank. compute() may precede each.
class RankCalls {
 public:
  RankCalls(TraceBuilder& builder, ObjectIndex rank) : builder_(builder), rank_(rank) {}

  RankCalls& compute(std::uint64_t ns) {
    burst_ns_ += ns;
    return *this;
  }
  RankCalls& send(int to, int tag, std::uint64_t bytes, std::uint32_t communicator = 0) {
    return add(
        {.kind = EventKind::send, .communicator = communicator, .partner = to, .tag = tag, .bytes = bytes});
  }
  RankCalls& receive(int from, int tag, std::uint64_t bytes, std::uint32_t communicator = 0) {
    return add({.kind = EventKind::receive,
                .communicator = communicator,
                .partner = from,
                .tag = tag,
                .bytes = bytes});
  }
  RankCalls& isend(int to, int tag, std::uint64_t bytes, std::uint32_t communicator = 0) {
    return add({.kind = EventKind::send,
                .starts_request = true,
                .communicator = communicator,
                .partner = to,
                .tag = tag,
                .bytes = bytes});
  }
  RankCalls& ireceive(int from, int tag, std::uint64_t bytes, std::uint32_t communicator = 0) {
    return add({.kind = EventKind::receive,
                .starts_request = true,
                .communicator = communicator,
                .partner = from,
                .tag = tag,
                .bytes = bytes});
  }
  // A request is named by the number of requests started after it.
  RankCalls& matched(std::uint64_t request, int from, int tag, std::uint64_t bytes) {
    return add({.kind = EventKind::matched,
                .partner = from,
                .tag = tag,
                .bytes = bytes,
                .list = std::span(&request, 1)});
  }
  RankCalls& wait(std::vector<std::uint64_t> requests) {
    return add({.kind = EventKind::wait, .list = requests});
  }
  RankCalls& collective(Collective kind, std::uint64_t bytes, int root = kAny,
                        std::vector<std::uint64_t> list = {}, std::uint32_t communicator = 0) {
    return add(collective_event(kind, bytes, root, list, communicator));
  }
  RankCalls& icollective(Collective kind, std::uint64_t bytes, int root = kAny,
                         std::uint32_t communicator = 0) {
    Event event = collective_event(kind, bytes, root, {}, communicator);
    event.starts_request = true;
    return add(event);
  }
  RankCalls& add(Event event) {
    event.burst_ns = burst_ns_;
    burst_ns_ = 0;
    builder_.add(rank_, event);
    return *this;
  }
  void end() { add({.kind = EventKind::end}); }

 private:
  static Event collective_event(Collective kind, std::uint64_t bytes, int root,
                                std::span<const std::uint64_t> list, std::uint32_t communicator) {
    return {.kind = EventKind::collective,
            .what = static_cast<std::uint8_t>(kind),
            .communicator = communicator,
            .partner = root,
            .bytes = bytes,
            .list = list};
  }
  TraceBuilder& builder_;
  const ObjectIndex rank_;
  std::uint64_t burst_ns_ = 0;
};

// The calls of all ranks: program[rank] continues that rank.
class Program {
 public:
  explicit Program(std::size_t ranks, Header header = {}) : builder_(std::move(header), ranks) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      calls_.emplace_back(builder_, static_cast<ObjectIndex>(rank));
  }
  Program(const Program&) = delete;
  RankCalls& operator[](std::size_t rank) { return calls_[rank]; }
  TraceBuilder& builder() { return builder_; }
  // Ends every rank.
  Trace finish() && {
    for (RankCalls& calls : calls_) calls.end();
    return std::move(builder_).finish();
  }

 private:
  TraceBuilder builder_;
  std::vector<RankCalls> calls_;
};

// A folder for one test, removed when the object ends.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "skein_formats_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name = "") const { return (path_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  std::filesystem::path path_;
};

template <class Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace skein::trace::test
