// SPDX-License-Identifier: Apache-2.0
// A snapshot reads back as it was written, in every form of file; the reader also understands vt's files.
#include "skein/lb/load_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::lb;

namespace {

LoadData read(const std::string& name) { return read_load_data(std::span(&name, 1)); }

void check_same(const Snapshot& a, const Snapshot& b) {
  CHECK(a.objects.id == b.objects.id);
  CHECK(a.objects.pe == b.objects.pe);
  CHECK(a.objects.load == b.objects.load);
  CHECK(a.objects.bytes == b.objects.bytes);
  CHECK(a.objects.migratable == b.objects.migratable);
  CHECK(a.objects.position == b.objects.position);
  CHECK(a.objects.subphases == b.objects.subphases);
  CHECK(a.objects.counters == b.objects.counters);
  CHECK(a.objects.subphase_count == b.objects.subphase_count);
  CHECK(a.objects.counter_count == b.objects.counter_count);
  CHECK(a.pes.speed == b.pes.speed);
  CHECK(a.pes.background_s == b.pes.background_s);
  CHECK(a.pes.node == b.pes.node);
  CHECK(a.graph.first == b.graph.first);
  CHECK(a.graph.to == b.graph.to);
  CHECK(a.graph.bytes == b.graph.bytes);
  CHECK(a.graph.messages == b.graph.messages);
  CHECK(a.hypergraph.first == b.hypergraph.first);
  CHECK(a.hypergraph.pin == b.hypergraph.pin);
  CHECK(a.hypergraph.bytes == b.hypergraph.bytes);
  CHECK(a.blocks.of_object == b.blocks.of_object);
  CHECK(a.blocks.bytes == b.blocks.bytes);
  CHECK(a.blocks.home == b.blocks.home);
  CHECK(a.topology.parent == b.topology.parent);
  CHECK(a.topology.vertex_of_pe == b.topology.vertex_of_pe);
  CHECK(a.topology.latency_s == b.topology.latency_s);
  CHECK(a.topology.byte_s == b.topology.byte_s);
  CHECK(a.pes.memory_bytes == b.pes.memory_bytes);
  CHECK(a.objects.splittable == b.objects.splittable);
  CHECK(a.objects.level == b.objects.level);
  CHECK(a.interval_s == b.interval_s);
  CHECK(a.interval_points == b.interval_points);
}

// Everything that a snapshot can hold. Positions are floats with no short decimal form.
Snapshot full_snapshot() {
  test::Kind kind{"all", 40, 6, 0.3, true, true};
  Snapshot snapshot = test::make_snapshot(kind, 7);
  Random random(3);
  snapshot.objects.subphase_count = 3;
  snapshot.objects.counter_count = 2;
  for (int k = 0; k < 40 * 3; ++k) snapshot.objects.subphases.push_back(static_cast<float>(random.unit()));
  for (int k = 0; k < 40 * 2; ++k)
    snapshot.objects.counters.push_back(static_cast<float>(random.bits() >> 30));
  std::vector<Hyperedge> hyperedges(3);
  for (Hyperedge& each : hyperedges) each.bytes = random.unit();
  hyperedges[0].objects = {39, 0, 17};
  hyperedges[2].objects = {4};
  snapshot.hypergraph = make_hypergraph(40, hyperedges);
  snapshot.blocks = {{}, {0, std::uint64_t{1} << 62, 12345}, {5, 0, 5}};
  for (std::uint32_t i = 0; i < 40; ++i) snapshot.blocks.of_object.push_back(i % 4 == 3 ? kNoBlock : i % 4);
  snapshot.topology = {{0, 0, 0, 1, 1, 2},
                       {3, 4, 5, 5, 3, 2},
                       {2e-6f, 1e-6f, 0.7e-6f, 0.1f, 1e-30f, 0},
                       {1.f / 3e9f, 0, 1e-10f, 2e-10f, 3e-10f, 4e-10f}};
  snapshot.pes.memory_bytes = {1, 0, std::uint64_t{1} << 40, 77, 5, ~std::uint64_t{0}};
  snapshot.interval_s = 1.0 / 3;
  snapshot.interval_points = 17;
  for (int i = 0; i < 40; ++i) snapshot.objects.splittable.push_back(i % 3 == 0);
  for (int i = 0; i < 40; ++i) snapshot.objects.level.push_back(i % 5 - 1);
  return snapshot;
}

}  // namespace

