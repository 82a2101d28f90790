// SPDX-License-Identifier: Apache-2.0
// Damaged, truncated and foreign files: an error that names file and place, and nothing worse.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "lb/kernel/random.hpp"
#include "skein/lb/load_file.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::lb;

namespace {

// Two objects on two PEs that send to each other, and the place where a test puts its own.
const std::string kGood = R"({"metadata":{"type":"LBDatafile"},"phases":[{"id":0,"tasks":[
{"entity":{"type":"object","id":1,"home":0,"migratable":true},"node":0,"resource":"cpu","time":1.0,"attributes":{"skein_x":1.0}},
{"entity":{"type":"object","id":2,"home":0,"migratable":true},"node":1,"resource":"cpu","time":2.0,"attributes":{"skein_x":2.0}}],
"communications":[{"type":"SendRecv","from":{"type":"object","id":1},"to":{"type":"object","id":2},"messages":3,"bytes":4.0}]}]})";

std::string replaced(const std::string& what, const std::string& by) {
  std::string text = kGood;
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string error_of(const std::string& text) {
  try {
    read_load_text(text, "f");
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_file(const std::string& name) {
  try {
    read_load_data(std::span(&name, 1));
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

std::string content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

TEST_CASE("bad file: each fault is named with its place") {
  CHECK(error_of(kGood) == "no error");
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":-2.0")) ==
        "f: /phases/0/tasks/1/time is -2; it must be finite and not negative");
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":1e999")) ==
        "f: /phases/0/tasks/1/time number overflow parsing '1e999'");
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":\"2\"")) ==
        "f: /phases/0/tasks/1/time is '2'; it must be a number");
  const std::string interval = "\"id\":0,\"user_defined\":{\"skein_interval_s\":";
  CHECK(error_of(replaced("\"id\":0,", interval + "0.5},")) == "no error");
  CHECK(error_of(replaced("\"id\":0,", interval + "-0.5},")) ==
        "f: /phases/0/user_defined/skein_interval_s is -0.5; it must be finite and not negative");
  CHECK(
      error_of(replaced("\"id\":0,", interval + "1,\"skein_interval_points\":0.5},")) ==
      "f: /phases/0/user_defined/skein_interval_points is 0.5; it must be a whole number from 0 to 2^64 - 1");
  CHECK(error_of(replaced(",\"time\":2.0", "")) == "f: /phases/0/tasks/1 has no 'time'");
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":2.0,\"time\":2.0")) ==
        "f: /phases/0/tasks/1/time is given twice");
  CHECK(error_of(replaced("\"node\":1", "\"node\":-1")) ==
        "f: /phases/0/tasks/1/node is -1; it must be a whole number from 0 to 2^64 - 1");
  CHECK(error_of(replaced("\"node\":1", "\"node\":99999999")) ==
        "f: /phases/0/tasks/1/node is 99999999; it must be below 16777216");
  CHECK(error_of(replaced("\"node\":1", "\"node\":16000000")) ==
        "f: the highest PE is 16000000, which cannot be: there are 2 tasks in 1 phases");
  CHECK(error_of(replaced("\"id\":2", "\"id\":1")) ==
        "f: /phases/0/tasks/1/entity is object 1, which stands there twice");
  CHECK(error_of(replaced("\"id\":2,\"home\"", "\"home\"")) ==
        "f: /phases/0/tasks/1/entity has neither 'id' nor 'seq_id'");
  CHECK(error_of(replaced("SendRecv", "Send")) ==
        "f: /phases/0/communications/0/type is 'Send', which is none of vt's; valid: SendRecv, "
        "CollectionToNode, NodeToCollection, "
        "Broadcast, CollectionToNodeBcast, NodeToCollectionBcast, CollectiveToCollectionBcast, LocalInvoke, "
        "ReadOnlyShared, WriteShared");
  CHECK(error_of(replaced("\"bytes\":4.0", "\"bytes\":1e300")) ==
        "f: /phases/0/communications/0/bytes is 1e+300; it must be finite and not negative");
  CHECK(error_of(replaced("\"messages\":3", "\"messages\":5000000000")) ==
        "f: /phases/0/communications/0/messages is 5000000000; it must be below 4294967295");
  CHECK(error_of(replaced(",\"attributes\":{\"skein_x\":2.0}", "")) ==
        "f: /phases/0/tasks/1 has no position, but others have one");
  CHECK(error_of(replaced("\"skein_x\":2.0", "\"skein_x\":2.0,\"skein_pe_speed\":0.0")) ==
        "f: /phases/0/tasks/1/attributes/skein_pe_speed is 0; it must be positive");
  CHECK(error_of(replaced("\"skein_x\":2.0", "\"skein_x\":2.0,\"skein_splittable\":2")) ==
        "f: /phases/0/tasks/1/attributes/skein_splittable is 2; it must be below 2");
  CHECK(error_of(replaced("\"skein_x\":2.0", "\"skein_x\":2.0,\"skein_level\":2147483648")) ==
        "f: /phases/0/tasks/1/attributes/skein_level is 2147483648; it must be below 2147483648");
  // A task of a PE, whose way through the topology has two vertices.
  const std::string pe_task =
      "\"tasks\":[{\"entity\":{\"type\":\"object\",\"id\":5,\"home\":0,\"migratable\":false},\"node\":0,"
      "\"resource\":\"cpu\",\"time\":0.0,\"attributes\":{\"skein_pe_topology\":\"0/1\","
      "\"skein_pe_topology_latency\":\"1e-06/1e-07\",\"skein_pe_topology_byte_time\":\"";
  CHECK(error_of(replaced("\"tasks\":[", pe_task + "0/1e-9\"}},")) == "no error");
  for (const std::string costs : {"", "0", "0/0/0", "0/-1", "0/nan", "0/inf", "0/1e99", "0/", "0/0 "}) {
    CHECK(error_of(replaced("\"tasks\":[", pe_task + costs + "\"}},")) ==
          "f: /phases/0/tasks/0 has no two costs for each of the 2 vertices of its way: '1e-06/1e-07' and '" +
              costs + "'");
  }
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":2.0,\"subphases\":[{\"id\":4294967294,\"time\":1.0}]")) ==
        "f: /phases/0/tasks/1 has a subphase 4294967294, far beyond the number of subphases that there are");
  const auto joined = [&](const std::string& hyperedge) {
    return error_of(
        replaced("\"tasks\"", "\"user_defined\":{\"skein_hyperedges\":[" + hyperedge + "]},\"tasks\""));
  };
  const std::string where = "f: /phases/0/user_defined/skein_hyperedges/";
  CHECK(joined("{\"bytes\":1,\"objects\":[2,1]},{\"bytes\":0.5,\"objects\":[]}") == "no error");
  CHECK(joined("{\"bytes\":1,\"objects\":[2,1]},{\"bytes\":1,\"objects\":[2,3]}") ==
        where + "1 joins object 3, which is in no task of the phase");
  CHECK(joined("{\"bytes\":1,\"objects\":[2,1,2]}") == where + "0 joins object 2 twice");
  CHECK(joined("{\"bytes\":-1,\"objects\":[2,1]}") ==
        where + "0/bytes is -1; it must be finite and not negative");
  CHECK(joined("{\"bytes\":1e39,\"objects\":[2,1]}") ==
        where + "0/bytes is 1e+39; it must be finite and not negative");
  CHECK(joined("{\"bytes\":1}") == where + "0 has no 'objects'");
  CHECK(joined("{\"objects\":[1]}") == where + "0 has no 'bytes'");
  CHECK(joined("{\"bytes\":1,\"objects\":[-1]}").starts_with(where + "0/objects/0 is -1; it must be "));
  CHECK(joined("7") == where + "0 is 7; it must be an object");
  // Both objects read a block; `second` is the user_defined of the second.
  const auto reads = [&](const std::string& second) {
    std::string text =
        replaced("\"time\":1.0",
                 "\"time\":1.0,\"user_defined\":{\"shared_id\":3.0,\"shared_bytes\":8,\"home_rank\":1}");
    const std::string before = "\"time\":2.0";
    return error_of(
        text.replace(text.find(before), before.size(), before + ",\"user_defined\":{" + second + "}"));
  };
  const std::string reader = "f: /phases/0/tasks/1";
  CHECK(reads("\"shared_id\":3,\"shared_bytes\":8.0,\"home_rank\":1.0") == "no error");
  CHECK(reads("\"shared_id\":3,\"shared_bytes\":8") == "no error");
  CHECK(reads("\"shared_id\":-1,\"home_rank\":-1") == "no error");
  CHECK(reads("\"shared_id\":3,\"shared_bytes\":9,\"home_rank\":1") ==
        reader +
            " reads shared block 3, of 9 bytes with home 1; another task that reads it says 8 bytes with "
            "home 1");
  CHECK(reads("\"shared_id\":3,\"shared_bytes\":8,\"home_rank\":0") ==
        reader +
            " reads shared block 3, of 8 bytes with home 0; another task that reads it says 8 bytes with "
            "home 1");
  CHECK(reads("\"shared_id\":3,\"shared_bytes\":-8") ==
        reader + "/user_defined/shared_bytes is -8; it must be finite and not negative");
  CHECK(reads("\"shared_id\":0.5") ==
        reader +
            "/user_defined/shared_id is 0.5; it must be a whole number from 0 to below 9007199254740992");
  CHECK(reads("\"shared_id\":4,\"home_rank\":-1") ==
        reader + "/user_defined/home_rank is -1; it must be a whole number from 0 to below 16777216");
  CHECK(reads("\"shared_id\":4,\"home_rank\":2") ==
        "f: phase 0: snapshot: the home of block 1 refers to 2, but there are only 2");
  CHECK(error_of(replaced("\"tasks\":[", "\"tasks\":[7,")) ==
        "f: /phases/0/tasks/0 is 7; it must be an object");
}

