// SPDX-License-Identifier: Apache-2.0
#include "support/grounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "support/alternatives/branches.h"
#include "support/alternatives/cases.h"
#include "support/card_values.h"
#include "support/clauses/clause_sense.h"
#include "support/clauses/condition_sense.h"
#include "support/clauses/default_switch.h"
#include "support/clauses/exchanged.h"
#include "support/clauses/ordered.h"
#include "support/clauses/overclaim.h"
#include "support/clauses/parallels.h"
#include "support/clauses/polarity.h"
#include "support/clauses/said_defaults.h"
#include "support/clauses/taken_value.h"
#include "support/clauses/transferred.h"
#include "support/missing_names.h"
#include "support/numbers/connected.h"
#include "support/numbers/counted.h"
#include "support/numbers/counted_nouns.h"
#include "support/numbers/said_numbers.h"
#include "support/read_statement.h"
#include "support/relations.h"
#include "support/thresholds.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

using statement::Verdict;

constexpr double kFewWords = 3;    // of a clause: too few to tell what it is about
constexpr double kMostOfIt = 0.6;  // carried, but for one name
constexpr double kMostOtherNumber = 0.2;
constexpr double kMostOpposite = 0.1;

double WorthOf(Ground ground) {
  switch (ground) {
    case Ground::kNone:
      return 0;
    case Ground::kContext:
      return 0.8;
    case Ground::kShortened:
      return 0.7;
    case Ground::kSynonym:
      return 0.85;
    case Ground::kForm:
    case Ground::kWord:
      return 1;
  }
  return 0;
}

class StatementJudge {
 public:
  StatementJudge(const statement::Statement& statement, const PreparedLines& lines,
                 Tokenizer& tokenizer, std::size_t& searches_left)
      : lines_(lines),
        tokenizer_(tokenizer),
        searches_left_(searches_left),
        read_(Read(statement, lines.evidence, tokenizer)),
        numbers_(JudgeNumbers(read_, lines.evidence,
                              {.around = lines.context_numbers,
                               .calculated = lines.calculated,
                               .counted = lines.counted},
                              tokenizer.stems())),
        names_(read_, lines.evidence, lines.files, searches_left) {}

  Grounding Take() {
    for (const std::string& number : numbers_.doubtful) {
      Doubt(fmt::format("{} is not in the cited lines as such", number));
    }
    CompareWords();
    CompareValues();
    result_.measures.better = Proximity(read_, lines_.evidence).Compare();
    for (const std::string& word : result_.measures.better.opposed) {
      Doubt(fmt::format("the lines have the opposite of '{}'", word));
    }
    CompareAbsolutes();
    CompareNegation();
    ComparePolarity();
    CompareExchange();
    CompareRelations();
    CompareTransfers();
    CompareRows();
    CompareElsewhere();
    Decide();
    return std::move(result_);
  }

 private:
  // Looks for lines of the same files that have much more of it.
  void CompareElsewhere() {
    const bool is_refused = !numbers_.missing.empty() || IsTooLittle(result_.measures);
    if (result_.measures.coverage >= kEnough || is_refused) return;
    for (const std::string_view file : lines_.files) {
      if (searches_left_ == 0) return;
      --searches_left_;
      const OtherLines other =
          FindElsewhere(read_, lines_.evidence, lines_.context, file, tokenizer_);
      if (other.there > result_.measures.elsewhere.there) result_.measures.elsewhere = other;
    }
  }

  void Contradict(std::string_view rule, std::string why) {
    contradicting_ = rule;
    exchange_ = std::move(why);
  }

  void Doubt(std::string why) { result_.doubts.push_back(std::move(why)); }

