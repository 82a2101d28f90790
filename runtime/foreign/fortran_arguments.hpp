// SPDX-License-Identifier: Apache-2.0
// Arguments that Fortran passes to Skein's MPI (runtime/vmpi/fortran/convert.hpp) and to that of a stand-in
// (openmpi/fortran.hpp), which has no C++ library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace skein {

/// The place for an error code: Fortran's last argument, which is optional in mpi_f08. Passed by its address.
class ErrorOut {
 public:
  void operator=(int code) const {
    if (place_) *place_ = code;
  }

 private:
  int* place_;
};

/// An array of handles, widened for C. A negative count is taken as 0: the C function reports it.
template <class Handle, Handle (*handle_of)(int), int (*number_of)(Handle)>
class HandleArray {
 public:
  HandleArray(const int* numbers, std::int64_t count) : count_(count < 0 ? 0 : count) {
    if (count_ > few) {
      data_ = static_cast<Handle*>(std::malloc(static_cast<std::size_t>(count_) * sizeof(Handle)));
      if (!data_) std::abort();  // malloc() has reported the full slot
    }
    for (std::int64_t i = 0; i < count_; ++i) data_[i] = handle_of(numbers[i]);
  }
  ~HandleArray() {
    if (data_ != few_) std::free(data_);
  }
  HandleArray(const HandleArray&) = delete;
  HandleArray& operator=(const HandleArray&) = delete;

  Handle* data() { return data_; }
  void write_back(int* numbers) const {
    for (std::int64_t i = 0; i < count_; ++i) numbers[i] = number_of(data_[i]);
  }

 private:
  static constexpr int few = 32;
  std::int64_t count_;
  Handle few_[few];
  Handle* data_ = few_;
};

}  // namespace skein
