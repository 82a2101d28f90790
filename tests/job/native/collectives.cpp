// SPDX-License-Identifier: Apache-2.0
// Compares every reduction with its formula over elements 0 to n-1, several at once; broadcasts in one order;
// callbacks of every kind; quiescence. Elements move between rounds.
#include <numeric>

#include "tests/job/native/check.hpp"

namespace {

constexpr int n = 10, rounds = 4;

struct LongestText {
  void operator()(std::string& into, std::string&& with) const {
    if (with.size() > into.size()) into = std::move(with);
  }
};

class Member : public skein::Chare<Member, skein::Index2> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& broadcasts_& results_;
  }

  void start(int round) {
    EXPECT_EQUAL(broadcasts_++, round);
    const int i = index()[0] * 2 + index()[1];
    const auto first = array()[{0, 0}];
    contribute(i, skein::sum, skein::to<&Member::on_sum>(first));
    contribute(i + 1.0, skein::product, skein::to<&Member::on_product>(first));
    contribute(i, skein::least, skein::to<&Member::on_least>(array()));
    contribute(i, skein::greatest,
               skein::to_function<int>([](int most) { EXPECT_EQUAL(most, n - 1); }, skein::pe_count() - 1));
    contribute(i >= 0, skein::all_true, skein::to<&Member::on_true>(first));
    contribute(i == 3, skein::any_true, skein::to<&Member::on_true>(first));
    contribute(std::vector<int>{i, -i}, skein::sum, skein::to<&Member::on_vector>(first));
    contribute(std::vector<int>{i}, skein::concat, skein::to<&Member::on_concat>(first));
    contribute(i, skein::set_of, skein::to<&Member::on_set>(first));
    contribute(std::tuple<int, int>(i, i), skein::each(skein::sum, skein::greatest),
               skein::to<&Member::on_tuple>(first));
    contribute(std::string(static_cast<std::size_t>(i), 'x'), LongestText{},
               skein::to<&Member::on_text>(first));
    contribute(skein::to<&Member::on_barrier>(first));
  }

  void on_sum(int sum) { got(sum == n * (n - 1) / 2); }
  void on_product(double product) {
    double expected = 1;
    for (int i = 1; i <= n; ++i) expected *= i;
    got(product == expected);
  }
  void on_least(int least) {
    EXPECT_EQUAL(least, 0);
    if (index() == skein::Index2(0, 0)) got(true);
  }
  void on_true(bool truth) { got(truth); }
  void on_vector(std::vector<int> sums) { got(sums == std::vector<int>{n * (n - 1) / 2, -n * (n - 1) / 2}); }
  void on_concat(std::vector<int> all) {
    std::sort(all.begin(), all.end());
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    got(all == expected);
  }
  void on_set(std::multiset<int> all) { got(all.size() == n && *all.begin() == 0 && *all.rbegin() == n - 1); }
  void on_tuple(std::tuple<int, int> both) { got(both == std::tuple(n * (n - 1) / 2, n - 1)); }
  void on_text(const std::string& text) { got(text == std::string(n - 1, 'x')); }
  void on_barrier() { got(true); }

  void round_over() { at_sync(); }
  void resume_from_sync() { contribute(skein::to<&Member::next_round>(array()[{0, 0}])); }
  void next_round() {
    EXPECT_EQUAL(results_, 11);
    results_ = 0;
    if (broadcasts_ == rounds) return native_test::passed();
    array().broadcast<&Member::start>(broadcasts_);
  }

 private:
  void got(bool right) {
    EXPECT(right);
    if (++results_ == 11) array().broadcast<&Member::round_over>();
  }
  int broadcasts_ = 0;
  int results_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    job.array<Member>({n / 2, 2}).broadcast<&Member::start>(0);
  });
}
