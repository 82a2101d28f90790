// SPDX-License-Identifier: Apache-2.0
// A recorded run whose times on an ideal machine follow by hand, and the machine, as files.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/options/tool.hpp"
#include "skein/lb/trace.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::tools::test {

/// A folder, removed when the object ends.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/skein_tools_XXXXXX";
    REQUIRE(mkdtemp(name));
    path_ = name;
  }
  ~Folder() { (void)!system(("rm -r " + path_).c_str()); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }

 private:
  std::string path_;
};

/// Four PEs on which only computing takes time.
inline const char* const ideal =
    R"({"name": "ideal", "nodes": 1, "pes_per_node": 4, "node": {"latency_ns": 0, "receive_byte_ns": 0}})";

/// Returns a trace of ranks that compute burst_ns[rank] before each of `points` sync points and exchange
/// nothing.
inline trace::Trace computing(const trace::Header& header, const std::vector<std::uint64_t>& burst_ns,
                              std::uint64_t points) {
  trace::TraceBuilder builder(header, burst_ns.size());
  for (trace::ObjectIndex rank = 0; rank < burst_ns.size(); ++rank) {
    trace::Event sync;
    sync.kind = trace::EventKind::sync;
    sync.burst_ns = burst_ns[rank];
    sync.bytes = 1000;
    for (std::uint64_t point = 0; point < points; ++point) builder.add(rank, sync);
    builder.add(rank, trace::Event());
  }
  return std::move(builder).finish();
}

/// Returns a trace of eight ranks that compute 3, 3, 1, 1, 1, 1, 1, 1 ms before each of `points` sync points
/// and exchange nothing. On four PEs in blocks the first PE takes 6 ms a point; balanced, each takes 3.
inline trace::Trace uneven(std::uint64_t points) {
  trace::Header header;
  header.program = "./app";
  header.options = "--pes=2 --ranks=8 --sync-at=MPI_Barrier --trace=x";
  return computing(header,
                   {3'000'000, 3'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000},
                   points);
}

/// Writes uneven(8) with an early end: rank 7 came to the fifth sync point and no further; the others went
/// on, and no rank came to the end.
inline void write_cut_short(const std::string& path) {
  const trace::Trace longer = uneven(8), shorter = uneven(5);
  trace::Header header = longer.header();
  header.placement.resize(8);
  trace::TraceFile file = trace::TraceFile::create(path, header);
  for (trace::ObjectIndex rank = 0; rank < 8; ++rank) {
    trace::Encoder encoder;
    trace::Cursor cursor = (rank == 7 ? shorter : longer).events(rank);
    while (const trace::Event* event = cursor.next())
      if (event->kind != trace::EventKind::end) encoder.add(*event);
    file.add(rank, 0, encoder);
  }
  file.flush();
}

/// Returns uneven() with elements of a native program on two PEs, which stop at each sync point; PE 0 makes
/// them. `divisible`: they can be divided. The last object stands for no element.
inline trace::Trace uneven_elements(std::uint64_t points, bool divisible = false) {
  trace::Header header;
  header.program = "./native";
  header.options = "--pes=2 --trace=x";
  header.native = true;
  header.pes = 2;
  header.labels = {"PE 0", "PE 1"};
  for (int element = 0; element < 8; ++element) header.labels.push_back("A[" + std::to_string(element) + "]");
  header.labels.emplace_back();
  trace::TraceBuilder builder(header, header.labels.size());
  builder.name("A::step");
  builder.add(0, trace::Event());
  builder.add(1, trace::Event());
  for (trace::ObjectIndex element = 2; element < 10; ++element) {
    trace::Event execute, sync, finish;
    execute.kind = trace::EventKind::execute;
    finish.kind = trace::EventKind::finish;
    finish.burst_ns = element < 4 ? 3'000'000 : 1'000'000;
    sync.kind = trace::EventKind::sync;
    sync.bytes = 1000;
    sync.what = divisible;
    for (std::uint64_t point = 0; point < points; ++point) {
      execute.what = static_cast<std::uint8_t>(point == 0 ? trace::Cause::begin : trace::Cause::resumed);
      for (const trace::Event& event : {execute, finish, sync}) builder.add(element, event);
    }
    builder.add(element, trace::Event());
  }
  return std::move(builder).finish();
}

/// Returns the message with which the tool refuses the words, or its exit status as text.
inline std::string answer(const options::Tool& tool, const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    return std::to_string(options::run_tool(tool, pointers));
  } catch (const Error& error) {
    return error.what();
  }
}

/// A recording of uneven(), a machine for it, and the tool's results on them.
template <auto tool>
struct FilesFor {
  Folder folder;
  std::string platform = folder.write("ideal.json", ideal);
  std::string trace = folder.file("run.sktrace");
  std::string result = folder.file("result.json");

  explicit FilesFor(std::uint64_t points = 10) { trace::write_trace(uneven(points), trace); }
  std::string run(std::vector<std::string> words) const {
    words.insert(words.begin(), {trace, "--platform", platform, "-o", result});
    return answer(tool(), words);
  }
};

inline bool holds(const std::string& text, const std::string& part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline nlohmann::json json_of(const std::string& path) { return nlohmann::json::parse(text_of(path)); }

}  // namespace skein::tools::test
