// SPDX-License-Identifier: Apache-2.0
// Loads the library of which each rank has a copy by the system's loader, in two ways: once its names are
// bound as in a program that has copied the variables into its own data (here the C library's come first),
// once to the library's own variables.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "runtime/libc/process.hpp"

namespace {

char** given[] = {nullptr, nullptr};
char*** registered = nullptr;

struct PrivateLibrary {
  explicit PrivateLibrary(int mode) : handle(dlopen(SKEIN_PRIVATE_LIBRARY, RTLD_NOW | RTLD_LOCAL | mode)) {}
  ~PrivateLibrary() {
    if (handle) dlclose(handle);
  }
  template <class Type>
  Type* find(const char* name) const {
    return reinterpret_cast<Type*>(dlsym(handle, name));
  }
  void* handle;
};

}  // namespace

/// The library's constructor calls this; in the launcher it is an override.
extern "C" __attribute__((visibility("default"))) void skein_private_environ(char*** variable) {
  registered = variable;
  *variable = given[1] ? given[1] : environ;
}

extern "C" __attribute__((visibility("default"))) void skein_private_stdin(FILE** variable) {
  if (*variable == nullptr) *variable = stdin;  // else the program has one, here the C library
}

TEST_CASE("private library: asks for the stream of its own `stdin` when the program has none") {
  FILE* const before = stdin;
  const PrivateLibrary library(RTLD_DEEPBIND);
  REQUIRE(library.handle);
  CHECK(library.find<FILE*>("stdin") != &stdin);
  CHECK(*library.find<FILE*>("stdin") == before);
}

TEST_CASE("private library: registers its own `environ` when the program has none") {
  static char entry[] = "A=1";
  static char* vector[] = {entry, nullptr};
  given[1] = vector;
  const PrivateLibrary library(RTLD_DEEPBIND);
  given[1] = nullptr;
  INFO(std::string(library.handle ? "" : dlerror()));
  REQUIRE(library.handle);
  for (const char* name : {"environ", "_environ", "__environ"}) {
    CAPTURE(name);
    CHECK(library.find<char**>(name) == registered);
  }
  CHECK(registered != &environ);
  CHECK(*registered == vector);
}

TEST_CASE("private library: registers the program's `environ` when the program has one") {
  char** const before = environ;
  const PrivateLibrary library(0);
  REQUIRE(library.handle);
  CHECK(registered == &environ);
  CHECK(environ == before);
}

TEST_CASE("private library: lgamma leaves the sign in the variable") {
  const PrivateLibrary library(RTLD_DEEPBIND);
  REQUIRE(library.handle);
  const auto log_gamma = library.find<double(double)>("lgamma");
  int* const sign = library.find<int>("signgam");
  CHECK(log_gamma(-0.5) == doctest::Approx(std::log(2 * std::sqrt(M_PI))));  // gamma(-1/2) = -2 sqrt(pi)
  CHECK(*sign == -1);
  CHECK(log_gamma(5.0) == doctest::Approx(std::log(24.0)));
  CHECK(*sign == 1);
  CHECK(library.find<float(float)>("lgammaf")(-1.5F) == doctest::Approx(std::log(4 * std::sqrt(M_PI) / 3)));
  CHECK(*sign == 1);
  CHECK(library.find<long double(long double)>("lgammal")(-0.5L) < 1.2656L);
  CHECK(*sign == -1);
}

TEST_CASE("private library: defines every symbol for which it is loaded") {
  const PrivateLibrary library(RTLD_DEEPBIND);
  REQUIRE(library.handle);
  for (const std::string_view symbol : skein::libc::private_symbols()) {
    CAPTURE(std::string(symbol));
    Dl_info owner{};
    void* address = library.find<void>(std::string(symbol).c_str());
    CHECK(address != nullptr);
    CHECK(dladdr(address, &owner) != 0);
    CHECK(std::string(owner.dli_fname).find("libskein_private") != std::string::npos);
  }
}
