// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/calls/registry.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/base/fnv.hpp"
#include "skein/create.hpp"
#include "skein/job.hpp"

namespace skein::chare {
namespace {

/// A registry filled while static objects are made. `where` is the final address of the returned information.
template <class Info>
class Registry {
 public:
  Info add(Info info, const Info* where) {
    info.number = add_at(where);
    return info;
  }
  std::uint32_t add_at(const Info* where) {
    all_.push_back(where);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  const Info& at(std::uint32_t number) const {
    SKEIN_CHECK(number < all_.size(), "number %u of %zu registered", number, all_.size());
    return *all_[number];
  }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<const Info*> all_;
};

/// Initialised before any static object uses it, so that no call needs a check.
template <class Info>
constinit Registry<Info> the_registry;
template <class Info>
Registry<Info>& registry() {
  return the_registry<Info>;
}

}  // namespace

const char* name_in_signature(const char* signature) {
  std::string_view name = signature;
  name.remove_prefix(name.find("method = ") + strlen("method = "));
  if (name.starts_with('&')) name.remove_prefix(1);
  for (const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::"})
    if (name.starts_with(unnamed)) name.remove_prefix(unnamed.size());
  return strndup(name.data(), name.find_first_of(";]"));  // never freed
}

EntryInfo::EntryInfo(const CallFunctions& calls, const ArgumentsInfo& its_arguments, Invoke its_invoke,
                     const char* its_name)
    : CallFunctions(calls),
      arguments(its_arguments),
      invoke(its_invoke),
      name(its_name),
      number(registry<EntryInfo>().add_at(this)) {}
ReducerInfo register_reducer(ReducerInfo info, ReducerInfo* where) {
  return registry<ReducerInfo>().add(info, where);
}
FunctionInfo register_function(FunctionInfo info, FunctionInfo* where) {
  return registry<FunctionInfo>().add(info, where);
}
ArrayInfo register_array(ArrayInfo info, ArrayInfo* where) { return registry<ArrayInfo>().add(info, where); }

SingleClassInfo register_single_class(SingleClassInfo info, SingleClassInfo* where) {
  return registry<SingleClassInfo>().add(info, where);
}

const EntryInfo& entry_number(std::uint32_t number) { return registry<EntryInfo>().at(number); }
const ReducerInfo& reducer_number(std::uint32_t number) { return registry<ReducerInfo>().at(number); }
const FunctionInfo& function_number(std::uint32_t number) { return registry<FunctionInfo>().at(number); }
const ArrayInfo& array_info_number(std::uint32_t number) { return registry<ArrayInfo>().at(number); }

const SingleClassInfo& single_class_number(std::uint32_t number) {
  return registry<SingleClassInfo>().at(number);
}
std::uint32_t single_class_count() { return static_cast<std::uint32_t>(registry<SingleClassInfo>().size()); }

std::uint64_t registered_digest(std::size_t read_only_values) {
  Fnv1a digest(registry<ReducerInfo>().size() * 3 + registry<FunctionInfo>().size() * 5 +
               registry<ArrayInfo>().size() * 7 + single_class_count() * 13 + read_only_values * 11);
  for (std::uint32_t i = 0; i < registry<EntryInfo>().size(); ++i)
    digest.add(entry_number(i).name, strlen(entry_number(i).name) + 1);
  return digest.value();
}

std::string class_name(const std::type_info& type) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : type.name();
  free(readable);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
  return name;
}

}  // namespace skein::chare
