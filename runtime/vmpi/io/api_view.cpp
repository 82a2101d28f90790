// SPDX-License-Identifier: Apache-2.0
// Views and file pointers (MPI 4.1, 14.3, 14.4 and 14.5).
#include <cstring>

#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/io/calls.hpp"
#include "runtime/vmpi/io/file.hpp"

namespace skein::vmpi {
namespace {

/// Makes a view from the arguments of MPI_File_set_view. Returns an error class; `out` is valid only on
/// MPI_SUCCESS.
int view_of_arguments(File& file, MPI_Offset displacement, MPI_Datatype etype_handle,
                      MPI_Datatype filetype_handle, const char* datarep, View& out) {
  RankState& state = file.state;
  const Datatype* const etype = find_type(state, etype_handle);
  const Datatype* const filetype = find_type(state, filetype_handle);
  if (!etype || !filetype || !etype->committed() || !filetype->committed()) return MPI_ERR_TYPE;
  const bool sequential = (file.amode & MPI_MODE_SEQUENTIAL) != 0;
  if (sequential != (displacement == MPI_DISPLACEMENT_CURRENT) || (!sequential && displacement < 0))
    return MPI_ERR_ARG;
  Representation representation;
  if (!datarep || !find_representation(state, datarep, representation)) return MPI_ERR_UNSUPPORTED_DATAREP;
  if (etype->size() == 0 ? filetype->size() != 0 : filetype->size() % etype->size() != 0) return MPI_ERR_ARG;
  if (!can_be_seen(*etype, file.writable()) || !can_be_seen(*filetype, file.writable())) return MPI_ERR_IO;
  return make_view(state, displacement, *etype, *filetype, representation, out);
}

/// Returns the offset of the shared pointer, for the displacement of the next view.
std::int64_t current_displacement(File& home) {
  return home.view.offset_of(home.common.shared_position * home.view.etype_bytes());
}

int set_view(const ApiCall& call, File& file, int argument_error, View& view) {
  check_collective_call(file.comm);
  int error = agree_on_error(file, argument_error);
  std::int64_t displacement = 0;
  if (error == MPI_SUCCESS) {
    if (file.comm.rank == 0) {
      displacement = current_displacement(file);
      set_shared_position(file, 0);
    }
    tell_members(file.comm, next_collective_tag(file.comm), &displacement, sizeof displacement);
  }
  if (error != MPI_SUCCESS) {
    if (argument_error == MPI_SUCCESS) release_view(view);
    return raise(call, &file.comm, error, "a member of %s gave arguments that make no view: %s",
                 file.path.c_str(), error_text(error));
  }
  if (view.displacement == MPI_DISPLACEMENT_CURRENT) view.displacement = displacement;
  release_view(file.view);
  file.view = view;
  file.position = 0;
  return MPI_SUCCESS;
}

/// Sets the position that MPI_SEEK_END counts from, in etypes: the first at or behind the end.
int end_of_file(File& file, std::int64_t& etypes) {
  net::PeFile* here = nullptr;
  std::int64_t size = 0;
  net::FileFault fault = file_here(file, here);
  if (fault == net::FileFault::none) fault = net::get_file_size(*here, size);
  const std::int64_t unit = file.view.etype_bytes();
  etypes = unit > 0 ? (file.view.position_of(size) + unit - 1) / unit : 0;
  return error_class_of(fault);
}

/// Computes the position that a seek asks for. Returns an error class.
int sought(File& file, MPI_Offset offset, int whence, std::int64_t current, std::int64_t& out) {
  std::int64_t base = 0;
  if (whence == MPI_SEEK_CUR)
    base = current;
  else if (whence == MPI_SEEK_END) {
    if (const int error = end_of_file(file, base); error != MPI_SUCCESS) return error;
  } else if (whence != MPI_SEEK_SET)
    return MPI_ERR_ARG;
  if (base + offset < 0) return MPI_ERR_ARG;
  out = base + offset;
  return MPI_SUCCESS;
}

/// Gets the extent of a type in the file. Returns an error class.
int extent_in_file(const ApiCall& call, MPI_File fh, MPI_Datatype datatype, std::int64_t& extent) {
  SKEIN_GET(File*, file, get_file(call, fh, file));
  const Datatype* const type = find_type(call.state, datatype);
  if (!type) return raise_bad_type(call, &file->comm, datatype);
  const Datatype* laid_out = nullptr;
  const int error = lay_out_in_file(call.state, file->view.representation, *type, laid_out);
  if (error != MPI_SUCCESS)
    return raise(call, &file->comm, error, "the datatype has no form in this data representation");
  extent = laid_out->extent();
  laid_out->release();
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                      const char* datarep, MPI_Info info) {
  ApiCall call("MPI_File_set_view");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  const RecordedFileOther recorded(call.state);
  take_hints(*file, info);
  View view;
  const int error = view_of_arguments(*file, disp, etype, filetype, datarep, view);
  return set_view(call, *file, error, view);
}

int MPI_File_get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                      char* datarep) {
  ApiCall call("MPI_File_get_view");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  if (!disp || !etype || !filetype || !datarep)
    return raise(call, &file->comm, MPI_ERR_ARG, "one of the results is a null pointer");
  *disp = file->view.displacement;
  *etype = handle_for(call.state, *file->view.etype);
  *filetype = handle_for(call.state, *file->view.filetype);
  const std::string_view name = file->view.representation.name();
  memcpy(datarep, name.data(), name.size());
  datarep[name.size()] = '\0';
  return MPI_SUCCESS;
}

int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  ApiCall call("MPI_File_seek");
  SKEIN_GET(File*, file, get_seekable_file(call, fh, file));
  const int error = sought(*file, offset, whence, file->position, file->position);
  return error == MPI_SUCCESS ? MPI_SUCCESS
                              : raise(call, &file->comm, error, "offset %lld, whence %d",
                                      static_cast<long long>(offset), whence);
}

int MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  ApiCall call("MPI_File_seek_shared");
  SKEIN_GET(File*, file, get_seekable_file(call, fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  const int error = once_for_all(*file, MPI_SUCCESS, [&] {
    std::int64_t& position = file->common.shared_position;
    return sought(*file, offset, whence, position, position);
  });
  return error == MPI_SUCCESS ? MPI_SUCCESS
                              : raise(call, &file->comm, error, "offset %lld, whence %d",
                                      static_cast<long long>(offset), whence);
}

int MPI_File_get_position(MPI_File fh, MPI_Offset* offset) {
  ApiCall call("MPI_File_get_position");
  SKEIN_GET(File*, file, get_seekable_file(call, fh, file));
  *offset = file->position;
  return MPI_SUCCESS;
}

int MPI_File_get_position_shared(MPI_File fh, MPI_Offset* offset) {
  ApiCall call("MPI_File_get_position_shared");
  SKEIN_GET(File*, file, get_seekable_file(call, fh, file));
  *offset = shared_position(*file);
  return MPI_SUCCESS;
}

int MPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  ApiCall call("MPI_File_get_byte_offset");
  SKEIN_GET(File*, file, get_seekable_file(call, fh, file));
  if (offset < 0)
    return raise(call, &file->comm, MPI_ERR_ARG, "the offset is %lld", static_cast<long long>(offset));
  *disp = file->view.offset_of(offset * file->view.etype_bytes());
  return MPI_SUCCESS;
}

int MPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  ApiCall call("MPI_File_get_type_extent");
  std::int64_t found = 0;
  SKEIN_TRY(extent_in_file(call, fh, datatype, found));
  *extent = found;
  return MPI_SUCCESS;
}

int MPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count* extent) {
  ApiCall call("MPI_File_get_type_extent_c");
  std::int64_t found = 0;
  SKEIN_TRY(extent_in_file(call, fh, datatype, found));
  *extent = found;
  return MPI_SUCCESS;
}

}  // extern "C"
