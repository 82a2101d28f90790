// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/counters.hpp"

#include <papi.h>

#include <string_view>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"

namespace skein::load {
namespace {

constexpr std::size_t names_shown = 12;

int event_set = PAPI_NULL;
std::size_t event_count = 0;
long long last[max_counters] = {};

void add_names(std::vector<std::string>& names, int code, int component, std::string_view prefix) {
  for (int modifier = PAPI_ENUM_FIRST; PAPI_enum_cmp_event(&code, modifier, component) == PAPI_OK;
       modifier = PAPI_ENUM_EVENTS) {
    char name[PAPI_MAX_STR_LEN];
    if (PAPI_event_code_to_name(code, name) != PAPI_OK || !std::string_view(name).starts_with(prefix))
      continue;
    if (PAPI_query_named_event(name) == PAPI_OK) names.emplace_back(name);
  }
}

/// Names that can be counted here: presets first, then the kernel's software events, which every machine has.
std::string available() {
  std::vector<std::string> names;
  int code = static_cast<int>(PAPI_PRESET_MASK);
  if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) == PAPI_OK) {
    do {
      char name[PAPI_MAX_STR_LEN];
      if (PAPI_query_event(code) == PAPI_OK && PAPI_event_code_to_name(code, name) == PAPI_OK)
        names.emplace_back(name);
    } while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK && names.size() < names_shown);
  }
  for (int component = 0; component < PAPI_num_components(); ++component)
    add_names(names, static_cast<int>(PAPI_NATIVE_MASK), component, "perf::");
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < names_shown; ++i) text += (i ? ", " : "") + names[i];
  return names.size() > names_shown ? text + " ..." : text;
}

}  // namespace

void start_counters(std::span<const std::string> events) {
  if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
    throw Error("--papi: the PAPI library does not match the one Skein was built with");
  SKEIN_CHECK(PAPI_create_eventset(&event_set) == PAPI_OK, "PAPI_create_eventset failed");
  for (const std::string& event : events) {
    const int status = PAPI_add_named_event(event_set, event.c_str());
    if (status == PAPI_OK) continue;
    throw Error(format("--papi: the event %s cannot be counted here (%s); this machine has %s", event.c_str(),
                       PAPI_strerror(status), available().c_str()));
  }
  const int status = PAPI_start(event_set);
  if (status != PAPI_OK)
    throw Error(
        format("--papi: counting cannot be started (%s); fewer events at once may help, or a lower "
               "/proc/sys/kernel/perf_event_paranoid",
               PAPI_strerror(status)));
  event_count = events.size();
}

void charge_counters(Meter* meter) {
  long long now[max_counters];
  if (PAPI_read(event_set, now) != PAPI_OK) return;
  for (std::size_t i = 0; i < event_count; ++i) {
    if (meter) meter->counters[i] += now[i] - last[i];
    last[i] = now[i];
  }
}

}  // namespace skein::load
