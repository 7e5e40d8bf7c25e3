// SPDX-License-Identifier: Apache-2.0
// How fast plans are read, beside cmark-gfm reading the same text as Markdown.
// The plan reader understands more and may not be slower.
#include <benchmark/benchmark.h>

#include <string>

#include "base/markdown/markdown.h"
#include "plan/check.h"
#include "plan/plan.h"

namespace {

// A plan of about `megabytes` MB in the checklist dialect.
std::string MakePlan(std::size_t megabytes) {
  std::string text = "# Knowledge Expansion: Gadgets\n\n**Date**: 2026-01-01\n\n";
  for (int part = 1; text.size() < megabytes * 1000000; ++part) {
    const std::string n = std::to_string(part);
    text += "## PART " + n + ": Create gadget/" + n + "-topic.md (400 lines)\n\n- [ ] PART " + n +
            ": Create gadget/" + n + "-topic.md\n\n**Step 0: Check Existing Knowledge**\n" +
            "- [ ] Read gadget/01-tools.md (how tools are found)\n\n**Step 1: Research**\n";
    for (int i = 0; i < 4; ++i) {
      text += "- [ ] Search: \"gadget " + n + " compiler cache query number " + std::to_string(i) +
              "\"\n";
    }
    text += "- [ ] Scrape https://example.org/gadget/" + n + ".html\n\n**Step 3: Write**\n";
    for (int i = 1; i <= 4; ++i) {
      text += "- [ ] Section " + std::to_string(i) + ": Title of the section (~100 lines)\n";
      text += "      - What is hashed and why (inputs, flags, environment)\n";
      text += "      - Flags that are left out, such as -O2 and -DNDEBUG\n";
      text += "      - Where the cache lives on disk\n      Cite: GitHub acme/gadget\n";
    }
    text += "\n**Step 4: Create KNOWLEDGE DROP**\n- [ ] Create KNOWLEDGE-DROP-gadget-" + n +
            "-2026-01-01.md\n\n---\n\n";
  }
  return text;
}

void Report(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void PlanParse(benchmark::State& state) {
  const std::string text = MakePlan(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sibyl::plan::Parse("plan.md", text));
  Report(state, text.size());
}

void PlanParseAndCheck(benchmark::State& state) {
  const std::string text = MakePlan(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const sibyl::plan::LoadedPlan loaded = sibyl::plan::Parse("plan.md", text);
    benchmark::DoNotOptimize(sibyl::plan::Check(loaded, "plan.md", text));
  }
  Report(state, text.size());
}

void CmarkParse(benchmark::State& state) {
  const std::string text = MakePlan(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sibyl::ParseMarkdown(text));
  Report(state, text.size());
}

BENCHMARK(PlanParse)->Arg(5)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK(PlanParseAndCheck)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK(CmarkParse)->Arg(5)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
