// SPDX-License-Identifier: Apache-2.0
#include "skein/future.hpp"

#include <string>

#include "runtime/chare/activities/activities_state.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/entry.hpp"

namespace skein::chare {
namespace {

FutureUser who_runs() {
  if (!calls_here.running.element) return {};
  const ArrayBase& array = *calls_here.running.element->array;
  const Bytes index = array.index_of(*calls_here.running.element);
  return {array.number(), calls_here.running.entry->number, {index.begin(), index.end()}};
}

std::string name_of(const FutureUser& doer) {
  if (doer.array == FutureName::no_maker) return "a function";
  const ArrayBase& array = array_number(doer.array);
  return array.name() + array.text(doer.index) + " in " + entry_number(doer.entry).name;
}

void close_if_complete(std::uint64_t number) {
  const auto at = activities->open_futures.find(number);
  if (!at->second.value || !at->second.wanted_by) return;
  const OpenFuture complete = std::move(at->second);
  activities->open_futures.erase(at);
  deliver(*complete.wanted_by, *complete.value);
}

void set_here(const FutureName& future, const FutureUser& setter, Bytes value) {
  const auto at = activities->open_futures.find(future.number);
  if (at == activities->open_futures.end())
    fail(name_of(future) + " is set twice: now by " + name_of(setter) + "; its first value was taken");
  OpenFuture& state = at->second;
  if (state.value)
    fail(name_of(future) + " is set twice: by " + name_of(state.setter) + " and by " + name_of(setter));
  state.value.emplace(value.begin(), value.end());
  state.setter = setter;
  close_if_complete(future.number);
}

void request_here(const FutureName& future, const FutureUser& asker, const Destination& destination) {
  const auto at = activities->open_futures.find(future.number);
  if (at == activities->open_futures.end() || at->second.wanted_by)
    fail(name_of(future) + " is asked for its value twice, now by " + name_of(asker));
  at->second.wanted_by = destination;
  close_if_complete(future.number);
}

struct Setting {
  FutureName future;
  FutureUser setter;
  std::vector<std::byte> value;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& future& setter& value;
  }
};
void on_set(int, Bytes message) {
  const auto setting = unpack<Setting>(message);
  set_here(setting.future, setting.setter, setting.value);
}

struct Request {
  FutureName future;
  FutureUser asker;
  Destination destination;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& future& asker;
    ar.raw(&destination, sizeof destination);
  }
};
void on_request(int, Bytes message) {
  const auto request = unpack<Request>(message);
  request_here(request.future, request.asker, request.destination);
}

void check_exists(const FutureName& future, const char* what) {
  if (future.pe < 0)
    fail(std::string(what) +
         " a future that is none: it was default-constructed, not made by Future::make()");
  if (future.job != job_number())
    fail(std::string(what) + " a future of an earlier job of this program: futures end with their job");
}

/// Returns true if a callback waits. Elements report their own waits.
bool has_waiting_callback(const OpenFuture& state) {
  return state.wanted_by && state.wanted_by->kind != Destination::Kind::waiting_element;
}
std::size_t count_waiting_callbacks() {
  std::size_t count = 0;
  for (const auto& [number, state] : activities->open_futures) count += has_waiting_callback(state);
  return count;
}
void describe_waiting_callbacks(std::vector<std::string>& lines) {
  for (const auto& [number, state] : activities->open_futures)
    if (has_waiting_callback(state))
      lines.push_back("a callback waits for the future " + std::to_string(number) + " of PE " +
                      std::to_string(net::world.pe));
}

/// The call that brings a value to an element.
using Value = std::tuple<FutureName, std::vector<std::byte>>;
const EntryInfo value_arrival(
    plain_calls, arguments_info<Value>,
    [](Element& element, void* arguments) {
      const auto& [future, value] = *static_cast<Value*>(arguments);
      control_of(element).keep(future, value);
    },
    "a future's value");

const Receives values(Kind::future_set, on_set);
const Receives requests(Kind::future_request, on_request);
const WaitSource future_waits(Way::future, count_waiting_callbacks, describe_waiting_callbacks);

}  // namespace

std::string name_of(const FutureName& future) {
  std::string text =
      "the future " + std::to_string(future.number) + " of PE " + std::to_string(future.pe) + ", made by ";
  if (future.array == FutureName::no_maker) return text + "a function";
  return text + array_number(future.array).name() + " in " + entry_number(future.entry).name;
}

FutureName new_future() {
  FutureName name{.number = activities->futures_made++, .pe = net::world.pe, .job = job_number()};
  if (calls_here.running.element) {
    name.array = calls_here.running.element->array->number();
    name.entry = calls_here.running.entry->number;
  }
  if (!settings.running_again) activities->open_futures[name.number];
  return name;
}
std::uint64_t& futures_made() { return activities->futures_made; }
bool any_open_future() { return !activities->open_futures.empty(); }

void set_future(const FutureName& future, Bytes packed) {
  if (settings.running_again) return;
  check_exists(future, "a value is set in");
  if (future.pe == net::world.pe) return set_here(future, who_runs(), packed);
  post(future.pe, Kind::future_set, pack(Setting{future, who_runs(), {packed.begin(), packed.end()}}));
}

void request_future(const FutureName& future, const Destination& destination) {
  if (settings.running_again) return;
  check_exists(future, "a value is wanted of");
  if (future.pe == net::world.pe) return request_here(future, who_runs(), destination);
  post(future.pe, Kind::future_request, pack(Request{future, who_runs(), destination}));
}

void request_value(const Element& element, const FutureName& future) {
  const Bytes index = element.array->index_of(element);
  Destination to;
  to.kind = Destination::Kind::waiting_element;
  to.array = element.array->number();
  to.target = value_arrival.number;
  to.future = future;
  if (index.size() > Destination::longest_index) fail("its index is too long for it to wait for a future");
  to.index_bytes = static_cast<std::uint32_t>(index.size());
  memcpy(to.index, index.data(), index.size());
  request_future(future, to);
}

}  // namespace skein::chare