TEST_CASE("bad file: foreign files are told apart") {
  CHECK(error_of("") == "f: the file is empty");
  CHECK(error_of("{}") == "f: / has no 'phases'");
  CHECK(error_of("{\"phases\":[]}") == "f: /phases is empty");
  CHECK(error_of("{\"phases\":[{\"id\":0,\"tasks\":[]}]}") == "f: there is no task, so there is no PE");
  CHECK(error_of(replaced("LBDatafile", "LBStatsfile")) ==
        "f: /metadata/type is 'LBStatsfile'; only load data is read, an 'LBDatafile'");
  CHECK(error_of("\x0b\x02\x80") == "f: this is no JSON object");
  CHECK(error_of("[1, 2]") == "f: this is no JSON object");
  CHECK(error_of("{\"phases\":null}") == "f: /phases is null; it must be an array");
}

TEST_CASE("bad file: broken JSON is told with line and column") {
  CHECK(error_of("{\"phases\":[\n{]").find("line 2, column 2") != std::string::npos);
  CHECK(error_of(kGood + "x").find("line 4") != std::string::npos);
  CHECK(error_of(replaced("SendRecv", "\xff\xfe")).find("ill-formed UTF-8") != std::string::npos);
  CHECK(error_of(replaced("\"time\":2.0", "\"time\":NaN")).find("line 3") != std::string::npos);
}

