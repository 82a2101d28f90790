// SPDX-License-Identifier: Apache-2.0
// Elements print in order, while they are steps apart and move: those of a dense array, of a section of it,
// and of an array with an index type of the program's. The standard output of PE 0 goes to a file, which is
// compared at the end with the output of a loop over the indices.
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "tests/job/native/check.hpp"

namespace {

constexpr int rows = 5, columns = 7, steps = 6, names = 9;

struct Name {
  unsigned char letters[4] = {};
  bool operator==(const Name&) const = default;
};
/// Returns the i-th name, in the order of their bytes.
Name name_of(int i) { return {{'n', static_cast<unsigned char>('a' + i), 0, 0}}; }

struct Named;
skein::ReadOnly<skein::Array<Named>> all_named;
native_test::Moves wanted;
int saved_output = -1;
char file_name[] = "/tmp/skein_ordered_XXXXXX";

std::string text_of_cell(int row, int column, int step) {
  if ((row + column + step) % 5 == 0) return "";
  std::string text =
      "cell " + std::to_string(row) + " " + std::to_string(column) + " step " + std::to_string(step);
  // One line, ended or not; two lines; a long line.
  if (column == 1) text += '\n';
  if (column == 2) text += "\nand again\n";
  if (column == 3) text += std::string(5000, '.');
  return text;
}
std::string line(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}
std::string expected() {
  std::string all;
  for (int step = 0; step < steps; ++step)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) all += line(text_of_cell(row, column, step));
  for (int round = 0; round < steps; ++round)
    for (int i = 0; i < rows; ++i)
      all += "diagonal " + std::to_string(i) + " " + std::to_string(round) + "\n";
  for (int i = 0; i < names; ++i) all += "name " + std::to_string(i) + "\n";
  return all;
}

void compare() {
  fflush(stdout);
  dup2(saved_output, STDOUT_FILENO);
  std::ifstream file(file_name);
  const std::string got(std::istreambuf_iterator<char>(file), {});
  unlink(file_name);
  EXPECT_EQUAL(got, expected());
  native_test::passed();
}

struct Named : skein::Chare<Named, Name> {
  explicit Named(int number = 0) : number_(number) {}
  void print() {
    skein::print_ordered(*this, "name " + std::to_string(number_));
    contribute(skein::to_function<void>([] { compare(); }));
  }

 private:
  int number_;
};

struct Cell : skein::Chare<Cell, skein::Index2> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& moves_& diagonal_;
  }
  void just_moved() { ++moves_; }
  void start(const skein::Section<Cell>& diagonal) {
    diagonal_ = diagonal;
    resume_from_sync();
  }
  void resume_from_sync() {
    const auto [row, column] = index().at;
    if (step_ < steps) {
      skein::print_ordered(*this, text_of_cell(row, column, step_));
      if (++step_ < steps) return at_sync();
    }
    contribute(moves_, skein::sum, skein::to<&Cell::print_diagonal>(array()));
  }
  void print_diagonal(int moves) {
    EXPECT_MOVES(moves, wanted);
    const auto [row, column] = index().at;
    if (row != column) return;
    for (int round = 0; round < steps; ++round)
      skein::print_ordered(*this, diagonal_, "diagonal " + std::to_string(row) + " " + std::to_string(round));
    contribute(diagonal_, 1, skein::sum, skein::to_function<int>([](int members) {
                 EXPECT_EQUAL(members, rows);
                 all_named->broadcast<&Named::print>();
               }));
  }

 private:
  int step_ = 0, moves_ = 0;
  skein::Section<Cell> diagonal_;
};

}  // namespace

int main(int argc, char** argv) {
  wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    saved_output = dup(STDOUT_FILENO);
    const int file = mkstemp(file_name);
    EXPECT(file >= 0 && saved_output >= 0);
    dup2(file, STDOUT_FILENO);
    const auto array = job.array<Cell>({rows, columns});
    all_named.set(job.sparse_array<Named>());
    for (int i = names; i-- > 0;) (*all_named)[name_of(i)].insert(i);
    array.broadcast<&Cell::start>(skein::section(array, [](const skein::Index2& i) { return i[0] == i[1]; }));
  });
}
