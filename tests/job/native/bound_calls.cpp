// SPDX-License-Identifier: Apache-2.0
// Every PE calls elements of bound arrays, however these came to their PE: by an insertion on another PE than
// their home, or with an array that was bound to elements which had moved before.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 9;

class Owner : public skein::Chare<Owner, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void hop() {
    migrate_to((skein::this_pe() + 1) % skein::pe_count());
    self().send<&Owner::synchronize>();
  }
  void synchronize() { at_sync(); }
  void resume_from_sync();
};
skein::Array<Owner> owners;  // on PE 0

class Badge : public skein::Chare<Badge, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& calls_;
  }
  void hit(const skein::Array<Owner>& their_owners, bool late);

 private:
  int calls_ = 0;
};

/// On every PE.
struct Caller : skein::Chare<Caller, skein::Index1> {
  void call_all(const skein::Array<Badge>& badges, const skein::Array<Owner>& their_owners, bool late) {
    for (int i = 0; i < elements; ++i) badges[i].send<&Badge::hit>(their_owners, late);
  }
};
skein::Array<Caller> callers;  // on PE 0

void Badge::hit(const skein::Array<Owner>& their_owners, bool late) {
  EXPECT(their_owners[index()].local() != nullptr);
  if (++calls_ < skein::pe_count()) return;
  if (late)
    contribute(skein::to_function<void>([] { native_test::passed(); }));
  else
    contribute(skein::to_function<void>([] { owners.broadcast<&Owner::hop>(); }));
}

void Owner::resume_from_sync() {
  contribute(skein::to_function<void>([] {
    const auto badges = skein::Job().array<Badge>(skein::bound_to(owners));
    callers.broadcast<&Caller::call_all>(badges, owners, true);
  }));
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    callers = job.group<Caller>();
    owners = job.sparse_array<Owner>();
    const auto badges = job.array<Badge>(skein::bound_to(owners));
    for (int i = 0; i < elements; ++i) owners[i].insert_on(i % skein::pe_count());
    callers.broadcast<&Caller::call_all>(badges, owners, false);
  });
}