TEST_CASE("load file: every kind of snapshot comes back bit by bit, plain and compressed") {
  const test::ScratchFolder folder;
  for (const char* name : {"a.json", "a.json.zst"}) {
    const std::string file = folder / name;
    std::vector<Snapshot> written;
    LoadWriter writer(file);
    for (const test::Kind& kind : test::all_kinds()) {
      // Phases of one file have the same PEs.
      test::Kind same_pes = kind;
      same_pes.pes = 9;
      written.push_back(test::make_snapshot(same_pes, 11));
      writer.write(written.size() * 5, written.back());
    }
    writer.close();
    const LoadData data = read(file);
    REQUIRE(data.phases.size() == written.size());
    for (std::size_t k = 0; k < written.size(); ++k) {
      CHECK(data.phases[k].id == (k + 1) * 5);
      check_same(data.phases[k].snapshot, written[k]);
    }
  }
}

TEST_CASE("load file: subphases, counters, topology, background and speeds come back") {
  const test::ScratchFolder folder;
  const std::string file = folder / "full.json";
  Snapshot without_graph = full_snapshot();
  without_graph.graph = {};
  LoadWriter writer(file);
  writer.write(0, full_snapshot());
  writer.write(1, without_graph);
  writer.close();
  const LoadData data = read(file);
  check_same(data.phases.at(0).snapshot, full_snapshot());
  check_same(data.phases.at(1).snapshot, without_graph);
}

// A strategy that acts differently at the first step must see the same step number in a file as in the run.
TEST_CASE("load file: the step of a snapshot is the number of its phase") {
  const test::ScratchFolder folder;
  const std::string file = folder / "steps.json";
  LoadWriter writer(file);
  writer.write(3, full_snapshot());
  writer.write(7, full_snapshot());
  writer.close();
  const LoadData data = read(file);
  CHECK(data.phases.at(0).snapshot.step == 3);
  CHECK(data.phases.at(1).snapshot.step == 7);
}

TEST_CASE("load file: a file for each PE holds the same, objects in the order of PEs") {
  const test::ScratchFolder folder;
  const std::string pattern = folder / "data.%p.json";
  const Snapshot whole = full_snapshot();
  LoadWriter writer(pattern);
  writer.write(4, whole);
  writer.close();
  const Snapshot read_back = read(pattern).phases.at(0).snapshot;
  CHECK(read_back.interval_s == whole.interval_s);
  CHECK(read_back.interval_points == whole.interval_points);
  CHECK(read_back.pes.background_s == whole.pes.background_s);
  CHECK(read_back.graph.edge_count() == whole.graph.edge_count());
  CHECK(std::ranges::is_sorted(read_back.objects.pe));
  for (ObjectIndex i = 0; i < read_back.object_count(); ++i) {
    const auto at = std::ranges::find(whole.objects.id, read_back.objects.id[i]) - whole.objects.id.begin();
    CHECK(read_back.objects.load[i] == whole.objects.load[static_cast<std::size_t>(at)]);
    CHECK(read_back.objects.pe[i] == whole.objects.pe[static_cast<std::size_t>(at)]);
  }
  // The same files named one by one, in another order.
  std::vector<std::string> names;
  for (int pe = 5; pe >= 0; --pe) names.push_back(folder / ("data." + std::to_string(pe) + ".json"));
  CHECK(read_load_data(names).phases.at(0).snapshot.graph.edge_count() == whole.graph.edge_count());
  names.erase(names.begin() + 2);
  CHECK_THROWS_AS(read_load_data(names), FileError);  // rank 3 is missing
}

TEST_CASE("load file: after each phase the file is complete") {
  const test::ScratchFolder folder;
  for (const char* name : {"killed.json", "killed.json.zst"}) {
    const std::string file = folder / name;
    LoadWriter writer(file);
    for (std::uint64_t phase = 0; phase < 3; ++phase) {
      writer.write(phase, full_snapshot());
      const LoadData data = read(file);
      CHECK(data.phases.size() == phase + 1);
      check_same(data.phases.back().snapshot, full_snapshot());
    }
  }
}

