// SPDX-License-Identifier: Apache-2.0
#include "expansion/own_records.h"

#include <utility>

#include "inspect/fact_book.h"
#include "lab/run.h"
#include "oracle/cited_facts.h"
#include "oracle/lab_runs.h"

namespace sibyl::expansion {

std::vector<draft::Record> ReadOwnRecords(const oracle::Context& context,
                                          const evidence::Lock& lock,
                                          const evidence::Surroundings& around) {
  std::vector<draft::Record> records;
  for (const oracle::RunFile& file : oracle::KeptRuns(context)) {
    if (!file.kept.ok() || !file.kept->is_measured_here) continue;
    const lab::Run& run = file.kept->run;
    for (const lab::Measurement& one : run.measurements) {
      if (!one.is_measured()) continue;
      records.push_back(
          {.words = lab::InWords(run, one),
           .identity = one.lab + " " + one.variant,
           .series = one.lab + " " + one.variant + " " + one.metric,
           .unit = one.unit,
           .label = "lab " + one.lab,
           .citation = evidence::LabCitation{.run = file.id, .metric = lab::MetricKey(one)}});
    }
  }
  const Result<oracle::CitedFacts> facts =
      oracle::CitedFacts::Open(lock, around, oracle::MadeHere(context));
  if (!facts.ok()) return records;
  for (const auto& [citation, fact] : facts->book().All()) {
    records.push_back({.words = inspect::FactInWords(citation, *fact),
                       .identity = fact->path,
                       .series = fact->path + " " + citation.key,
                       .label = fact->path,
                       .citation = citation});
  }
  return records;
}

}  // namespace sibyl::expansion
