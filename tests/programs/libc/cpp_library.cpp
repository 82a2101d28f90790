// SPDX-License-Identifier: Apache-2.0
// Does for C++ what c_library.c does for C: streams on files, objects that are destroyed at the end.
#include <sched.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

std::string path;
int order = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::cerr << "cpp_library: " << what << '\n';
  std::exit(1);
}

struct AtEnd {
  ~AtEnd() {
    expect(order == 2, "static objects are destroyed after thread-local ones and handlers");
    expect(std::remove(path.c_str()) == 0, "the file is there at the end");
  }
} at_end;

struct OfThread {
  ~OfThread() { expect(order++ == 0, "thread-local objects are destroyed first"); }
};
thread_local OfThread of_thread;

}  // namespace

int main(int argc, char** argv) {
  std::ios_base::sync_with_stdio(false);
  const void* touched = &of_thread;
  expect(touched != nullptr, "a thread-local object");
  std::atexit([] { expect(order++ == 1, "handlers run after thread-local objects"); });
  path = std::string(argv[argc - 1]) + "/cpp" + std::to_string(reinterpret_cast<std::uintptr_t>(&argc) >> 24);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::trunc);
  for (int i = 0; i < 3000; ++i) {
    file << i << ' ' << 0.5 * i << '\n';
    if (i % 700 == 0) sched_yield();
  }
  file.seekg(0);
  for (int i = 0; i < 3000; ++i) {
    int a = -1;
    double b = -1;
    file >> a >> b;
    expect(file && a == i && b == 0.5 * i, "what was written is read");
    if (i % 700 == 350) sched_yield();
  }
  return 0;
}
