// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: each case is a type that cannot be packed.
#include <skein/pup.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

struct HoldsPointer {
  int size;
  double* values;
};
struct HoldsReference {
  int& other;
};
class Closed {
 public:
  explicit Closed(int n) : n_(n) {}
  int n() const { return n_; }

 private:
  int n_;
};
union Either {
  int i;
  float f;
};
struct Outer {
  std::vector<std::mutex*> locks;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& locks;
  }
};

template <class T>
const T& some();

template <class T>
std::size_t size_of() {
  return skein::packed_size(some<T>());
}

// FAILS CASE_POINTER: HoldsPointer
// FAILS CASE_POINTER: give it a serialize() member
// FAILS CASE_REFERENCE: HoldsReference
// FAILS CASE_CLOSED: Closed
// FAILS CASE_UNION: Either
// FAILS CASE_MUTEX: std::mutex
// FAILS CASE_NESTED: std::mutex
// FAILS CASE_VIEW: string_view
// FAILS CASE_FUNCTION: std::function<void()>
// FAILS CASE_NUMBER_POINTER: double
// FAILS CASE_ARRAY_POINTER: give it a serialize() member
// FAILS CASE_SHARED_ARRAY: give it a serialize() member
// FAILS CASE_POINTER_IN_POINTER: std::unique_ptr<int*>
// FAILS CASE_CODE_POINTER: int (*)(
std::size_t sizes() {
  return size_of<std::vector<int>>()
#if defined(CASE_POINTER)
         + size_of<HoldsPointer>()
#elif defined(CASE_REFERENCE)
         + size_of<HoldsReference>()
#elif defined(CASE_CLOSED)
         + size_of<std::map<int, Closed>>()
#elif defined(CASE_UNION)
         + size_of<Either>()
#elif defined(CASE_MUTEX)
         + size_of<std::mutex>()
#elif defined(CASE_NESTED)
         + size_of<Outer>()
#elif defined(CASE_VIEW)
         + size_of<std::string_view>()
#elif defined(CASE_FUNCTION)
         + size_of<std::function<void()>>()
#elif defined(CASE_NUMBER_POINTER)
         + size_of<double*>()
#elif defined(CASE_ARRAY_POINTER)
         + size_of<std::unique_ptr<int[]>>()
#elif defined(CASE_SHARED_ARRAY)
         + size_of<std::shared_ptr<double[]>>()
#elif defined(CASE_POINTER_IN_POINTER)
         + size_of<std::unique_ptr<int*>>()
#elif defined(CASE_CODE_POINTER)
         + size_of<int (*)(int)>()
#endif
      ;
}
