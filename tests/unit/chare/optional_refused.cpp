// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: members that have the name of an optional member, but another declaration.
#include <skein/skein.hpp>

#include <memory>
#include <string>

// Declares every optional member as it must be.
struct Whole : skein::Chare<Whole, skein::Index1> {
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void go() { at_sync(); }
  void resume_from_sync() {}
  void about_to_move() {}
  void just_moved() {}
  void parts_changed() {}
  double load() const { return 1; }
  std::array<float, 3> position() const { return {}; }
  int lb_level() const { return 0; }
  std::unique_ptr<Whole> split(double) { return nullptr; }
  void merge(Whole&&) {}
  skein::Index1 part_index(std::uint32_t) const { return {0}; }
};
// Has other methods of these names, and a load() that returns an integer.
struct Others : skein::Chare<Others, skein::Index1> {
  void load(std::string file);
  void position(double x);
  void lb_level(int wanted);
  void split(std::string where);
  void merge(std::vector<int> sorted);
  void part_index(std::string of);
};
struct Anytime : skein::Chare<Anytime, skein::Index1> {
  static constexpr bool moves_anytime = true;
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void go() { skein::start_lb(); }
};
struct Counted : skein::Chare<Counted, skein::Index1> {
  long load() const { return 1; }
  void position(double x);
  skein::Flow resume_from_sync();
  void go() { at_sync<&Counted::position>(1.0); }
};

struct Near : skein::Chare<Near, skein::Index1> {
  void go() {
#if defined(CASE_NONE) || defined(CASE_MISSPELT)
    at_sync();
#endif
  }
#if defined(CASE_MISSPELT)
  void resume_from_synch() {}
#elif defined(CASE_PARAMETERS)
  void resume_from_sync(int) {}
#elif defined(CASE_STATIC)
  static void resume_from_sync() {}
#elif defined(CASE_OVERLOADED)
  void resume_from_sync() {}
  void resume_from_sync(int) {}
#elif defined(CASE_LOAD_NOT_CONST)
  double load() { return 1; }
#elif defined(CASE_LOAD_TEXT)
  std::string load() const { return ""; }
#elif defined(CASE_POSITION)
  std::array<double, 3> position() const { return {}; }
#elif defined(CASE_POSITION_NOT_CONST)
  std::array<float, 3> position() { return {}; }
#elif defined(CASE_LEVEL)
  int lb_level() { return 0; }
#elif defined(CASE_HOOK)
  void just_moved(int) {}
#elif defined(CASE_SPLIT)
  Near* split(float) { return nullptr; }
  std::vector<Near> split(double) { return {}; }
#elif defined(CASE_SPLIT_RESULT)
  std::vector<int> split(double) { return {}; }
#elif defined(CASE_MERGE)
  std::unique_ptr<Near> split(double) { return nullptr; }
#elif defined(CASE_PART_INDEX)
  std::unique_ptr<Near> split(double) { return nullptr; }
  void merge(Near&&) {}
  skein::Index1 part_index(std::uint32_t) { return {0}; }
#elif defined(CASE_ANYTIME_NOT_STATIC)
  bool moves_anytime = true;
#elif defined(CASE_ANYTIME_FIXED)
  static constexpr bool moves_anytime = true;
#elif defined(CASE_ANYTIME_SYNC)
  static constexpr bool moves_anytime = true;
  void resume_from_sync() {}
  void stop() { at_sync(); }
  template <class Ar>
  void serialize(Ar&, unsigned) {}
#elif defined(CASE_ANYTIME_SYNC_FLOW)
  static constexpr bool moves_anytime = true;
  skein::Flow stop() { co_await sync<&Near::go>(); }
  template <class Ar>
  void serialize(Ar&, unsigned) {}
#elif defined(CASE_ANYTIME_DIVIDED)
  static constexpr bool moves_anytime = true;
  std::unique_ptr<Near> split(double) { return nullptr; }
  void merge(Near&&) {}
  template <class Ar>
  void serialize(Ar&, unsigned) {}
#endif
 private:
#if defined(CASE_ANYTIME_PRIVATE)
  static constexpr bool moves_anytime = true;
#endif
#if defined(CASE_PRIVATE)
  void resume_from_sync() {}
#elif defined(CASE_PRIVATE_LOAD)
  double load() const { return 1; }
#elif defined(CASE_PRIVATE_HOOK)
  void about_to_move() {}
#elif defined(CASE_PRIVATE_PARTS)
  void parts_changed() {}
#endif
};

// clang-format off
// FAILS CASE_NONE: a class that calls at_sync() goes on in a public void resume_from_sync(), which this one lacks
// FAILS CASE_MISSPELT: a class that calls at_sync() goes on in a public void resume_from_sync(), which this one lacks
// FAILS CASE_PARAMETERS: not static and not overloaded: void resume_from_sync();
// FAILS CASE_STATIC: not static and not overloaded: void resume_from_sync();
// FAILS CASE_OVERLOADED: not static and not overloaded: void resume_from_sync();
// FAILS CASE_PRIVATE: not static and not overloaded: void resume_from_sync();
// FAILS CASE_LOAD_NOT_CONST: double load() const;
// FAILS CASE_LOAD_TEXT: double load() const;
// FAILS CASE_PRIVATE_LOAD: double load() const;
// FAILS CASE_POSITION: std::array<float, 3> position() const;
// FAILS CASE_POSITION_NOT_CONST: std::array<float, 3> position() const;
// FAILS CASE_LEVEL: int lb_level() const;
// FAILS CASE_HOOK: void just_moved();
// FAILS CASE_PRIVATE_HOOK: void about_to_move();
// FAILS CASE_PRIVATE_PARTS: void parts_changed();
// FAILS CASE_SPLIT: std::unique_ptr<T> split(double fraction);
// FAILS CASE_SPLIT_RESULT: std::unique_ptr<T> split(double fraction);
// FAILS CASE_MERGE: an element with split() needs merge()
// FAILS CASE_PART_INDEX: I part_index(std::uint32_t n) const;
// FAILS CASE_ANYTIME_PRIVATE: static constexpr bool moves_anytime = true;
// FAILS CASE_ANYTIME_NOT_STATIC: static constexpr bool moves_anytime = true;
// FAILS CASE_ANYTIME_FIXED: an element with moves_anytime needs serialize() and a default constructor
// FAILS CASE_ANYTIME_SYNC: elements with moves_anytime come to no sync points
// FAILS CASE_ANYTIME_SYNC_FLOW: elements with moves_anytime come to no sync points
// FAILS CASE_ANYTIME_DIVIDED: an element that can be divided moves at sync points: it has no moves_anytime
// clang-format on
void make(skein::Job& job) {
#if !defined(MUST_FAIL)
  job.array<Whole>({1});
  job.array<Others>({1});
  job.array<Counted>({1});
  job.array<Anytime>({1});
#endif
  job.array<Near>({1});
}