// A file as vt 1.6 writes it: ids with bits, indices, subphases with a gap, a send to a node, members that
// only vt knows, communications before tasks; rank 1 has no task at all.
constexpr const char* kOfVt = R"({
  "metadata": {"type": "LBDatafile", "rank": 0, "shared_node": {"id": 3, "size": 2, "rank": 0, "num_nodes": 1},
               "phases": {"count": 9, "skipped": {"list": [], "range": [[7, 8]]},
                          "identical_to_previous": {"list": [2], "range": [[4, 6]]}}},
  "phases": [
    {"communications": [
       {"bytes": 1456.0, "from": {"home": 0, "id": 262147, "migratable": true, "type": "object"}, "messages": 26,
        "to": {"home": 0, "id": 1, "migratable": false, "type": "object"}, "type": "SendRecv"},
       {"bytes": 9.0, "from": {"home": 0, "id": 1, "type": "object"}, "messages": 1,
        "to": {"id": 0, "type": "node"}, "type": "CollectionToNode"}],
     "id": 1, "lb_iterations": [{"id": 0, "tasks": []}],
     "tasks": [
       {"entity": {"collection_id": 7, "home": 0, "id": 262147, "index": [0], "migratable": true, "type": "object"},
        "node": 0, "resource": "cpu", "subphases": [{"id": 2, "time": 0.25}, {"id": 0, "time": 1.5}], "time": 1.75,
        "user_defined": {"task_footprint_bytes": 99.0, "task_serialized_bytes": 512.0, "shared_id": 0}},
       {"entity": {"home": 0, "id": 1, "migratable": false, "objgroup_id": 1, "type": "object"}, "node": 1,
        "resource": "cpu", "time": 0.5, "user_defined": {"task_footprint_bytes": 99}}]},
    {"id": 3, "tasks": [], "user_defined": {"of vt": 3, "or": "its user"}}]})";

TEST_CASE("load file: what vt writes is understood") {
  const LoadData data = read_load_text(kOfVt, "vt");
  REQUIRE(data.phases.size() == 2);
  CHECK(data.ignored_communications == 1);
  const Snapshot& phase = data.phases[0].snapshot;
  CHECK(phase.objects.id == std::vector<std::uint64_t>{262147, 1});
  CHECK(phase.objects.pe == std::vector<PeIndex>{0, 1});
  CHECK(phase.objects.load == std::vector<double>{1.75, 0.5});
  CHECK(phase.objects.bytes == std::vector<std::uint64_t>{512, 99});
  CHECK(phase.objects.migratable == std::vector<std::uint8_t>{1, 0});
  CHECK(phase.objects.subphase_count == 3);
  CHECK(phase.objects.subphases == std::vector<float>{1.5f, 0, 0.25f, 0, 0, 0});
  CHECK(phase.objects.position.empty());
  CHECK(phase.pes.node == std::vector<std::uint32_t>{3, 0});
  CHECK(phase.graph.to == std::vector<ObjectIndex>{1});
  CHECK(phase.graph.bytes == std::vector<float>{1456});
  CHECK(phase.graph.messages == std::vector<std::uint32_t>{26});
  CHECK(phase.interval_s == 0);  // not known
  CHECK(phase.interval_points == 0);
  CHECK(data.phases[1].snapshot.object_count() == 0);
  CHECK(data.phases[1].snapshot.pe_count() == 2);
  CHECK(data.phases[1].snapshot.graph.empty());
}