TEST_CASE("bad file: nesting without end is an error, not a crash") {
  const std::string deep(1'000'000, '[');
  CHECK(error_of("{\"phases\":" + deep) == "f: /phases/0 is an array; it must be an object");
  CHECK(error_of("{\"other\":" + deep).find("lies deeper than 64 levels") != std::string::npos);
}

TEST_CASE("bad file: every truncation is found") {
  const test::ScratchFolder folder;
  const std::string plain = folder / "good.json", packed = folder / "good.json.zst", cut = folder / "cut";
  for (std::size_t length = 0; length < kGood.size(); ++length) {
    CAPTURE(length);
    CHECK(error_of(kGood.substr(0, length)).starts_with("f: "));
  }
  for (const std::string& name : {plain, packed}) {
    LoadWriter writer(name);
    writer.write(0, read_load_text(kGood, "f").phases[0].snapshot);
    writer.close();
    const std::string whole = content(name);
    // The last byte of the plain file is a line's end, which may be missing.
    for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
      CAPTURE(length);
      write(cut, whole.substr(0, length));
      CHECK(error_of_file(cut).starts_with(cut + ": "));
    }
  }
}

TEST_CASE("bad file: flipped bytes give data or an error, and never other data from a compressed file") {
  const test::ScratchFolder folder;
  const std::string packed = folder / "good.json.zst", damaged = folder / "damaged";
  LoadWriter writer(packed);
  const Snapshot good = read_load_text(kGood, "f").phases[0].snapshot;
  writer.write(0, good);
  writer.close();
  const std::string whole = content(packed);
  Random random(20120625);
  const auto flip = [&](std::string text) {
    for (std::uint32_t k = 1 + random.below(4); k > 0; --k)
      text[random.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random.below(256));
    return text;
  };
  int errors = 0;
  for (int k = 0; k < 20000; ++k) errors += error_of(flip(kGood)) != "no error";
  CHECK(errors > 10000);  // most bytes matter
  for (int k = 0; k < 5000; ++k) {
    write(damaged, flip(whole));
    // Frames have checksums. Bits that zstd does not use, or bytes that are replaced by themselves, do no
    // harm.
    if (error_of_file(damaged) != "no error") continue;
    const Snapshot read = read_load_data(std::span(&damaged, 1)).phases[0].snapshot;
    CHECK(read.objects.load == good.objects.load);
    CHECK(read.objects.bytes == good.objects.bytes);
    CHECK(read.graph.bytes == good.graph.bytes);
  }
}

TEST_CASE("bad file: names that cannot be read or written") {
  const test::ScratchFolder folder;
  CHECK(error_of_file(folder / "none.json")
            .ends_with("none.json: cannot be opened: No such file or directory"));
  CHECK(error_of_file(folder / "").ends_with("cannot be read: Is a directory"));
  CHECK(error_of_file(folder / "none.%p.json")
            .ends_with("none.0.json: cannot be opened: No such file or directory"));
  CHECK_THROWS_WITH_AS(LoadWriter("x.json.br"),
                       "x.json.br: files are written plain or compressed with zstd (.zst), not as .br",
                       FileError);
  CHECK_THROWS_AS(LoadWriter(folder / "missing/x.json"), FileError);
}
