// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "draft/answer/answer.h"
#include "draft/extract/gather.h"
#include "draft/title.h"
#include "index/rank/find_cards.h"
#include "injection/instruction.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostAnswers = 3;
constexpr std::size_t kMostRelated = 2;
constexpr std::size_t kCardsPerName = 6;
constexpr std::size_t kMostListed = 14;
constexpr std::size_t kFewListed = 2;
constexpr std::size_t kMostKnown = 2;

// The first sentence, on one line: a cell has no room for more.
std::string FirstSentence(std::string_view documentation) {
  std::string sentence;
  for (const std::string_view line : SplitLines(documentation)) {
    const std::string_view words = Trim(line);
    if (words.empty() && !sentence.empty()) break;
    if (words.empty() || words.starts_with("..") || words.starts_with(':')) continue;
    if (!sentence.empty()) sentence += ' ';
    sentence += words;
  }
  const std::size_t end = sentence.find(". ");
  return end == std::string::npos ? sentence : sentence.substr(0, end + 1);
}

// What a row says enough about: a value and a meaning.
bool IsSetting(cards::CardKind kind) {
  using enum cards::CardKind;
  return kind == kOption || kind == kEnvironment || kind == kEntry || kind == kCMakeOption ||
         kind == kCMakeVariable || kind == kDockerArgument || kind == kMacro ||
         kind == kEnumerator || kind == kErrorCode;
}

class AnswerGatherer {
 public:
  AnswerGatherer(const GatherInputs& inputs, const GatherOptions& options)
      : inputs_(inputs),
        options_(options),
        reader_(inputs.searcher),
        known_(inputs.knowledge, inputs.part.target, reader_),
        title_(TitleOf(inputs.plan, inputs.part)) {}

  GatheredPoint Gather(const plan::Section& section, const plan::Text& text) {
    GatheredPoint point{.point = PlainPoint(text.text)};
    point.terms =
        reader_.TermsOf(point.point, {PlainPoint(section.title), title_ + " " + inputs_.part.goal});
    if (const KnownSection* known = known_.Covering(point.terms)) {
      point.covered = KnownPlace{known->path, known->title, known->anchor};
      return point;
    }
    for (const KnownSection* known : known_.Near(point.terms, kMostKnown)) {
      point.also.push_back({known->path, known->title, known->anchor});
    }
    const PlanPoint asked =
        ReadPlanPoint(text.text, {.plan = inputs_.plan, .part = inputs_.part, .section = section},
                      title_, options_.lock);
    ++points_;
    for (const std::string& source : asked.subject.foreign) ++foreign_[source];
    const AnswerInputs answering{
        .searcher = inputs_.searcher, .lock = options_.lock, .knowledge = inputs_.knowledge};
    Answer answer = AnswerPoint(asked, answering, reader_, {.most = kMostAnswers});
    point.answers = std::move(answer.units);
    point.missing = std::move(answer.missing);
    AddRows(asked, point);
    if (options_.records != nullptr) point.records = RecordsOf(asked, *options_.records);
    if (point.answers.empty() && point.rows.empty()) AddSides(asked, answering, point);
    for (AnswerUnit& unit : answer.nearest) {
      if (point.related.size() < kMostRelated) point.related.push_back(std::move(unit));
    }
    if (!point.related.empty()) point.nearest = point.related.front().excerpt;
    return point;
  }

  std::vector<std::string> Foreign() const {
    std::vector<std::string> names;
    for (const auto& [name, count] : foreign_) {
      if (count == points_) names.push_back(name);
    }
    return names;
  }

 private:
  void AddRows(const PlanPoint& asked, GatheredPoint& point) {
    for (const std::string& name : asked.listed) {
      if (point.rows.size() == kMostListed) break;
      for (const index::CardHit& hit : index::FindCards(
               inputs_.searcher, {.text = name, .limit = kCardsPerName, .finds_by_words = false})) {
        if (hit.match != index::CardMatch::kName) continue;
        if (asked.subject.foreign.contains(std::string(hit.source_view))) continue;
        if (asked.listed.size() < kFewListed && !IsSetting(hit.kind)) continue;
        std::optional<NameRow> row = RowOf(name, hit);
        if (!row) continue;
        point.rows.push_back(*std::move(row));
        break;
      }
    }
    // Half of the names is not the list that was asked for.
    if (asked.listed.size() > 1 && point.rows.size() * 2 <= asked.listed.size()) {
      point.rows.clear();
    }
  }

