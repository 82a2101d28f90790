// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <doctest/doctest.h>

#include "recorded.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "skein/lb/trace_check.hpp"

using namespace skein;
using namespace skein::tools;
using namespace skein::tools::test;

TEST_CASE("trace, report: what is read is not written over, by whatever name") {
  const Folder folder;
  const std::string file = folder.file("run.sktrace"), other_name = folder.file("./run.sktrace");
  trace::write_trace(uneven(3), file);
  const std::string before = text_of(file);
  const std::string refused = ": is an input, and would be overwritten: name another output file (-o)";
  for (const std::string& output : {file, other_name}) {
    const auto traced = [&](std::vector<std::string> words) {
      words.insert(words.end(), {"-o", output});
      return answer(trace_tool(), words);
    };
    CHECK(holds(traced({"coarsen", file, "--grid", "4x2", "--to", "2x2"}), output + refused));
    CHECK(holds(traced({"export", file, "--format", "perfetto"}), output + refused));
    CHECK(holds(traced({"import", file}), output + refused));
    CHECK(holds(answer(report_tool(), {file, "-o", output}), output + refused));
  }
  CHECK(text_of(file) == before);
  const std::string coarse = folder.file("coarse.sktrace");
  CHECK(answer(trace_tool(), {"coarsen", file, "--grid", "4x2", "--to", "2x2", "-o", coarse}) == "0");
  CHECK(holds(answer(trace_tool(), {"coarsen", file, "--grid", "4x2", "--to", "2x2", "--calibrate-with",
                                    coarse, "-o", coarse}),
              refused));
}

TEST_CASE("trace: a grid that the trace to calibrate with does not have is refused, and one without --grid") {
  const Folder folder;
  const std::string file = folder.file("run.sktrace"), other = folder.file("other.sktrace");
  trace::write_trace(uneven(3), file);
  trace::write_trace(uneven(3), other);
  const auto coarsened = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"coarsen", file, "--calibrate-with", other, "-o", folder.file("coarse")};
    words.insert(words.end(), more.begin(), more.end());
    return answer(trace_tool(), words);
  };
  CHECK(holds(coarsened({"--grid", "4x2", "--to", "1x2", "--calibrate-grid", "3x2"}),
              "the grid 3x2 has 6 ranks, but the trace has 8"));
  const std::string map = folder.write("map", "0 0\n1 0\n2 0\n3 0\n4 1\n5 1\n6 1\n7 1\n");
  CHECK(holds(coarsened({"--map", map, "--calibrate-grid", "2x2"}),
              "--calibrate-grid goes with --grid and --to, not with --map"));
  CHECK(holds(coarsened({"--map", map, "--cells", "8x2"}),
              "--cells goes with --grid and --to, not with --map"));
  CHECK(holds(coarsened({"--grid", "4x2", "--to", "2x2", "--cells", "8"}),
              "there are cells of 1 dimensions, but ranks of 2"));
}

TEST_CASE("trace: by --cells a coarse rank has the work of its cells, of both traces") {
  // Eight ranks in a row compute 3, 3, 1, 1, 1, 1, 1, 1 ms; of their 9 cells they have 2, 1, 1, ..., and the
  // coarse ranks 5 and 4: all of the first four ranks, and all of the other four.
  const Folder folder;
  const std::string file = folder.file("run.sktrace"), coarse = folder.file("coarse.sktrace");
  trace::write_trace(uneven(3), file);
  const auto loads = [&](const std::string& cells) {
    REQUIRE(answer(trace_tool(),
                   {"coarsen", file, "--grid", "8", "--to", "2", "--cells", cells, "-o", coarse}) == "0");
    std::vector<std::uint64_t> found;
    for (const auto& object : trace::trace_info(trace::read_trace(coarse)).objects)
      found.push_back(object.compute_ns);
    return found;
  };
  const auto near = [](std::uint64_t ns, std::uint64_t wanted) {  // times are rounded to 1/64
    return ns + wanted / 64 >= wanted && ns <= wanted + wanted / 64;
  };
  const std::vector<std::uint64_t> even = loads("9");
  CHECK(near(even[0], 3 * 8'000'000));
  CHECK(near(even[1], 3 * 4'000'000));
  // The ranks have 2, 2, 2, 2, 1, 1, 1, 1 of 12 cells, and each coarse rank 6: the fourth rank belongs to the
  // second.
  const std::vector<std::uint64_t> uneven_ones = loads("12");
  CHECK(near(uneven_ones[0], 3 * 7'000'000));
  CHECK(near(uneven_ones[1], 3 * 5'000'000));
}

TEST_CASE("trace: the least of two recordings, and of two runs an error that names the file") {
  const Folder folder;
  const std::string one = folder.file("1.sktrace"), other = folder.file("2.sktrace"),
                    joined = folder.file("least.sktrace");
  trace::write_trace(uneven(3), one);
  trace::write_trace(uneven(3), other);
  CHECK(answer(trace_tool(), {"least", one, other, "-o", joined}) == "0");
  CHECK(trace::trace_info(trace::read_trace(joined)).compute_ns ==
        trace::trace_info(trace::read_trace(one)).compute_ns);
  trace::write_trace(uneven(4), other);
  CHECK(holds(answer(trace_tool(), {"least", one, other, "-o", joined}),
              "joining " + one + " with others: object 0, event 3: the first recording and number 2 differ"));
  CHECK(holds(answer(trace_tool(), {"least", one, other, "-o", other}),
              "is an input, and would be overwritten"));
}

TEST_CASE("trace: elements have no ranks to be joined, whatever the grid") {
  const Folder folder;
  const std::string file = folder.file("native.sktrace");
  trace::write_trace(uneven_elements(3), file);
  CHECK(holds(
      answer(trace_tool(), {"coarsen", file, "--grid", "4x2", "--to", "2x2", "-o", folder.file("coarse")}),
      file + ": is of a native program, whose elements have no ranks to be joined"));
}

TEST_CASE("trace: of a run that was cut short, what all ranks came to is coarsened and exported") {
  const Folder folder;
  const std::string file = folder.file("cut.sktrace"), coarse = folder.file("coarse.sktrace");
  write_cut_short(file);
  REQUIRE(!trace::read_trace(file).complete());
  REQUIRE(answer(trace_tool(), {"coarsen", file, "--grid", "4x2", "--to", "2x1", "-o", coarse}) == "0");
  const trace::Trace joined = trace::read_trace(coarse);
  CHECK(joined.complete());
  CHECK(trace::sync_points(joined) == 4);  // the fifth is the end of the run
  CHECK(trace::trace_info(joined).compute_ns == 5 * 12'000'000);
  CHECK(answer(trace_tool(), {"export", file, "--format", "ti", "-o", folder.file("ti")}) == "0");
  { trace::TraceFile::create(file, uneven(1).header()); }
  for (const char* const subcommand : {"coarsen", "export"}) {
    std::vector<std::string> words = {subcommand, file, "-o", coarse};
    if (words[0] == "export") words.insert(words.end(), {"--format", "ti"});
    if (words[0] == "coarsen") words.insert(words.end(), {"--grid", "4x2", "--to", "2x1"});
    CHECK(holds(answer(trace_tool(), words), file + ": "));
  }
}
