// SPDX-License-Identifier: Apache-2.0
#include "expansion/publishable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "gate/links.h"
#include "statement/anchors.h"
#include "statement/statement.h"

namespace sibyl::expansion {
namespace {

struct Candidate {
  SubmittedPage page;
  std::set<std::string, std::less<>> wanted;  // linked pages that the oracle does not have
  std::optional<gate::Verified> verified = {};
  bool is_out = false;
};

std::set<std::string, std::less<>> MissingLinks(const draft::Draft& draft, const Root& oracle) {
  std::set<std::string, std::less<>> wanted;
  const Result<statement::Statements> statements = statement::ReadStatements(draft.text);
  if (!statements.ok()) return wanted;  // the gate reports it
  for (const gate::FileLink& link : gate::LinkedFiles(*statements, draft.path)) {
    const bool is_path = link.file.find('\0') == std::string::npos;
    if (is_path && !oracle.Exists(link.file)) wanted.insert(link.file);
  }
  return wanted;
}

std::vector<Candidate> Candidates(const std::vector<SubmittedPage>& pages, const Root& oracle) {
  std::vector<Candidate> candidates;
  candidates.reserve(pages.size());
  for (const SubmittedPage& page : pages) {
    candidates.push_back({.page = page, .wanted = MissingLinks(page.draft, oracle)});
  }
  return candidates;
}

class Choosing {
 public:
  Choosing(const std::vector<SubmittedPage>& pages, const PublishableInputs& inputs)
      : inputs_(inputs), candidates_(Candidates(pages, inputs.oracle)) {}

  Result<Publishable> Choose() {
    KeepWaiting();
    bool any_refused = false;
    for (Candidate& candidate : candidates_) {
      if (!candidate.is_out) any_refused |= !SIBYL_TRY(Check(candidate));
    }
    if (any_refused) KeepWaiting();
    for (Candidate& candidate : candidates_) {
      if (candidate.is_out) continue;
      std::string writer = WriterOf(candidate.page.draft);
      chosen_.delivered.push_back({.part = candidate.page.part,
                                   .file = *std::move(candidate.verified),
                                   .writer = std::move(writer),
                                   .existing = candidate.page.existing});
    }
    return std::move(chosen_);
  }

 private:
  // Until no page is left that links to one that is neither there nor with it.
  void KeepWaiting() {
    for (bool is_stable = false; !is_stable;) {
      is_stable = true;
      for (Candidate& candidate : candidates_) {
        if (candidate.is_out) continue;
        for (const std::string& page : candidate.wanted) {
          if (IsIn(page)) continue;
          candidate.is_out = true;
          is_stable = false;
          chosen_.findings.push_back(Waits(candidate, page));
          break;
        }
      }
    }
  }

  bool IsIn(std::string_view page) const {
    return std::any_of(candidates_.begin(), candidates_.end(), [page](const Candidate& each) {
      return !each.is_out && each.page.draft.path == page;
    });
  }

  // With the others in place, so that links to their headings are checked too.
  Result<bool> Check(Candidate& candidate) {
    oracle::CitationSources::Linkable linkable;
    for (const Candidate& other : candidates_) {
      if (!other.is_out && &other != &candidate) linkable.together.push_back(&other.page.draft);
    }
    gate::GateResult result = SIBYL_TRY(inputs_.citations.Check(candidate.page.draft, linkable));
    if (result.passed()) {
      candidate.verified = std::move(result.verified);
      return true;
    }
    candidate.is_out = true;
    const statement::Judgement& first = result.failures.front();
    Finding finding = About(candidate);
    finding.severity = Severity::kError;
    finding.code = "part/refused";
    finding.message =
        fmt::format("part {} no longer passes the gate and was not published: {}:{}: {} [{}]",
                    NumberOf(candidate), candidate.page.draft.path, first.place.line, first.message,
                    first.code);
    finding.hint = "its sources or the pages that it links to have changed since it was submitted";
    chosen_.findings.push_back(std::move(finding));
    return false;
  }

  int NumberOf(const Candidate& candidate) const {
    return inputs_.plan.parts[candidate.page.part].number;
  }

  Finding About(const Candidate& candidate) const {
    return {
        .place = {.file = inputs_.plan_name, .line = inputs_.plan.parts[candidate.page.part].line}};
  }

  Finding Waits(const Candidate& candidate, const std::string& page) const {
    Finding finding = About(candidate);
    finding.severity = Severity::kWarning;
    finding.code = "part/links";
    finding.message = fmt::format("part {} waits: it links to {}, which is not published yet",
                                  NumberOf(candidate), page);
    finding.hint = fmt::format(
        "submit and finalize {0} first; if {0} links back from another plan, publish one of the "
        "two without the link and add it with a revision",
        page);
    return finding;
  }

  const PublishableInputs& inputs_;
  std::vector<Candidate> candidates_;
  Publishable chosen_;
};

}  // namespace

Result<Publishable> ChoosePublishable(const std::vector<SubmittedPage>& pages,
                                      const PublishableInputs& inputs) {
  return Choosing(pages, inputs).Choose();
}

bool AnyHasToWait(const std::vector<SubmittedPage>& pages, const Root& oracle) {
  std::map<std::string, statement::Statements, std::less<>> read;
  for (const SubmittedPage& page : pages) {
    Result<statement::Statements> statements = statement::ReadStatements(page.draft.text);
    if (statements.ok()) read.emplace(page.draft.path, *std::move(statements));
  }
  for (const SubmittedPage& page : pages) {
    const auto own = read.find(page.draft.path);
    if (own == read.end()) continue;
    for (const gate::FileLink& link : gate::LinkedFiles(own->second, page.draft.path)) {
      const auto other =
          std::find_if(pages.begin(), pages.end(),
                       [&link](const SubmittedPage& each) { return each.draft.path == link.file; });
      const bool is_path = link.file.find('\0') == std::string::npos;
      if (other == pages.end() && is_path && !oracle.Exists(link.file)) return true;
      if (other == pages.end() || link.anchor.empty() || !read.contains(link.file)) continue;
      const statement::Anchors anchors(read.find(link.file)->second.headings, other->draft.text);
      if (!anchors.Has(link.anchor)) return true;
    }
  }
  return false;
}

}  // namespace sibyl::expansion
