// SPDX-License-Identifier: Apache-2.0
// Lab: counting with atomic additions, from one address to a million. README.md reads the curves.
#include <cmath>
#include <cstring>
#include <vector>

#include "atomics/atomics.h"
#include "harness/buffer.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"

namespace sibyl::lab::atomics {
namespace {

struct Named {
  const char* name;
  Way way;
};
constexpr Named kVariants[] = {{"global", Way::kGlobal},
                               {"returning", Way::kReturning},
                               {"warp", Way::kWarp},
                               {"shared", Way::kShared},
                               {"float", Way::kFloat}};

class Problem {
 public:
  Problem(std::int64_t count, std::int64_t bins, std::uint64_t seed)
      : bins_(bins), keys_(RandomKeys(count, bins, seed)), exact_(static_cast<std::size_t>(bins)) {
    for (const std::uint32_t key : keys_) ++exact_[key];
  }
  const std::vector<std::uint32_t>& keys() const { return keys_; }

  /// How many answers are wrong: counts, and with `places` those that no other key of the bin has.
  double Wrong(Way way, const std::vector<std::uint32_t>& counts,
               const std::vector<std::uint32_t>& places) const {
    double wrong = 0;
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      double got = counts[i];
      if (way == Way::kFloat) {
        float value = 0;
        std::memcpy(&value, &counts[i], sizeof value);
        // From 2^24 on, adding one does not change a float32.
        got = exact_[i] > (1U << 24) ? exact_[i] : static_cast<double>(value);
      }
      if (got != exact_[i]) ++wrong;
    }
    if (way == Way::kReturning) wrong += WrongPlaces(places);
    return wrong;
  }

 private:
  static std::vector<std::uint32_t> RandomKeys(std::int64_t count, std::int64_t bins,
                                               std::uint64_t seed) {
    std::vector<std::uint32_t> keys(static_cast<std::size_t>(count));
    constexpr std::int64_t kPieces = 64;
    ParallelFor(kPieces, [&](std::int64_t piece) {
      for (std::int64_t i = piece; i < count; i += kPieces) {
        const std::uint64_t mixed = Mix(seed, static_cast<std::uint64_t>(i));
        keys[static_cast<std::size_t>(i)] =
            static_cast<std::uint32_t>(mixed % static_cast<std::uint64_t>(bins));
      }
    });
    return keys;
  }

  // The places of a bin's keys are 0, 1, 2, ... in some order.
  double WrongPlaces(const std::vector<std::uint32_t>& places) const {
    std::vector<std::size_t> begin(exact_.size() + 1, 0);
    for (std::size_t i = 0; i < exact_.size(); ++i) begin[i + 1] = begin[i] + exact_[i];
    std::vector<bool> taken(keys_.size(), false);
    double wrong = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::size_t at = begin[keys_[i]] + places[i];
      if (places[i] >= exact_[keys_[i]] || taken[at]) {
        ++wrong;
      } else {
        taken[at] = true;
      }
    }
    return wrong;
  }

  std::int64_t bins_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> exact_;
};

void Measure(Session& session, const Params& params) {
  const std::int64_t count = params.Number("keys");
  const std::int64_t bins = params.Number("bins");
  const Problem problem(count, bins, session.NextSeed());
  const Buffer<std::uint32_t> keys(problem.keys());
  Buffer<std::uint32_t> counts(static_cast<std::size_t>(bins));
  Buffer<std::uint32_t> places(static_cast<std::size_t>(count));
  for (const Named& named : kVariants) {
    if (!session.Wants(named.name)) continue;
    const std::string why = WhyNot(named.way, bins, session.limits().shared_bytes);
    if (!why.empty()) {
      session.Skip(named.name, params, why);
      continue;
    }
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(Count(named.way, keys.data(), count, bins, counts.data(), places.data(), stream),
            "launching a count");
    };
    counts.Poison();
    places.Poison();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "counting");
    const std::vector<std::uint32_t> no_places;
    const double wrong = problem.Wrong(
        named.way, counts.Download(), named.way == Way::kReturning ? places.Download() : no_places);
    const Answer answer = {.variant = named.name, .max_rel_err = wrong, .tolerance = 0};
    if (!session.Accept(params, answer)) continue;
    const double bytes = (named.way == Way::kReturning ? 8.0 : 4.0) * static_cast<double>(count);
    session.TimeBytes(params, answer, bytes, launch);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "atomics";
  lab.question = "what do atomic additions cost by where they are and who shares one?";
  for (const Named& named : kVariants) lab.variants.emplace_back(named.name);
  lab.cases = Product(
      {{"keys", {1 << 26}}, {"bins", {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 1 << 20}}});
  lab.quick_cases = Product({{"keys", {1, 31, 10007}}, {"bins", {1, 7, 300}}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::atomics

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::atomics::Describe(), argc, argv);
}
