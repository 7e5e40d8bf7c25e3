// SPDX-License-Identifier: Apache-2.0
// A sentence of a published page, corrected in one call: the page is claimed,
// the sections that change are judged, submitted and published. What the gate
// refuses leaves nothing behind.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "draft/agent/section_change.h"
#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_work.h"
#include "expansion/revision.h"

namespace sibyl::engine {
namespace {

Result<Outcome> Call(const Operation& operation, const oracle::Context& context,
                     std::vector<GivenValue> values) {
  const Arguments arguments = SIBYL_TRY(Arguments::Make(operation, std::move(values)));
  return RunOperation(operation, context, arguments);
}

Result<std::vector<draft::SectionChange>> AskedChanges(const Arguments& arguments) {
  const std::vector<std::string> old_texts = arguments.All("replace");
  const std::vector<std::string> new_texts = arguments.All("with");
  if (old_texts.size() != new_texts.size()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("{} to replace, and {} to put there",
                                        Count(old_texts.size(), "text"), new_texts.size()),
                 .hint = "give one --with for each --replace; --with '' removes the text"};
  }
  std::vector<draft::SectionChange> changes;
  for (std::size_t i = 0; i < old_texts.size(); ++i) {
    changes.push_back({.old_text = old_texts[i], .new_text = new_texts[i]});
  }
  return changes;
}

Result<draft::NewReceipts> AskedReceipts(const Arguments& arguments) {
  draft::NewReceipts receipts;
  for (const std::string& each : arguments.All("cite")) {
    const std::size_t sign = each.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == each.size()) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("--cite {}: not LABEL=PLACE", each),
                   .hint = "such as --cite a=SOURCE:PATH:10-12, for the mark [^a]"};
    }
    receipts[each.substr(0, sign)] = each.substr(sign + 1);
  }
  return receipts;
}

// Gives the page back if it is not submitted.
class Claim {
 public:
  Claim(const oracle::Context& context, std::string lease)
      : context_(context), lease_(std::move(lease)) {}
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() {
    // An error is harmless here: the lease ends by itself.
    if (!lease_.empty()) (void)Call(kPartRelease, context_, {{"lease", lease_}});
  }

  const std::string& lease() const { return lease_; }
  void Submitted() { lease_.clear(); }

 private:
  const oracle::Context& context_;
  std::string lease_;
};

struct Corrected {
  std::vector<draft::AgentSection> sections;  // of the whole page
  std::vector<std::size_t> changed;           // places in `sections`, ascending
};

Result<Corrected> Correct(std::vector<draft::AgentSection> sections, const Arguments& arguments) {
  Corrected corrected{.sections = std::move(sections)};
  const draft::NewReceipts receipts = SIBYL_TRY(AskedReceipts(arguments));
  for (const draft::SectionChange& change : SIBYL_TRY(AskedChanges(arguments))) {
    corrected.changed.push_back(
        SIBYL_TRY(draft::ChangeSection(corrected.sections, change, receipts)));
  }
  std::sort(corrected.changed.begin(), corrected.changed.end());
  const auto end = std::unique(corrected.changed.begin(), corrected.changed.end());
  corrected.changed.erase(end, corrected.changed.end());
  return corrected;
}

Outcome Refused(const std::string& page, std::vector<Finding> findings) {
  return {.data = {{"page", page}, {"accepted", false}, {"published", false}},
          .findings = std::move(findings),
          .holds = false};
}

