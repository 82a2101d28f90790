// SPDX-License-Identifier: Apache-2.0
// Writes vt's load data. The members and their types are those of vt's scripts/LBDatafile_schema.py, where a
// `float` must have a point or an exponent.
#include <charconv>
#include <unordered_map>
#include <utility>

#include "lb/files/text_file.hpp"
#include "lb/files/vt_names.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

constexpr std::string_view kEnd = "\n]}\n";

/// Appends the shortest text that reads back as the same number.
template <class Real>
void append_real(std::string& out, Real value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  const std::string_view digits(text, static_cast<std::size_t>(end - text));
  out += digits;
  if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void append_part(std::string& out, std::string_view text) { out += text; }
void append_part(std::string& out, double value) { append_real(out, value); }
void append_part(std::string& out, float value) { append_real(out, value); }
void append_part(std::string& out, std::uint64_t value) { out += std::to_string(value); }
void append_part(std::string& out, std::uint32_t value) { out += std::to_string(value); }

template <class... Part>
void put(std::string& out, const Part&... parts) {
  (append_part(out, parts), ...);
}

std::string number(std::uint64_t value) { return std::to_string(value); }

/// Appends `"name":`, with a comma before all but the first.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) {}
  std::string& operator()(std::string_view name) {
    put(out_, first_ ? "\"" : ",\"", name, "\":");
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

/// Returns the vertices from the root to that one.
std::string way_to(const Topology& topology, std::uint32_t vertex) {
  std::vector<std::uint32_t> vertices{vertex};
  while (vertices.back() != 0) vertices.push_back(topology.parent[vertices.back()]);
  std::string way;
  for (std::size_t k = vertices.size(); k-- > 0;) put(way, vertices[k], k ? "/" : "");
  return way;
}

/// Returns the element of `values` of each vertex from the root to that one.
std::string along_way(const Topology& topology, std::uint32_t vertex, const std::vector<float>& values) {
  std::vector<float> met{values[vertex]};
  for (; vertex != 0; vertex = topology.parent[vertex]) met.push_back(values[topology.parent[vertex]]);
  std::string text;
  for (std::size_t k = met.size(); k-- > 0;) put(text, met[k], k ? "/" : "");
  return text;
}

/// One of the files, written block by block, so that no phase is in memory as a whole.
class Output {
 public:
  explicit Output(const std::string& name) : file_(name) {}

  std::string& text() { return text_; }
  /// Begins the next element of an array, and returns the text to append it to.
  std::string& next() {
    if (text_.size() >= kBlockBytes) write_block();
    put(text_, first_ ? "\n" : ",\n");
    first_ = false;
    return text_;
  }
  void begin_array(std::string_view opening) {
    text_ += opening;
    first_ = true;
  }

  /// Writes the brackets that end the file, if it is seekable: the next phase overwrites them.
  void end_here() {
    write_block();
    end_ = file_.place();
    if (end_ >= 0) file_.write(kEnd);
    file_.flush();
  }
  void go_on() {
    if (end_ >= 0) file_.go_back(end_);
  }
  void close() {
    if (end_ < 0) file_.write(kEnd);
    file_.close();
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  void write_block() {
    file_.write(text_);
    text_.clear();
  }

  TextOutput file_;
  std::string text_;
  bool first_ = true;
  long end_ = -1;
};

}  // namespace

struct LoadWriter::State {
  std::vector<Output> files;
  bool file_of_each_pe = false;
  std::string name;
  std::uint64_t phases = 0;
  /// The home of each object: vt also tells objects apart by home, so it must not change when they move.
  std::unordered_map<std::uint64_t, PeIndex> home_of;

  void open(const Snapshot& first);
  void append_entity(std::string& out, const Objects& objects, ObjectIndex i);
  void append_object(std::string& out, const Snapshot& snapshot, ObjectIndex i);
  void append_pe(std::string& out, const Snapshot& snapshot, PeIndex pe);
  void append_edges(Output& file, const Snapshot& snapshot, ObjectIndex from);
  Output& file_of(PeIndex pe) { return files[file_of_each_pe ? pe : 0]; }
};

void LoadWriter::State::open(const Snapshot& first) {
  const std::size_t mark = name.find("%p");
  file_of_each_pe = mark != std::string::npos;
  const std::size_t count = file_of_each_pe ? first.pe_count() : 1;
  for (std::size_t pe = 0; pe < count; ++pe) {
    if (file_of_each_pe) files.emplace_back(name.substr(0, mark) + number(pe) + name.substr(mark + 2));
    std::string& head = files[pe].text();
    put(head, R"({"metadata":{"type":"LBDatafile")");
    if (file_of_each_pe) put(head, R"(,"rank":)", std::uint64_t{pe});
    put(head, R"(},"phases":[)");
  }
}

void LoadWriter::State::append_entity(std::string& out, const Objects& objects, ObjectIndex i) {
  const PeIndex home = home_of.emplace(objects.id[i], objects.pe[i]).first->second;
  put(out, R"({"type":"object","collection_id":)", vt::kCollection, R"(,"seq_id":)", objects.id[i],
      R"(,"home":)", home, R"(,"migratable":)", objects.migratable[i] ? "true}" : "false}");
}

void LoadWriter::State::append_object(std::string& out, const Snapshot& snapshot, ObjectIndex i) {
  const Objects& objects = snapshot.objects;
  put(out, R"({"entity":)");
  append_entity(out, objects, i);
  put(out, R"(,"node":)", objects.pe[i], R"(,"resource":"cpu","time":)", objects.load[i],
      R"(,"user_defined":{")", vt::kSerializedBytes, R"(":)", objects.bytes[i]);
  if (const SharedBlocks& blocks = snapshot.blocks; !blocks.empty() && blocks.of_object[i] != kNoBlock) {
    const std::uint32_t block = blocks.of_object[i];
    put(out, ",\"", vt::kBlock, "\":", block, ",\"", vt::kBlockBytes, "\":", blocks.bytes[block], ",\"",
        vt::kBlockHome, "\":", blocks.home[block]);
  }
  put(out, "}");
  if (objects.subphase_count > 0) put(out, R"(,"subphases":[)");
  for (std::uint32_t k = 0; k < objects.subphase_count; ++k)
    put(out, k ? "," : "", R"({"id":)", k, R"(,"time":)",
        objects.subphases[std::size_t{i} * objects.subphase_count + k], "}");
  if (objects.subphase_count > 0) put(out, "]");
  std::string attributes;
  Members member(attributes);
  if (!objects.position.empty())
    for (std::size_t side = 0; side < 3; ++side) put(member(vt::kPosition[side]), objects.position[i][side]);
  if (!objects.splittable.empty()) put(member(vt::kSplittable), std::uint32_t{objects.splittable[i]});
  if (!objects.level.empty() && objects.level[i] != kNoLevel)
    put(member(vt::kLevel), static_cast<std::uint32_t>(objects.level[i]));
  for (std::uint32_t c = 0; c < objects.counter_count; ++c)
    put(member(vt::kCounters[c]), objects.counters[std::size_t{i} * objects.counter_count + c]);
  if (!attributes.empty()) put(out, R"(,"attributes":{)", attributes, "}");
  put(out, "}");
}

void append_topology(Members& member, const Topology& topology, PeIndex pe) {
  if (topology.parent.empty()) return;
  const std::uint32_t vertex = topology.vertex_of_pe[pe];
  put(member(vt::kTopology), "\"", way_to(topology, vertex), "\"");
  if (topology.latency_s.empty()) return;
  put(member(vt::kTopologyLatency), "\"", along_way(topology, vertex, topology.latency_s), "\"");
  put(member(vt::kTopologyByteTime), "\"", along_way(topology, vertex, topology.byte_s), "\"");
}

/// Appends the phase's interval and its hyperedges `joined`, if any of them is known.
void append_phase(Output& file, const Snapshot& snapshot, const Hypergraph& joined) {
  std::string told;
  Members member(told);
  if (snapshot.interval_s > 0) put(member(vt::kIntervalS), snapshot.interval_s);
  if (snapshot.interval_points > 0) put(member(vt::kIntervalPoints), snapshot.interval_points);
  if (!joined.empty()) member(vt::kHyperedges);
  if (told.empty()) return;
  put(file.text(), R"(,"user_defined":{)", told);
  if (!joined.empty()) file.begin_array("[");
  for (std::size_t h = 0; h < joined.hyperedge_count(); ++h) {
    std::string& out = file.next();
    put(out, R"({"bytes":)", joined.bytes[h], R"(,"objects":[)");
    const char* between = "";
    for (const ObjectIndex i : joined.pins(h)) put(out, std::exchange(between, ","), snapshot.objects.id[i]);
    put(out, "]}");
  }
  put(file.text(), joined.empty() ? "}" : "]}");
}

void LoadWriter::State::append_pe(std::string& out, const Snapshot& snapshot, PeIndex pe) {
  put(out, R"({"entity":{"type":"object","id":)", std::uint64_t{vt::pe_task_id(pe)}, R"(,"home":)", pe,
      R"(,"migratable":false},"node":)", pe, R"(,"resource":"cpu","time":)", snapshot.pes.background_s[pe],
      R"(,"attributes":{)");
  Members member(out);
  put(member(vt::kSpeed), snapshot.pes.speed[pe]);
  put(member(vt::kNode), snapshot.pes.node[pe]);
  if (!snapshot.pes.memory_bytes.empty()) put(member(vt::kMemory), snapshot.pes.memory_bytes[pe]);
  append_topology(member, snapshot.topology, pe);
  put(out, "}}");
}

void LoadWriter::State::append_edges(Output& file, const Snapshot& snapshot, ObjectIndex from) {
  const CommGraph& graph = snapshot.graph;
  for (std::uint64_t e = graph.first[from]; e < graph.first[from + 1]; ++e) {
    std::string& out = file.next();
    put(out, R"({"type":"SendRecv","from":)");
    append_entity(out, snapshot.objects, from);
    put(out, R"(,"to":)");
    append_entity(out, snapshot.objects, graph.to[e]);
    put(out, R"(,"messages":)", graph.messages[e], R"(,"bytes":)", graph.bytes[e], "}");
  }
}

LoadWriter::LoadWriter(const std::string& name) : state_(std::make_unique<State>()) {
  state_->name = name;
  if (name.find("%p") == std::string::npos) state_->files.emplace_back(name);
}

LoadWriter::LoadWriter(LoadWriter&&) noexcept = default;

LoadWriter::~LoadWriter() {
  try {
    if (state_) close();
  } catch (const FileError&) {  // told to those who call close()
  }
}

void LoadWriter::write(std::uint64_t phase, const Snapshot& snapshot) {
  State& state = *state_;
  if (state.phases == 0) state.open(snapshot);
  if (snapshot.objects.counter_count > std::size(vt::kCounters))
    throw FileError(state.name + ": objects have " + number(snapshot.objects.counter_count) +
                    " counters; the file has room for " + number(std::size(vt::kCounters)));
  if (state.file_of_each_pe && snapshot.pe_count() != state.files.size())
    throw FileError(state.name + ": phase " + number(phase) + " has " + number(snapshot.pe_count()) +
                    " PEs, but there is a file for each of " + number(state.files.size()));

  const Objects& objects = snapshot.objects;
  const Hypergraph none;
  for (Output& file : state.files) {
    file.go_on();
    put(file.text(), state.phases ? ",\n" : "\n", R"({"id":)", phase);
    // Hyperedges belong to no PE: the first file has them all.
    append_phase(file, snapshot, &file == &state.files.front() ? snapshot.hypergraph : none);
    file.begin_array(R"(,"tasks":[)");
  }
  for (PeIndex pe = 0; pe < snapshot.pe_count(); ++pe)
    state.append_pe(state.file_of(pe).next(), snapshot, pe);
  for (ObjectIndex i = 0; i < objects.size(); ++i)
    state.append_object(state.file_of(objects.pe[i]).next(), snapshot, i);
  if (!snapshot.graph.empty()) {
    for (Output& file : state.files) file.begin_array(R"(],"communications":[)");
    for (ObjectIndex i = 0; i < objects.size(); ++i)
      state.append_edges(state.file_of(objects.pe[i]), snapshot, i);
  }
  for (Output& file : state.files) {
    put(file.text(), "]}");
    file.end_here();
  }
  ++state.phases;
}

void LoadWriter::close() {
  if (state_->phases == 0)
    for (Output& file : state_->files) put(file.text(), R"({"metadata":{"type":"LBDatafile"},"phases":[)");
  for (Output& file : state_->files) {
    if (state_->phases == 0) file.end_here();
    file.close();
  }
  state_->files.clear();
}

}  // namespace skein::lb