  void CompareWords() {
    double all = numbers_.weight;
    double found = numbers_.found;
    std::map<std::uint32_t, std::pair<double, double>> clauses;  // found, all
    std::vector<Segment> segments(1);
    std::set<std::string> strong;
    std::size_t names = 0;
    std::size_t names_found = 0;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      const Ground ground = read_.grounds[i].ground;
      const double weight = WeightOf(token);
      if (StartsSegment(i)) segments.emplace_back();
      if (weight == 0) continue;
      const double worth = weight * WorthOf(ground);
      all += weight;
      found += worth;
      auto& clause = clauses[token.clause];
      clause.first += worth;
      clause.second += weight;
      segments.back().found += worth;
      segments.back().all += weight;
      segments.back().full += weight >= 1 ? 1 : 0;
      if (weight >= 1 && ground > Ground::kShortened) strong.insert(token.stem);
      const bool is_name = token.in_code && token.weight != WordWeight::kNone;
      if (is_name && ground == Ground::kNone) {
        if (names_.IsOfKnownCode(token)) {
          Doubt(fmt::format("{} is not in the cited lines", token.lower));
        } else if (missing_name_.empty()) {
          missing_name_ = token.lower;
          is_subject_missing_ = names_.IsOfFirstName(token);
        }
      }
      if (is_name && names_.IsExchanged(token)) result_.measures.is_exchanged = true;
      if (token.in_code && weight >= 1) {
        ++names;
        names_found += ground == Ground::kWord ? 1 : 0;
      }
      result_.words.push_back(
          {.text = read_.statement.text.substr(token.begin, token.end - token.begin),
           .ground = ground,
           .by = read_.grounds[i].by});
    }
    CompareSegments(segments);
    Measures& measures = result_.measures;
    measures.content = all;
    measures.coverage = all > 0 ? found / all : 0;
    measures.strong = strong.size() + numbers_.same;
    measures.has_all_names = names > 0 && names == names_found;
    constexpr double kTelling = 2.5;
    for (const auto& [number, clause] : clauses) {
      const bool has_number = numbers_.clauses.contains(number);
      if (number > 0 && clause.first == 0 && !has_number && AddsSomething(number)) {
        Doubt("the lines have nothing of one of its clauses");
      }
      if (clause.second < kTelling) continue;
      measures.least_clause = std::min(measures.least_clause, clause.first / clause.second);
    }
  }

  // What is between two semicolons or dashes.
  struct Segment {
    double found = 0;
    double all = 0;
    std::size_t full = 0;  // words
  };

  bool StartsSegment(std::size_t token) const {
    if (token == 0) return false;
    const std::string_view text = read_.statement.text;
    const std::size_t end = read_.tokens[token - 1].end;
    const std::string_view between = text.substr(end, read_.tokens[token].begin - end);
    return between.find(';') != std::string_view::npos ||
           between.find(" - ") != std::string_view::npos ||
           between.find("\xE2\x80\x94") != std::string_view::npos ||
           between.find(" \xE2\x80\x93 ") != std::string_view::npos;
  }

  // Each part of a sentence is judged separately: the lines must have it, too.
  void CompareSegments(const std::vector<Segment>& segments) {
    constexpr std::size_t kFewest = 3;
    if (segments.size() < 2) return;
    for (const Segment& segment : segments) {
      if (segment.full < kFewest || segment.found >= kLittle * segment.all) continue;
      Doubt("the lines have hardly anything of one of its parts");
    }
  }

  // ", but …", "and …", "which …": what is said on top of it, in a full word at
  // least; in any other clause, in two.
  bool AddsSomething(std::uint32_t clause) const {
    constexpr std::array<std::string_view, 12> kJoining = {"and",   "but",   "because", "since",
                                                           "so",    "which", "while",   "then",
                                                           "where", "i",     "e",       "although"};
    // "12.4 and later"
    constexpr std::array<std::string_view, 9> kOpen = {"later", "newer",   "above", "higher", "up",
                                                       "older", "earlier", "below", "onwards"};
    std::size_t full = 0;
    bool is_joined = false;
    bool is_first = true;
    for (const Token& token : read_.tokens) {
      if (token.clause != clause) continue;
      if (is_first) is_joined = IsOneOf(token.lower, kJoining);
      is_first = false;
      full += WeightOf(token) >= 1 && !IsOneOf(token.lower, kOpen) ? 1 : 0;
    }
    return full >= (is_joined ? 1 : 2);
  }

  // "The recommended `bins` is 63 …; 15 is enough for some" of lines with `bins=63` and `bins=15`.
  bool IsGivenToo(std::string_view definition) const {
    const std::size_t sign = definition.find(" = ");
    if (sign == std::string_view::npos) return false;
    const std::string name = std::string(Trim(definition.substr(0, sign))) + "=";
    const auto has = [&](std::string_view value) {
      const std::string there = name + std::string(value) + "`";
      return lines_.evidence.lines().find(there) != std::string_view::npos;
    };
    std::string_view value = definition.substr(sign + 3);
    while (value.ends_with('`')) value.remove_suffix(1);
    return has(value) &&
           std::any_of(read_.numbers.begin(), read_.numbers.end(), [&](const Quantity& said) {
             return !said.in_name &&
                    has(read_.statement.text.substr(said.begin, said.end - said.begin));
           });
  }

  void CompareValues() {
    for (const ValueFinding& finding :
         JudgeValues(read_, lines_.cards, lines_.evidence, tokenizer_)) {
      if (IsGivenToo(finding.nearest)) continue;
      if (finding.is_sure) {
        wrong_value_ = finding.message;
        result_.nearest = finding.nearest;
      } else {
        Doubt(finding.message);
      }
    }
    if (const auto other = FindOtherDefault(read_, lines_.evidence)) {
      Contradict("default", fmt::format("the text says {}, the default in the cited lines is {}",
                                        other->said, other->there));
    }
    if (const auto other = FindOtherSibling(read_, lines_.evidence)) {
      Contradict("default", fmt::format("the text says {}, the default in the cited lines is {}",
                                        other->said, other->there));
    }
    if (const auto other = FindOtherAssigned(read_, lines_.evidence)) {
      Contradict("assigned", fmt::format("the text says {}, the cited lines assign {}", other->said,
                                         other->there));
    }
    if (const auto other = FindOtherSwitch(read_, lines_.evidence, lines_.sentences)) {
      Contradict("default", fmt::format("the cited lines say '{} by default'", *other));
    }
  }

  void CompareAbsolutes() {
    Overclaim found = FindOverclaim(read_, lines_.evidence);
    overclaim_ = std::move(found.word);
    for (const std::string& word : found.doubtful) {
      Doubt(fmt::format("the lines do not say '{}'", word));
    }
  }

  // "not thread-safe" where nothing in the lines says no, in words or in code.
  // A negation in a condition ("if it is not set") is about what is not there.
  void CompareNegation() {
    constexpr std::array<std::string_view, 14> kConditions = {
        "if",    "when", "unless", "without", "with", "for",   "where",
        "until", "that", "which",  "whether", "once", "while", "whenever"};
    if (lines_.evidence.HasNegation() || lines_.evidence.DeniesInCode()) return;
    const std::vector<Token>& tokens = read_.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].is_negation || tokens[i].in_code || tokens[i].in_compound) continue;
      bool is_condition = false;
      for (std::size_t j = i + 1; j-- > 0 && tokens[j].clause == tokens[i].clause;) {
        is_condition = is_condition || std::find(kConditions.begin(), kConditions.end(),
                                                 tokens[j].lower) != kConditions.end();
      }
      if (is_condition) continue;
      return Doubt(fmt::format("the lines do not say '{}'", tokens[i].lower));
    }
  }

  void ComparePolarity() {
    if (const auto word = AssertsDenied(read_, lines_.evidence)) {
      Contradict("denial", fmt::format("the cited lines deny '{}'", *word));
    }
    ClauseSense sense = CompareSense(read_, lines_.evidence, lines_.sentences);
    if (!sense.inverted.empty()) Contradict("sense", std::move(sense.inverted));
    for (std::string& doubt : sense.doubts) Doubt(std::move(doubt));
    if (const auto word = WrongCondition(read_, lines_.evidence, lines_.sentences)) {
      Contradict("condition", fmt::format("the cited lines say it of the opposite of '{}'", *word));
    }
    const OrderFinding order = CompareOrder(read_, lines_.evidence);
    if (!order.turned.empty()) {
      Contradict("order", fmt::format("the cited lines have the two sides of '{}' the other way "
                                      "round",
                                      order.turned));
    } else if (!order.doubtful.empty()) {
      Doubt(
          fmt::format("the lines may have the sides of '{}' the other way round", order.doubtful));
    }
  }

  void CompareRelations() {
    const std::vector<std::string> found = ContradictedRelations(read_, lines_.definitions);
    if (!found.empty()) Contradict("relation", found.front());
    if (branches_.wrong) {
      Contradict("branch",
                 fmt::format("the cited lines have {} in the other case", *branches_.wrong));
    }
  }

  void CompareTransfers() {
    if (const auto remark = FindTransferredRemark(read_, lines_.evidence)) {
      Contradict("remark", fmt::format("the cited lines have '({})' after '{}'", remark->remark,
                                       remark->owner));
    }
    if (const auto subject = FindFalseLikeness(read_, lines_.evidence, lines_.sentences)) {
      Contradict("likeness", fmt::format("the cited lines say otherwise of '{}'", *subject));
    }
  }

  void CompareRows() {
    if (const auto other = FindOtherNumber(read_, lines_.evidence, lines_.sentences)) {
      Contradict("connected", fmt::format("the text says {}, the cited lines have {} for it",
                                          other->said, other->there));
    }
    if (auto wrong = WrongRow(read_, lines_.evidence, lines_.tables)) {
      Contradict("row", *std::move(wrong));
    }
  }

  void CompareExchange() {
    branches_ = CompareBranches(read_, lines_.evidence, lines_.branches);
    BranchFit cases = CompareCases(read_, lines_.cases);
    has_case_ = cases.fits;
    if (cases.fits || cases.wrong) branches_ = std::move(cases);
    // The structure of an alternative tells more than distances in the text.
    if (branches_.fits) return;
    if (auto wrong = WrongCount(read_, lines_.evidence, tokenizer_.stems())) {
      Contradict("count", *std::move(wrong));
      return;
    }
    const auto doubtful = Contrasts() ? FindInterchangeable(read_, lines_.evidence) : std::nullopt;
    if (doubtful) {
      result_.measures.interchangeable =
          fmt::format("{} and {}", WordAt(doubtful->first), WordAt(doubtful->second));
    }
    const std::optional<Exchange> found = FindExchange(read_, lines_.evidence);
    if (!found || IsCall(*found)) return;
    Contradict("exchange", fmt::format("the cited lines connect {} and {} the other way round",
                                       WordAt(found->first), WordAt(found->second)));
  }

  // "A does this, while B does that": outside of contrasts, and in rows of tables, what
  // could change places is noise (61 true and 39 false statements).
  bool Contrasts() const {
    constexpr std::array<std::string_view, 6> kWords = {"while",  "whereas", "but",
                                                        "latter", "rather",  "instead"};
    return read_.statement.kind != statement::StatementKind::kCell &&
           std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
             return !token.in_code && IsOneOf(token.lower, kWords);
           });
  }

  // A function and what its body calls have different roles: words are near to both.
  bool IsCall(const Exchange& exchange) const {
    const auto calls = [&](std::size_t caller, std::size_t called) {
      return std::any_of(lines_.definitions.begin(), lines_.definitions.end(),
                         [&](const cards::Definition& definition) {
                           if (LowerCase(definition.name) != read_.tokens[caller].lower)
                             return false;
                           return std::any_of(definition.calls.begin(), definition.calls.end(),
                                              [&](const std::string& call) {
                                                return LowerCase(call) ==
                                                       read_.tokens[called].lower;
                                              });
                         });
    };
    return calls(exchange.first, exchange.second) || calls(exchange.second, exchange.first);
  }

  std::string WordAt(std::size_t token) const {
    const Token& t = read_.tokens[token];
    return read_.statement.text.substr(t.begin, t.end - t.begin);
  }

  void Decide() {
    const Measures& m = result_.measures;
    if (!wrong_value_.empty())
      return Set("value", Verdict::kContradicted, "support/contradicted", wrong_value_);
    if (!numbers_.missing.empty()) return RefuseNumber();
    if (is_subject_missing_ && !m.is_exchanged && m.coverage >= kMostOfIt &&
        names_.IsInFile(missing_name_)) {
      Doubt(fmt::format("{} is not in the cited lines", missing_name_));
    } else if (!missing_name_.empty()) {
      result_.text = missing_name_;
      return Set("name", Verdict::kAbsent, "ident/unknown",
                 fmt::format("{} is not in the cited lines", missing_name_));
    }
    const bool is_short = read_.statement.is_clause && m.content < kFewWords;
    if (IsTooLittle(m) && !is_short && !m.has_all_names) {
      return Set("words", Verdict::kAbsent, "support/ungrounded",
                 "the cited lines are about something else");
    }
    if (IsElsewhere(m)) {
      return Set(
          "elsewhere", Verdict::kAbsent, "support/ungrounded",
          fmt::format("the cited lines do not carry it; lines {}-{} of the file have more of "
                      "it",
                      m.elsewhere.first, m.elsewhere.last));
    }
    if (!m.better.contradicted.empty()) {
      return Set("opposite", Verdict::kContradicted, "support/contradicted",
                 fmt::format("the cited lines have the opposite of '{}'", m.better.contradicted));
    }
    if (!exchange_.empty()) {
      return Set(contradicting_, Verdict::kContradicted, "support/contradicted", exchange_);
    }
    if (!overclaim_.empty()) {
      return Set("absolute", Verdict::kAbsent, "support/ungrounded",
                 fmt::format("the cited lines give a condition or a possibility; they do not say "
                             "'{}'",
                             overclaim_));
    }
    if (const std::string doubt = FirstDoubt(); !doubt.empty()) {
      return Set("doubt", Verdict::kUndecidable, "support/undecided", "not decided: " + doubt);
    }
    Set("", Verdict::kSupported, "support/grounded", "the cited lines carry it");
  }

  void RefuseNumber() {
    const std::string& number = numbers_.missing.front();
    result_.text = number;
    if (numbers_.instead.empty()) {
      return Set("number", Verdict::kAbsent, "number/ungrounded",
                 fmt::format("{} is not in the cited lines", number));
    }
    result_.nearest = numbers_.instead;
    Set("other number", Verdict::kContradicted, "number/ungrounded",
        fmt::format("the text says {}, the cited lines say {}", number, numbers_.instead));
  }

  // Empty: there is none.
  std::string FirstDoubt() const {
    const Measures& m = result_.measures;
    if (read_.tokens.size() >= kMostWords) return "it is too long to compare";
    if (!result_.doubts.empty()) return result_.doubts.front();
    if (!m.interchangeable.empty()) {
      return fmt::format("the lines may have {} the other way round", m.interchangeable);
    }
    if (m.better.other_number >= kMostOtherNumber && !has_case_) {
      return "another number of the lines fits as well";
    }
    if (m.better.opposite >= kMostOpposite) return "the lines may say the opposite";
    if (!IsEnough(m)) return "the lines do not have all that it says";
    return {};
  }

  void Set(std::string_view rule, Verdict verdict, std::string_view code, std::string message) {
    result_.rule = rule;
    result_.verdict = verdict;
    result_.code = code;
    result_.message = std::move(message);
  }

  const PreparedLines& lines_;
  Tokenizer& tokenizer_;
  std::size_t& searches_left_;
  ReadStatement read_;
  SaidNumbers numbers_;
  MissingNames names_;
  std::string missing_name_;
  bool is_subject_missing_ = false;
  std::string wrong_value_;
  std::string overclaim_;
  std::string exchange_;
  std::string_view contradicting_;  // the rule
  BranchFit branches_;
  bool has_case_ = false;  // of a switch
  Grounding result_;
};

}  // namespace

PreparedLines Grounder::Prepare(const CitedLines& lines) {
  PreparedLines prepared = {.evidence = EvidenceText(lines.text, lines.context, tokenizer_),
                            .context_numbers = ReadQuantities(lines.context, true),
                            .definitions = cards::ReadDefinitions(lines.text)};
  prepared.cards = cards::ReadCards(lines.text, prepared.definitions);
  prepared.calculated = CalculatedValues(prepared.cards);
  prepared.counted = ThingsCounted(lines.text);
  prepared.branches = ReadBranches(lines.text);
  prepared.cases = ReadCases(lines.text);
  prepared.context = lines.context;
  prepared.files = lines.files;
  prepared.sentences = LineSentences(lines.text, prepared.evidence.tokens());
  prepared.tables = ReadTables(lines.text, prepared.evidence.tokens());
  return prepared;
}

Grounding Grounder::Judge(const statement::Statement& statement, const PreparedLines& lines) {
  return StatementJudge(statement, lines, tokenizer_, searches_left_).Take();
}

}  // namespace sibyl::support