  // A comparison that no place makes: what each side is, one below the other.
  void AddSides(const PlanPoint& asked, const AnswerInputs& answering, GatheredPoint& point) {
    if (asked.question.sides.size() != 2) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const PlanPoint side = PointOfSide(asked, i);
      Answer answer = AnswerPoint(side, answering, reader_, {.most = 1});
      if (answer.units.empty()) {
        point.rows.clear();
        return;
      }
      AnswerUnit& unit = answer.units.front();
      const std::string_view sentence = OpeningSentence(unit.unit.text);
      if (unit.unit.kind == UnitKind::kCode || unit.excerpt.pin == nullptr ||
          !unit.excerpt.pin->pages.empty() || Contains(sentence, "\n")) {
        point.rows.clear();
        return;
      }
      NameRow row{.name = asked.question.sides[i],
                  .meaning = std::string(sentence),
                  .is_words = true,
                  .excerpt = std::move(unit.excerpt)};
      row.excerpt.first_line = static_cast<std::uint32_t>(unit.unit.first_line);
      row.excerpt.last_line = static_cast<std::uint32_t>(unit.unit.last_line);
      row.excerpt.text = unit.unit.text;
      point.rows.push_back(std::move(row));
    }
  }

  std::optional<NameRow> RowOf(const std::string& name, const index::CardHit& hit) const {
    const evidence::Pin* pin = options_.lock.Find(hit.source_view);
    if (pin == nullptr || !pin->pages.empty()) return std::nullopt;
    const cards::Card card = index::ReadCard(inputs_.searcher, hit);
    NameRow row{.name = name,
                .value = card.value,
                .meaning = FirstSentence(card.documentation),
                .is_constant = card.kind == cards::CardKind::kMacro ||
                               card.kind == cards::CardKind::kEnumerator ||
                               card.kind == cards::CardKind::kErrorCode};
    // A value alone says little: "BF16 = 2".
    const bool is_meaning =
        Contains(row.meaning, " ") && IsAlphanumeric(row.meaning[row.meaning[0] == '`' ? 1 : 0]);
    if (!is_meaning) return std::nullopt;
    if (!injection::FindInstructions(row.meaning).empty()) return std::nullopt;
    const index::Segment& segment = inputs_.searcher.parts()[hit.part].part->segment;
    const std::string text =
        inputs_.searcher.DocumentText(hit.part, segment.document_of_card(hit.card));
    const auto lines = TextOfLines(text, {hit.first_line, hit.last_line});
    if (!lines) return std::nullopt;
    row.excerpt = {.pin = pin,
                   .path = std::string(hit.path_view),
                   .language = std::string(hit.language_view),
                   .blob = hit.blob,
                   .first_line = hit.first_line,
                   .last_line = hit.last_line,
                   .text = std::string(*lines)};
    return row;
  }

  const GatherInputs& inputs_;
  const GatherOptions& options_;
  TermReader reader_;
  KnownSections known_;
  std::string title_;
  std::size_t points_ = 0;
  std::map<std::string, std::size_t> foreign_;
};

}  // namespace

Gathered GatherAnswers(const GatherInputs& inputs, const GatherOptions& options) {
  Gathered gathered;
  AnswerGatherer gatherer(inputs, options);
  for (const plan::Section& section : SectionsOf(inputs.part)) {
    GatheredSection& written = gathered.sections.emplace_back();
    written.title = PlainPoint(section.title);
    written.line_budget = section.line_budget;
    for (const plan::Text& point : section.points) {
      if (options.cancelled && options.cancelled()) return gathered;
      written.points.push_back(gatherer.Gather(section, point));
    }
  }
  gathered.foreign = gatherer.Foreign();
  return gathered;
}

}  // namespace sibyl::draft
