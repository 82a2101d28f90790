// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/environment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {
namespace {

char** job_environment = nullptr;  // null until set_job_environment()

bool is_named(const char* entry, std::string_view name) {
  return strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

char** find(char** vector, std::string_view name) {
  for (char** entry = vector; entry && *entry; ++entry)
    if (is_named(*entry, name)) return entry;
  return nullptr;
}

bool valid_name(const char* name) { return name && *name && !strchr(name, '='); }

void publish(Environment& environment) {
  if (environment.variable) *environment.variable = environment.own;
}

/// Makes the rank's own vector, with room for one entry more than `current` has. As in the C library, strings
/// that are replaced stay allocated, because the program may still hold what getenv() returned.
char** own_vector(Rank& rank, char** current) {
  Environment& environment = rank.process->environment;
  const std::size_t entries = null_ended_length(current);
  if (!environment.own || current != environment.own || entries + 2 > environment.capacity) {
    std::pmr::polymorphic_allocator<> slot(&rank.memory);
    const std::size_t capacity = std::max<std::size_t>(entries + 2, 2 * environment.capacity);
    char** larger = slot.allocate_object<char*>(capacity);
    std::copy_n(current, entries, larger);
    larger[entries] = nullptr;
    if (environment.own) slot.deallocate_object(environment.own, environment.capacity);
    environment.own = larger;
    environment.capacity = capacity;
  }
  environment.cleared = false;
  publish(environment);
  return environment.own;
}

void put(Rank& rank, char* entry, std::string_view name) {
  char** vector = own_vector(rank, environment_of(rank));
  if (char** old = find(vector, name)) {
    *old = entry;
  } else {
    const std::size_t entries = null_ended_length(vector);
    vector[entries] = entry;
    vector[entries + 1] = nullptr;
  }
}

/// Warns of a change of TZ: the C library's time functions read the process's, which is the job's.
void note_time_zone(const Rank& rank, std::string_view name) {
  if (name == "TZ")
    warn_once("rank %d changed TZ: local time in ranks keeps the zone that the job was started with",
              rank.id);
}

char* rank_getenv(const char* name) {
  char** entry = find(environment_of(calling_rank("getenv")), name);
  return entry ? *entry + strlen(name) + 1 : nullptr;
}

int rank_unsetenv(const char* name) {
  if (!valid_name(name)) {
    errno = EINVAL;
    return -1;
  }
  Rank& rank = calling_rank("unsetenv");
  if (!find(environment_of(rank), name)) return 0;
  note_time_zone(rank, name);
  char** vector = own_vector(rank, environment_of(rank));
  while (char** entry = find(vector, name))
    for (; *entry; ++entry) entry[0] = entry[1];
  return 0;
}

int rank_setenv(const char* name, const char* value, int overwrite) {
  if (!valid_name(name)) {
    errno = EINVAL;
    return -1;
  }
  Rank& rank = calling_rank("setenv");
  if (!overwrite && find(environment_of(rank), name)) return 0;
  note_time_zone(rank, name);
  const std::size_t name_length = strlen(name);
  const std::size_t value_bytes = strlen(value) + 1;
  auto* entry = static_cast<char*>(rank.memory.allocate(name_length + 1 + value_bytes, 1));
  memcpy(entry, name, name_length);
  entry[name_length] = '=';
  memcpy(entry + name_length + 1, value, value_bytes);
  put(rank, entry, name);
  return 0;
}

int rank_putenv(char* entry) {
  const char* equals = strchr(entry, '=');
  if (!equals) return rank_unsetenv(entry);
  Rank& rank = calling_rank("putenv");
  const std::string_view name(entry, static_cast<std::size_t>(equals - entry));
  note_time_zone(rank, name);
  put(rank, entry, name);
  return 0;
}

int rank_clearenv() {
  Rank& rank = calling_rank("clearenv");
  Environment& environment = rank.process->environment;
  std::pmr::polymorphic_allocator<> slot(&rank.memory);
  if (environment.own) slot.deallocate_object(environment.own, environment.capacity);
  environment.own = nullptr;
  environment.capacity = 0;
  environment.cleared = true;
  publish(environment);
  return 0;
}

/// Registers the program's `environ`; called by the private library's constructor.
void register_variable(char*** variable) {
  Rank& rank = calling_rank("skein_private_environ");
  *variable = environment_of(rank);
  rank.process->environment.variable = variable;
}

}  // namespace

std::vector<char> flatten_environment(const char* const* environment) {
  std::vector<char> block;
  for (; *environment; ++environment)
    block.insert(block.end(), *environment, *environment + strlen(*environment) + 1);
  return block;
}

void set_job_environment(std::span<const char> block) {
  const auto strings = static_cast<std::size_t>(std::count(block.begin(), block.end(), '\0'));
  const std::size_t vector_bytes = (strings + 1) * sizeof(char*);
  void* wanted = reinterpret_cast<void*>(kJobEnvironmentAddress);
  void* memory = mmap(wanted, vector_bytes + block.size(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted)
    throw Error(format("cannot map the job's environment at %p: %s", wanted,
                       memory == MAP_FAILED ? strerror(errno) : "the system chose another address"));
  job_environment = static_cast<char**>(memory);
  char* text = static_cast<char*>(memory) + vector_bytes;
  std::copy(block.begin(), block.end(), text);
  for (std::size_t i = 0; i < strings; ++i) {
    job_environment[i] = text;
    text += strlen(text) + 1;
  }
  job_environment[strings] = nullptr;
}

char** environment_of(Rank& rank) {
  const Environment& environment = rank.process->environment;
  if (environment.variable) return *environment.variable;
  if (environment.own) return environment.own;
  return environment.cleared ? nullptr : job_environment;
}

EnvironmentScope::EnvironmentScope(Rank* rank) : saved_(environ) {
  if (rank) environ = environment_of(*rank);
}
EnvironmentScope::~EnvironmentScope() { environ = saved_; }

const Overrides environment_overrides({
    {"getenv", address_of(rank_getenv)},
    {"secure_getenv", address_of(rank_getenv)},
    {"__secure_getenv", address_of(rank_getenv)},
    {"setenv", address_of(rank_setenv)},
    {"unsetenv", address_of(rank_unsetenv)},
    {"putenv", address_of(rank_putenv)},
    {"clearenv", address_of(rank_clearenv)},
    {"skein_private_environ", address_of(register_variable)},
});

}  // namespace skein::libc
