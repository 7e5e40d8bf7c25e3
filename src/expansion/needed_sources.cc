// SPDX-License-Identifier: Apache-2.0
#include "expansion/needed_sources.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "evidence/evidence.h"
#include "evidence/store.h"
#include "expansion/web.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {
namespace {

// Without listing its files, as OpenSnapshot does.
bool IsHere(const evidence::Pin& pin, const evidence::Surroundings& around) {
  const evidence::Mirror mirror =
      around.store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, around.oracle));
  if (!pin.tree || !mirror.Exists()) return false;
  const auto objects = mirror.Open();
  return objects.ok() && (*objects)->Contains(*pin.tree);
}

// Of pins that are missing: pages are fetched as 'sibyl verify --restore' does.
Result<std::unique_ptr<Web>> WebFor(const oracle::Context& context,
                                    const std::vector<const evidence::Pin*>& missing) {
  for (const evidence::Pin* pin : missing) {
    if (pin->kind == evidence::SourceKind::kPage) return Web::Open(context, {});
  }
  return std::unique_ptr<Web>();
}

bool MayPass(const evidence::Pin& pin, const Error& error, const evidence::Surroundings& around) {
  if (error.kind != ErrorKind::kUnavailable || error.cause == ErrorCause::kOffline) return false;
  const evidence::SourceSpec spec{.name = pin.name,
                                  .kind = pin.kind,
                                  .origin = pin.origin,
                                  .ref = pin.ref,
                                  .filter = pin.filter};
  return !around.admit || around.admit(spec).ok();
}

Error Lacking(const std::vector<Finding>& findings, bool may_pass) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> problems;
  for (const Finding& finding : findings) {
    if (problems.size() < kShown) problems.push_back(finding.message);
  }
  if (findings.size() > kShown) {
    problems.push_back(fmt::format("and {} more", findings.size() - kShown));
  }
  return {.kind = may_pass ? ErrorKind::kUnavailable : ErrorKind::kUsage,
          .message = "no part can be written without its sources: " + Join(problems, "; "),
          .hint = findings.front().hint};
}

}  // namespace

Result<SourcesHere> BringSources(const oracle::Context& context, const evidence::Lock& lock,
                                 const evidence::Surroundings& given) {
  SourcesHere here;
  std::vector<const evidence::Pin*> missing;
  for (const evidence::Pin& pin : lock.pins) {
    if (!IsHere(pin, given)) missing.push_back(&pin);
  }
  evidence::Surroundings around = given;
  const std::unique_ptr<Web> web = SIBYL_TRY(WebFor(context, missing));
  if (web) around.fetch_page = web->PageFetcher();
  bool may_pass = true;
  std::set<std::string_view> lacking;
  for (const evidence::Pin* pin : missing) {
    const Status restored = evidence::RestoreSource(*pin, around);
    if (restored.ok()) continue;
    const Error& error = restored.error();
    if (error.kind == ErrorKind::kCancelled) return error;
    here.findings.push_back({.severity = Severity::kError,
                             .code = "source/unsearchable",
                             .message = fmt::format("{}: {}", pin->name, error.message),
                             .hint = error.hint,
                             .place = {.file = std::string(evidence::kLockFile)}});
    may_pass = may_pass && MayPass(*pin, error, around);
    lacking.insert(pin->name);
  }
  for (const evidence::Pin& pin : lock.pins) {
    if (!lacking.contains(pin.name)) here.names.push_back(pin.name);
  }
  if (!here.findings.empty()) here.lacking = Lacking(here.findings, may_pass);
  return here;
}

Status RequireEverySource(const oracle::Context& context) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  SourcesHere here = SIBYL_TRY(BringSources(context, lock, around));
  if (here.lacking) return *std::move(here.lacking);
  return {};
}

}  // namespace sibyl::expansion
