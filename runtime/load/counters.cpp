// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/counters.hpp"

#include <papi.h>
#include <unistd.h>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/load/software_events.hpp"

namespace skein::load {
namespace {

constexpr std::size_t kNamesShown = 12;

/// The source of a counter's value: a place in PAPI's event set, or a descriptor of the kernel.
struct Source {
  int papi_index = -1;
  int descriptor = -1;
};

struct EventCounters {
  std::vector<Source> sources;
  int event_set = PAPI_NULL;
  int papi_events = 0;
  std::int64_t last[kMaxCounters] = {};
};
EventCounters counters;

/// Names that can be counted here: PAPI's presets first, then the kernel's software events.
std::string available() {
  std::vector<std::string> names;
  int code = static_cast<int>(PAPI_PRESET_MASK);
  if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) == PAPI_OK) {
    do {
      char name[PAPI_MAX_STR_LEN];
      if (PAPI_query_event(code) == PAPI_OK && PAPI_event_code_to_name(code, name) == PAPI_OK)
        names.emplace_back(name);
    } while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK && names.size() < kNamesShown);
  }
  for (const std::string& name : software_event_names()) {
    const int descriptor = open_software_event(name);
    if (descriptor < 0) continue;
    close(descriptor);
    names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "no events at all" : text;
}

Source open_source(const std::string& event) {
  const int status = PAPI_add_named_event(counters.event_set, event.c_str());
  if (status == PAPI_OK) return {counters.papi_events++, -1};
  const int descriptor = open_software_event(event);
  if (descriptor < 0)
    throw Error(format(
        "--papi, or counters of --trace: the event %s cannot be counted here (%s); this machine has %s",
        event.c_str(), PAPI_strerror(status), available().c_str()));
  return {-1, descriptor};
}

}  // namespace

void start_counters(std::span<const std::string> events) {
  if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
    throw Error(
        "--papi, or counters of --trace: the PAPI library does not match the one Skein was built with");
  SKEIN_CHECK(PAPI_create_eventset(&counters.event_set) == PAPI_OK, "PAPI_create_eventset failed");
  for (const std::string& event : events) counters.sources.push_back(open_source(event));
  const int status = counters.papi_events > 0 ? PAPI_start(counters.event_set) : PAPI_OK;
  if (status != PAPI_OK)
    throw Error(
        format("--papi, or counters of --trace: counting cannot be started (%s); fewer events at once may "
               "help, or a lower /proc/sys/kernel/perf_event_paranoid",
               PAPI_strerror(status)));
}

void charge_counters(Meter* meter) {
  long long counted[kMaxCounters] = {};
  if (counters.papi_events > 0)
    SKEIN_CHECK(PAPI_read(counters.event_set, counted) == PAPI_OK, "PAPI_read failed");
  for (std::size_t i = 0; i < counters.sources.size(); ++i) {
    const Source& source = counters.sources[i];
    const std::int64_t now =
        source.papi_index >= 0 ? counted[source.papi_index] : read_software_event(source.descriptor);
    if (meter) meter->counters[i] += now - counters.last[i];
    counters.last[i] = now;
  }
}

}  // namespace skein::load
