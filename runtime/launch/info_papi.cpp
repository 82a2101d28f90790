// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/info.hpp"

#include <papi.h>
#include <unistd.h>

#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/load/software_events.hpp"

namespace skein::launch {
namespace {

constexpr int kNamesShown = 4;

/// The number of events, and the first few names.
struct Events {
  int count = 0;
  std::string names;

  void add(int code) {
    char name[PAPI_MAX_STR_LEN];
    if (count++ < kNamesShown && PAPI_event_code_to_name(code, name) == PAPI_OK)
      names.append(names.empty() ? "" : ", ").append(name);
  }
  std::string text() const {
    return std::to_string(count) + (count == 0 ? "" : ": " + names + (count > kNamesShown ? ", ..." : ""));
  }
};

Events preset_events() {
  Events events;
  int code = static_cast<int>(PAPI_PRESET_MASK);
  if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK) return events;
  do {
    if (PAPI_query_event(code) == PAPI_OK) events.add(code);
  } while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
  return events;
}

Events native_events(int component) {
  Events events;
  int code = static_cast<int>(PAPI_NATIVE_MASK);
  for (int modifier = PAPI_ENUM_FIRST; PAPI_enum_cmp_event(&code, modifier, component) == PAPI_OK;
       modifier = PAPI_ENUM_EVENTS)
    events.add(code);
  return events;
}

/// Returns the component's share of the kernel's software events, which need no hardware counters.
int software_events(int component) {
  int count = 0;
  int code = static_cast<int>(PAPI_NATIVE_MASK);
  for (int modifier = PAPI_ENUM_FIRST; PAPI_enum_cmp_event(&code, modifier, component) == PAPI_OK;
       modifier = PAPI_ENUM_EVENTS) {
    char name[PAPI_MAX_STR_LEN];
    count += PAPI_event_code_to_name(code, name) == PAPI_OK && std::string_view(name).starts_with("perf::");
  }
  return count;
}

std::string describe(int component, const PAPI_component_info_t& info) {
  std::string text = std::string(info.name) + ": ";
  if (info.disabled == PAPI_EDELAY_INIT) return text + "starts when first used";
  if (info.disabled != PAPI_OK) return text + "off: " + info.disabled_reason;
  const int software = software_events(component);
  text += native_events(component).text();
  return software == 0 ? text : text + format(" (%d software events perf::...)", software);
}

/// Returns the events that the kernel counts itself, whether PAPI offers them or not.
Fact kernel_events() {
  std::string names;
  for (const std::string& name : load::software_event_names()) {
    const int descriptor = load::open_software_event(name);
    if (descriptor < 0) continue;
    close(descriptor);
    names += (names.empty() ? "" : ", ") + name;
  }
  return {"events", "of the kernel, for --papi: " + (names.empty() ? "none allowed here" : names)};
}

}  // namespace

std::vector<Fact> papi_facts() {
  const int version = PAPI_library_init(PAPI_VER_CURRENT);
  if (version != PAPI_VER_CURRENT)
    return {{"PAPI", format("cannot be initialised: %s", version < 0 ? PAPI_strerror(version)
                                                                     : "another version than "
                                                                       "the one compiled for")}};
  std::vector<Fact> facts{{"PAPI", format("%d.%d.%d, preset events ", PAPI_VERSION_MAJOR(version),
                                          PAPI_VERSION_MINOR(version), PAPI_VERSION_REVISION(version)) +
                                       preset_events().text()}};
  for (int component = 0; component < PAPI_num_components(); ++component)
    if (const PAPI_component_info_t* info = PAPI_get_component_info(component))
      facts.push_back({"", describe(component, *info)});
  facts.push_back(kernel_events());
  return facts;
}

}  // namespace skein::launch
