// SPDX-License-Identifier: Apache-2.0
// Any bytes as a page, through the gate and the audit: every judgement is on a line of
// the page, counts add up, a page passes exactly when
// nothing fails, and the steps taken are in proportion to its length.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"
#include "base/clock.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "base/work.h"
#include "gate/gate.h"

namespace {

using namespace sibyl::gate;  // NOLINT: a fuzz target is one file
using sibyl::Work;
using sibyl::audit::Auditor;
using sibyl::audit::TestWitness;
using sibyl::statement::CountVerdicts;
using sibyl::statement::Judgement;
using sibyl::statement::Verdict;
using sibyl::statement::VerdictCounts;

// What every fact that is cited says.
constexpr std::string_view kSaid =
    "libk.so: elf, 541595600 bytes\ncuda cubin.sm_90a.count: 1376 cubins\n"
    "The A100 has 40 GB of HBM2 and `cudaMalloc` allocates it.\n";

void Require(bool holds) {
  if (!holds) std::abort();
}

// A pinned source to audit against, and an oracle without pins; made once.
struct Fixture {
  TestWitness witness{{{.name = "cuda",
                        .files = {{"docs/a100.md", "The A100 has 40 GB of HBM2.\n"},
                                  {"torch/cuda.py", "def f(bucket_cap_mb=25):\n  return 1\n"}}}}};
  sibyl::TemporaryFolder folder;
  sibyl::FixedClock clock{sibyl::Time(std::chrono::seconds(1'800'000'000))};
  CitationResolver resolver = CitationResolver::Open(
      sibyl::evidence::Lock{}, {.oracle = folder.path(),
                                .store = sibyl::evidence::Store(folder.path() / "store"),
                                .clock = clock});
};

Fixture& Made() {
  static Fixture fixture;
  return fixture;
}

void CheckJudgements(const std::vector<Judgement>& judgements, std::string_view text) {
  const std::size_t lines = sibyl::SplitLines(text).size() + 1;
  for (const Judgement& judgement : judgements) {
    Require(!judgement.code.empty() && !judgement.message.empty());
    Require(judgement.place.line >= 1 && judgement.place.line <= lines);
    Require(judgement.place.column >= 1 && judgement.place.column <= text.size() + 1);
  }
  const VerdictCounts counts = CountVerdicts(judgements);
  Require(counts.supported + counts.contradicted + counts.absent + counts.stale +
              counts.undecidable ==
          judgements.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Fixture& fixture = Made();
  const std::uint64_t before = Work::Done();

  OraclePages pages(fixture.folder.path());
  const OtherResolver other = [](const sibyl::evidence::Citation&) {
    return OtherAnswer{
        .verdict = Verdict::kSupported, .text = std::string(kSaid), .message = "known"};
  };
  const auto gate = Gate::Check({.path = "cuda/01-page.md", .title = "Page", .text = text},
                                {.resolver = fixture.resolver, .oracle = pages, .other = other});
  if (gate.ok()) {
    Require(gate->passed() == gate->failures.empty());
    Require(gate->passed() != gate->refused.has_value());
    CheckJudgements(gate->failures, text);
    for (const Judgement& failure : gate->failures) Require(failure.Fails());
  }
  static const Auditor auditor(*fixture.witness);
  const auto judged = auditor.Audit({.file = "a.md", .text = text});
  Require(judged.ok() || !gate.ok());  // both refuse what the parser refuses
  if (judged.ok()) CheckJudgements(*judged, text);

  // 2 KiB around each name is the most that one byte costs, and pages are read
  // by a handful of checks.
  Require(Work::Done() - before <= 100'000 + 20'000 * static_cast<std::uint64_t>(size));
  return 0;
}
