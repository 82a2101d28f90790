// SPDX-License-Identifier: Apache-2.0
// Mistakes in node tables, parallel loops and arrays in files; the first argument says which.
// wrong_together.sh checks the messages of the job.
#include <cstring>
#include <skein/skein.hpp>

namespace {

const char* mistake = "";
bool is(const char* name) { return strcmp(mistake, name) == 0; }

void nothing() {}

skein::NodeTable<double> table, late;

struct Cell : skein::Chare<Cell, skein::Index1> {
  void loop() {
    if (is("grain")) skein::parallel_for(0, 10, 0, [](std::int64_t) {});
    if (is("loop-throws"))
      skein::parallel_for(0, 10, 1, [](std::int64_t) { throw std::runtime_error("out of loops"); });
    // Only on another PE, if there is one.
    if (is("loop-faults") || is("loop-throws-elsewhere"))
      for (;;)
        skein::parallel_for(0, 1000, 1, [own = skein::this_pe()](std::int64_t) {
          const double until = skein::job_seconds() + 1e-5;
          while (skein::job_seconds() < until) {
          }
          if (skein::pe_count() > 1 && skein::this_pe() == own) return;
          if (is("loop-faults")) const_cast<double&>(table[1]) = 1;
          throw std::runtime_error("out of help");
        });
  }
  void spoil_table() { const_cast<double&>(table[2]) = 1; }
  void write() {
    const int i = index()[0];
    skein::FileArray<2> file{.path = "/tmp/no/such", .shape = {4, 10}};
    skein::FileBlock<2> block{.first = {i, 0}, .extent = {1, 10}};
    std::vector<float> values(10);
    if (is("file-no-path")) file.path.clear();
    if (is("file-offset")) file.offset = -8;
    if (is("file-block-outside")) ++block.first[0];
    if (is("file-memory-outside")) block.memory = {1, 9};
    if (is("file-too-few")) values.pop_back();
    if (is("file-two-files")) file.path += std::to_string(i);
    skein::write_block(*this, file, values, block, skein::to_function<void>([] { nothing(); }));
  }
};

void begin(skein::Job& job) {
  const auto cells = job.array<Cell>(4);
  table.set(std::vector<double>(10));
  if (is("spoil-table")) return cells[3].send<&Cell::spoil_table>();
  if (is("late-table"))
    return job.at_quiescence(skein::to_function<void>([] { late.set(std::vector<double>(2)); }));
  if (is("build-throws"))
    return late.build(5, [](std::span<double> all) {
      if (all.size() == 5) throw std::runtime_error("out of tables");
    });
  if (is("huge-table")) return late.build(std::size_t{1} << 62, [](std::span<double>) {});
  if (is("large-table")) return late.build(std::size_t{1} << 50, [](std::span<double>) {});
  cells[3].send<&Cell::loop>();
  if (mistake[0] == 'f') cells.broadcast<&Cell::write>();
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argv[1];
  return skein::run(argc, argv, [](skein::Job& job) { begin(job); });
}