TEST_CASE("load file: what goes from or to an object that is in no task is left out, and counted") {
  // vt writes messages whose object had left the rank when the phase ended. Here the sender is missing, the
  // receiver, and both.
  const LoadData data = read_load_text(R"({"type": "LBDatafile", "phases": [{"id": 0,
    "tasks": [{"entity": {"type": "object", "id": 1, "home": 0, "migratable": true}, "node": 0, "resource": "cpu", "time": 1.0},
              {"entity": {"type": "object", "id": 2, "home": 0, "migratable": true}, "node": 0, "resource": "cpu", "time": 2.0}],
    "communications": [
      {"type": "SendRecv", "from": {"type": "object", "id": 5}, "to": {"type": "object", "id": 1}, "messages": 1, "bytes": 1.0},
      {"type": "SendRecv", "from": {"type": "object", "id": 1}, "to": {"type": "object", "id": 2}, "messages": 2, "bytes": 20.0},
      {"type": "SendRecv", "from": {"type": "object", "id": 2}, "to": {"type": "object", "id": 6}, "messages": 3, "bytes": 300.0},
      {"type": "SendRecv", "from": {"type": "object", "id": 7}, "to": {"type": "object", "id": 6}, "messages": 4, "bytes": 4.0}]}]})",
                                       "vt");
  CHECK(data.lost_communications == 3);
  CHECK(data.ignored_communications == 0);
  const CommGraph& graph = data.phases[0].snapshot.graph;
  CHECK(graph.to == std::vector<ObjectIndex>{1});
  CHECK(graph.bytes == std::vector<float>{20});
}

TEST_CASE("load file: a phase that is identical to an earlier one is found as that") {
  const LoadData data = read_load_text(kOfVt, "vt");
  CHECK(data.find(1).id == 1);
  CHECK(data.find(2).id == 1);
  CHECK(data.find(5).id == 3);
  CHECK_THROWS_WITH_AS(data.find(7), "there is no phase 7; there are 1, 3", FileError);
  CHECK_THROWS_WITH_AS(data.find(0), "there is no phase 0; there are 1, 3", FileError);
}

namespace {
// Packed by brotli's own program: two tasks of one phase, of 0.5 s on PE 0 and 1.5 s on PE 1, as JSON of 264
// bytes.
constexpr char bytes_by_brotli[] =
    "\x1b\x07\x01\x00\x8c\xd3\x15\xf1\x23\xa4\xb9\x07\x41\x9c\x23\x7f\x5e\x24\xc8\x6e\x38\xb0\xe8\x48"
    "\x1d\x96\x3e\x75\x5b\xfd\xe1\x39\x9e\xc7\x7c\xc6\x39\xdd\x50\x84\x1b\x9a\x98\xd4\x96\x6c\x49\xbd"
    "\x18\x35\x51\x9a\x9d\xf9\xb2\xe9\xa5\xcf\xb7\x18\x28\xbc\xcc\x61\x07\x8e\x65\xc7\x5b\xdc\xd2\x60"
    "\x81\x9d\x7c\x56\xb8\x2f\x75\x06\x45\x60\x03\xa5\xbd\xf2\x61\xab\xb7\x1b\x61\x52\xa1\x07\x5e\xa6"
    "\x8b\x61\x74\xe2\x6b\x39\x0a\x6c\x28\x72\xf9\x63\x18\x33\x7e\x9e\x8b\xfb\x49\x3a\xed\xc4\x56\xdb"
    "\x53\x32\x7f\x41\xc7\x5c\xd3\xa9\xac\x96\xff\xfb\x3f";
constexpr std::string_view by_brotli(bytes_by_brotli, sizeof bytes_by_brotli - 1);
static_assert(by_brotli.size() == 133);
}  // namespace

TEST_CASE("load file: what brotli has compressed is read, whatever its name is") {
  const test::ScratchFolder folder;
  const auto write = [&](const char* name, std::string_view bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  };
  for (const char* const name : {"data.0.json", "data.0.json.br"}) {
    const LoadData data = read(write(name, by_brotli));
    REQUIRE(data.phases.size() == 1);
    CHECK(data.phases[0].snapshot.objects.load == std::vector<double>{0.5, 1.5});
  }
  const auto error_of = [&](std::string_view bytes) {
    const std::string name = write("bad.json.br", bytes);
    try {
      read(name);
    } catch (const FileError& error) {
      REQUIRE(std::string_view(error.what()).starts_with(name + ": "));
      return std::string(error.what()).substr(name.size() + 2);
    }
    return std::string();
  };
  for (std::size_t length = 1; length < by_brotli.size(); ++length)
    CHECK(error_of(by_brotli.substr(0, length)) ==
          "the compressed data ends too early; the file is truncated");
  CHECK(error_of(std::string(by_brotli) + "x") ==
        "something follows the compressed data; the file is damaged");
  CHECK(error_of(std::string(40, '\xff')) ==
        "this is neither a JSON object nor one that brotli has compressed, or damaged");
}
