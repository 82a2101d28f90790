// SPDX-License-Identifier: Apache-2.0
// `files [ROUNDS]`: files that a rank holds open while it moves, in the working directory: stdio, iostreams,
// raw descriptors, files open for appending, files without a name.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "check.h"

namespace {

std::string own_name(const char* kind) {
  return std::string("files.") + kind + "." + std::to_string(my_rank);
}

std::string contents(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  CHECK(in.is_open());
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

std::string line(int round) {
  return "rank " + std::to_string(my_rank) + " round " + std::to_string(round) + "\n";
}

std::string lines(int rounds) {
  std::string all;
  for (int round = 0; round < rounds; ++round) all += line(round);
  return all;
}

/// All files that are open at once.
struct Open {
  FILE* written = fopen(own_name("stdio").c_str(), "w");
  FILE* both = fopen(own_name("update").c_str(), "w+");
  FILE* unbuffered = fopen(own_name("unbuffered").c_str(), "w");
  FILE* temporary = tmpfile();
  std::ofstream stream{own_name("stream")};
  std::fstream two_way{own_name("two-way"), std::ios::in | std::ios::out | std::ios::trunc};
  int raw = open(own_name("raw").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  int append = open("files.append", O_WRONLY | O_CREAT | O_APPEND, 0600);
  int nameless = open(own_name("nameless").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  int twin;

  Open() : twin(dup(raw)) {
    CHECK(written && both && unbuffered && temporary && stream && two_way);
    CHECK(raw >= 0 && append >= 0 && nameless >= 0 && twin >= 0);
    CHECK(unlink(own_name("nameless").c_str()) == 0);
    setvbuf(unbuffered, nullptr, _IONBF, 0);
  }
};

void write_one_round(Open& open, int round) {
  const std::string text = line(round);
  CHECK(fputs(text.c_str(), open.written) >= 0);  // mostly in its buffer when the rank moves
  CHECK(fputs(text.c_str(), open.unbuffered) >= 0);
  CHECK(fprintf(open.temporary, "%8d", round) == 8);
  open.stream << text << std::flush;
  CHECK(fwrite(&round, sizeof round, 1, open.both) == 1);
  open.two_way.seekp(0, std::ios::end);
  open.two_way << text;
  CHECK(write(open.raw, &round, sizeof round) == sizeof round);
  const std::string record = std::to_string(1000 + my_rank) + "\n";
  CHECK(write(open.append, record.data(), record.size()) == static_cast<ssize_t>(record.size()));
  CHECK(pwrite(open.nameless, &round, sizeof round, 8L * round) == sizeof round);
}

void read_back(Open& open, int round) {
  // The descriptor keeps its number, its offset, and the offset that it shares with its twin.
  const auto here = static_cast<off_t>(sizeof(int)) * (round + 1);
  CHECK(lseek(open.raw, 0, SEEK_CUR) == here && lseek(open.twin, 0, SEEK_CUR) == here);
  const int earlier = round / 2;
  int number = -1;
  CHECK(pread(open.raw, &number, sizeof number, 4L * earlier) == sizeof number && number == earlier);
  CHECK(pread(open.nameless, &number, sizeof number, 8L * earlier) == sizeof number && number == earlier);
  CHECK(ftell(open.both) == 4L * (round + 1));
  CHECK(fseek(open.both, 4L * earlier, SEEK_SET) == 0);
  CHECK(fread(&number, sizeof number, 1, open.both) == 1 && number == earlier);
  maybe_move();  // while bytes are read ahead
  CHECK(fseek(open.both, 0, SEEK_END) == 0);
  CHECK(ftell(open.temporary) == 8L * (round + 1));
  CHECK(contents(own_name("unbuffered")) == lines(round + 1));
  CHECK(contents(own_name("stream")) == lines(round + 1));
  open.two_way.seekg(0);
  std::string word;
  int rank;
  open.two_way >> word >> rank;
  CHECK(word == "rank" && rank == my_rank);
}

void close_all(Open& open, int rounds) {
  CHECK(fclose(open.written) == 0 && contents(own_name("stdio")) == lines(rounds));
  rewind(open.temporary);
  for (int round = 0; round < rounds; ++round) {
    int number;
    CHECK(fscanf(open.temporary, "%8d", &number) == 1 && number == round);
  }
  CHECK(fclose(open.temporary) == 0 && fclose(open.both) == 0 && fclose(open.unbuffered) == 0);
  open.two_way.close();
  CHECK(contents(own_name("two-way")) == lines(rounds));
  open.stream.close();
  struct stat state;
  CHECK(fstat(open.nameless, &state) == 0 && state.st_nlink == 0 && state.st_size == 8L * (rounds - 1) + 4);
  CHECK(close(open.raw) == 0 && close(open.append) == 0 && close(open.nameless) == 0 &&
        close(open.twin) == 0);
}

/// Checks that each rank's lines are all there, whole, whoever appended meanwhile.
void check_appended(int rounds) {
  std::ifstream in("files.append");
  int number, mine = 0, all = 0;
  while (in >> number) {
    CHECK(number >= 1000 && number < 1000 + rank_count);
    mine += number == 1000 + my_rank;
    ++all;
  }
  CHECK(mine == rounds && all == rounds * rank_count);
}

/// Returns when all ranks have come here.
void everybody() {
  for (int distance = 1; distance < rank_count; distance *= 2)
    MPI_Sendrecv(nullptr, 0, MPI_INT, (my_rank + distance) % rank_count, 1, nullptr, 0, MPI_INT,
                 (my_rank - distance + rank_count) % rank_count, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 20);
  if (my_rank == 0) unlink("files.append");
  everybody();
  Open open;
  for (int round = 0; round < rounds; ++round) {
    write_one_round(open, round);
    maybe_move();
    read_back(open, round);
    maybe_move();
  }
  close_all(open, rounds);
  everybody();
  check_appended(rounds);
  everybody();
  for (const char* kind : {"stdio", "update", "unbuffered", "stream", "two-way", "raw"})
    CHECK(unlink(own_name(kind).c_str()) == 0);
  finish("files");
  return 0;
}
