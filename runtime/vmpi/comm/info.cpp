// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/info.hpp"

#include <errno.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {
namespace {

int get_info(const ApiCall& call, MPI_Info handle, Info*& info) {
  info = call.state.infos.find(handle);
  return info ? MPI_SUCCESS
              : raise(call, nullptr, MPI_ERR_INFO, "0x%zx is no info object, or one that was freed",
                      static_cast<std::size_t>(handle_value(handle)));
}

/// Returns MPI_INFO_ENV: the program's name and the number of ranks. Made at its first use.
Info& environment_info(RankState& state) {
  if (!state.environment_info) {
    state.environment_info = make_info(state);
    state.environment_info->set("command", program_invocation_name);
    state.environment_info->set("maxprocs", std::to_string(job_ranks.count));
  }
  return *state.environment_info;
}

/// Gets an info object for functions that only read, which may have MPI_INFO_ENV, too.
int get_readable_info(const ApiCall& call, MPI_Info handle, const Info*& info) {
  if (handle == MPI_INFO_ENV) {
    info = &environment_info(call.state);
    return MPI_SUCCESS;
  }
  Info* found = nullptr;
  const int error = get_info(call, handle, found);
  info = found;
  return error;
}

int check_key(const ApiCall& call, const char* key) {
  if (key && *key && strlen(key) < MPI_MAX_INFO_KEY) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_INFO_KEY, "the key is empty or longer than MPI_MAX_INFO_KEY");
}

MPI_Info publish(RankState& state, Info* info) { return info->handle = state.infos.add(info); }

void copy_out(std::string_view text, char* to, std::size_t room) {
  const std::size_t length = std::min(text.size(), room - 1);
  memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

void Info::set(std::string_view key, std::string_view value) {
  if (const auto known = values_.find(key); known != values_.end()) {
    known->second.text = value;
    return;
  }
  if (in_order_.size() > 2 * values_.size()) close_gaps();
  std::pmr::memory_resource* const memory = values_.get_allocator().resource();
  const auto added = values_.try_emplace(std::pmr::string(key, memory),
                                         Value{std::pmr::string(value, memory), in_order_.size()});
  in_order_.push_back(&*added.first);
}

bool Info::remove(std::string_view key) {
  const auto known = values_.find(key);
  if (known == values_.end()) return false;
  in_order_[known->second.at] = nullptr;
  values_.erase(known);
  return true;
}

void Info::close_gaps() const {
  std::erase(in_order_, nullptr);
  for (std::size_t at = 0; at < in_order_.size(); ++at) in_order_[at]->second.at = at;
}

std::string_view Info::key(int n) const {
  if (in_order_.size() > values_.size()) close_gaps();
  return in_order_[static_cast<std::size_t>(n)]->first;
}

const std::pmr::string* Info::find(std::string_view key) const {
  const auto known = values_.find(key);
  return known == values_.end() ? nullptr : &known->second.text;
}

void Info::copy_from(const Info& other) {
  values_.clear();
  in_order_.clear();
  for (const auto* entry : other.in_order_)
    if (entry) set(entry->first, entry->second.text);
}

Info* make_info(RankState& state) {
  return new (state.memory.allocate(sizeof(Info), alignof(Info))) Info(&state.memory);
}

void release_info(RankState& state, Info* info) {
  if (!info) return;
  info->~Info();
  state.memory.deallocate(info, sizeof(Info), alignof(Info));
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Info_create(MPI_Info* info) {
  ApiCall call("MPI_Info_create", Outside::is_allowed);
  *info = publish(call.state, make_info(call.state));
  return MPI_SUCCESS;
}

int MPI_Info_free(MPI_Info* handle) {
  ApiCall call("MPI_Info_free", Outside::is_allowed);
  SKEIN_GET(Info*, info, get_info(call, *handle, info));
  call.state.infos.remove(*handle);
  release_info(call.state, info);
  *handle = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

int MPI_Info_set(MPI_Info handle, const char* key, const char* value) {
  ApiCall call("MPI_Info_set", Outside::is_allowed);
  SKEIN_GET(Info*, info, get_info(call, handle, info));
  SKEIN_TRY(check_key(call, key));
  if (!value || strlen(value) >= MPI_MAX_INFO_VAL)
    return raise(call, nullptr, MPI_ERR_INFO_VALUE, "the value is null or longer than MPI_MAX_INFO_VAL");
  info->set(key, value);
  return MPI_SUCCESS;
}

int MPI_Info_delete(MPI_Info handle, const char* key) {
  ApiCall call("MPI_Info_delete", Outside::is_allowed);
  SKEIN_GET(Info*, info, get_info(call, handle, info));
  SKEIN_TRY(check_key(call, key));
  if (!info->remove(key)) return raise(call, nullptr, MPI_ERR_INFO_NOKEY, "there is no key \"%s\"", key);
  return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info handle, const char* key, int valuelen, char* value, int* flag) {
  ApiCall call("MPI_Info_get", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  SKEIN_TRY(check_key(call, key));
  if (valuelen < 0) return raise(call, nullptr, MPI_ERR_ARG, "the length is %d", valuelen);
  const std::pmr::string* const found = info->find(key);
  *flag = found != nullptr;
  if (found) copy_out(*found, value, static_cast<std::size_t>(valuelen) + 1);
  return MPI_SUCCESS;
}

int MPI_Info_get_string(MPI_Info handle, const char* key, int* buflen, char* value, int* flag) {
  ApiCall call("MPI_Info_get_string", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  SKEIN_TRY(check_key(call, key));
  const std::pmr::string* const found = info->find(key);
  *flag = found != nullptr;
  if (!found) return MPI_SUCCESS;
  if (*buflen > 0) copy_out(*found, value, static_cast<std::size_t>(*buflen));
  *buflen = static_cast<int>(found->size()) + 1;
  return MPI_SUCCESS;
}

int MPI_Info_get_valuelen(MPI_Info handle, const char* key, int* valuelen, int* flag) {
  ApiCall call("MPI_Info_get_valuelen", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  SKEIN_TRY(check_key(call, key));
  const std::pmr::string* const found = info->find(key);
  *flag = found != nullptr;
  if (found) *valuelen = static_cast<int>(found->size());
  return MPI_SUCCESS;
}

int MPI_Info_get_nkeys(MPI_Info handle, int* nkeys) {
  ApiCall call("MPI_Info_get_nkeys", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  *nkeys = info->size();
  return MPI_SUCCESS;
}

int MPI_Info_get_nthkey(MPI_Info handle, int n, char* key) {
  ApiCall call("MPI_Info_get_nthkey", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  if (n < 0 || n >= info->size())
    return raise(call, nullptr, MPI_ERR_ARG, "key number %d of %d", n, info->size());
  copy_out(info->key(n), key, MPI_MAX_INFO_KEY);
  return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info handle, MPI_Info* newinfo) {
  ApiCall call("MPI_Info_dup", Outside::is_allowed);
  SKEIN_GET(const Info*, info, get_readable_info(call, handle, info));
  Info* const copy = make_info(call.state);
  copy->copy_from(*info);
  *newinfo = publish(call.state, copy);
  return MPI_SUCCESS;
}

int MPI_Info_create_env(int, char*[], MPI_Info* info) {
  ApiCall call("MPI_Info_create_env", Outside::is_allowed);
  *info = publish(call.state, make_info(call.state));
  return MPI_SUCCESS;
}

}  // extern "C"