Result<Outcome> RunPageCorrect(const oracle::Context& context, const Arguments& arguments) {
  const std::string named(arguments.Text("page"));
  const std::optional<std::string> page = SIBYL_TRY(expansion::PageNamed(context, named));
  if (!page) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("{} is not a published page", named),
                 .hint = "'sibyl page list' has those that there are"};
  }
  const Outcome claimed =
      SIBYL_TRY(Call(kPartClaim, context, {{"plan", *page}, {"agent", "page correct"}}));
  if (claimed.data["lease"].is_null()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("another agent is revising {}", *page),
                 .hint = "'sibyl plan status' shows who; try again later"};
  }
  Claim claim(context, claimed.data["lease"].get<std::string>());
  const std::unique_ptr<expansion::HeldPart> held =
      SIBYL_TRY(expansion::HeldPart::Open(context, claim.lease()));
  Corrected corrected = SIBYL_TRY(Correct(held->drafted(), arguments));
  // The whole page, as submitting it does.
  expansion::JudgedPage judged =
      SIBYL_TRY(expansion::JudgeSections(context, *held, corrected.sections));
  if (!judged.findings.empty()) return Refused(*page, std::move(judged.findings));
  Json data = {{"page", *page},
               {"accepted", true},
               {"published", false},
               {"sections", Json::array()},
               {"replaced", arguments.All("replace").size()},
               {"statements",
                {{"grounded", judged.support.grounded}, {"undecided", judged.support.undecided}}}};
  for (const std::size_t place : corrected.changed) {
    data["sections"].push_back(corrected.sections[place].place + 1);
  }
  if (arguments.Has("dry-run")) return Outcome{.data = std::move(data)};
  held->drafted() = std::move(corrected.sections);
  SIBYL_TRY(held->Keep({.step = "corrected", .figures = {}}));
  const Outcome submitted = SIBYL_TRY(Call(kPartSubmit, context, {{"lease", claim.lease()}}));
  if (!submitted.holds) return Refused(*page, submitted.findings);
  claim.Submitted();
  std::string message(arguments.Text("message"));
  if (message.empty()) message = fmt::format("{}: corrected", *page);
  const Outcome published =
      SIBYL_TRY(Call(kPlanFinalize, context, {{"plan", *page}, {"message", message}}));
  data["published"] = published.data.value("published", false);
  data["commit"] = published.data.contains("commit") ? published.data["commit"] : Json();
  return Outcome{.data = std::move(data), .findings = published.findings, .holds = published.holds};
}

std::vector<Rule> CorrectRules() {
  std::vector<Rule> rules = kPlanFinalize.rules();
  for (const Rule& rule : DraftRules()) {
    const auto is_same = [&](const Rule& each) { return each.code == rule.code; };
    if (std::none_of(rules.begin(), rules.end(), is_same)) rules.push_back(rule);
  }
  return rules;
}

constexpr Parameter kPageCorrectParameters[] = {
    {.name = "page",
     .value_name = "PAGE",
     .help = "a published page",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "replace",
     .value_name = "TEXT",
     .help = "the text to correct, as it is on the page; marks may be left out",
     .required = true,
     .repeated = true},
    {.name = "with",
     .value_name = "TEXT",
     .help = "what is to be there, one for each --replace; '' removes it",
     .required = true,
     .repeated = true},
    {.name = "cite",
     .value_name = "LABEL=PLACE",
     .help = "the lines of a new mark [^LABEL] in the new text",
     .repeated = true},
    {.name = "message",
     .value_name = "TEXT",
     .help = "the first line of the commit message [PAGE: corrected]"},
    {.name = "dry-run",
     .short_name = 'n',
     .help = "only ask the gate; change nothing",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kPageCorrect = {
    .name = "page correct",
    .summary = "correct a sentence of a published page",
    .description =
        R"(Exchanges a text of a published page for another, puts the page through the gate and, if it passes,
publishes it in one commit: `sibyl part claim PAGE`, `part draft`, `part submit` and `plan finalize`
in one call. If the gate refuses it, or anybody else is revising the page, nothing is changed.

The old text must be in one place of the page only. It may be given as it is read: without footnote
marks, and on one line. Its marks stay after the new text unless that has marks; a mark of the page
can be used again, and `--cite` says what a new one cites. All other bytes of the page stay as they
are, but for its stamp.

  sibyl page correct cuda/04-graphs.md --replace 'is copied.' --with 'is cloned.'
  sibyl page correct cuda/04-graphs.md --replace 'It is on.' \
      --with 'It is on by default.[^d]' --cite d=pytorch:torch/graphs.py:10-12)",
    .parameters = kPageCorrectParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = CorrectRules,
    .tool = {.name = "correct_page"},
    .run = RunPageCorrect,
    .render = RenderPageCorrect,
};

}  // namespace sibyl::engine
