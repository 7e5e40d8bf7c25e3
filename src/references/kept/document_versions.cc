// SPDX-License-Identifier: Apache-2.0
#include "references/kept/document_versions.h"

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "base/strings.h"
#include "references/find/claim.h"

namespace sibyl::references {
namespace {

// Shorter texts without a path (":92", "line 12") are in many places of a document.
constexpr std::size_t kDistinctiveText = 12;

std::size_t HashWithoutBlanks(std::string_view line) {
  std::string letters;
  for (const char c : line) {
    if (!IsBlank(c)) letters += c;
  }
  return std::hash<std::string>()(letters);
}

// What a line says apart from its numbers.
std::size_t HashOfWording(std::string_view line) {
  std::string letters;
  for (const char c : line) {
    if (IsDigit(c)) {
      if (letters.empty() || letters.back() != '0') letters += '0';
    } else if (!IsBlank(c)) {
      letters += c;
    }
  }
  return std::hash<std::string>()(letters);
}

// The numbers of a line, in order.
std::vector<std::string_view> NumbersOf(std::string_view line) {
  std::vector<std::string_view> numbers;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && IsDigit(line[end])) ++end;
    if (end > at) numbers.push_back(line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return numbers;
}

// "a.rs:12" of "src/a.rs:12": the file may have been in another folder.
std::string_view WithoutFolders(const Reference& reference) {
  const std::string_view text = reference.text;
  if (reference.path_end <= reference.path_begin || reference.path_begin < reference.begin) {
    return text;
  }
  const std::size_t end = std::min(reference.path_end - reference.begin, text.size());
  const std::size_t slash = text.substr(0, end).rfind('/');
  return slash == std::string_view::npos ? text : text.substr(slash + 1);
}

std::string_view LineOf(std::string_view document, std::size_t offset) {
  const std::size_t begin = offset == 0 ? std::string_view::npos : document.rfind('\n', offset - 1);
  const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
  return document.substr(first, document.find('\n', offset) - first);
}

}  // namespace

DocumentVersions::DocumentVersions(const Repository& repository,
                                   std::vector<DocumentVersion> versions)
    : repository_(repository), versions_(std::move(versions)), texts_(versions_.size()) {}

// The same citation may be written next to other names: it is this one where its
// line has the nearest name too. With the name, the number alone will do: the rest
// may have been translated or reworded. A line with the same words and another number
// was corrected since.
bool DocumentVersions::HasCitation(const Text& text, const Reference& reference,
                                   const Written& written) {
  constexpr std::size_t kShortestName = 4;
  const std::string first_number = std::to_string(reference.lines.first);
  const auto [same, end_of_same] = text.wordings.equal_range(written.wording);
  for (auto one = same; one != end_of_same; ++one) {
    const std::vector<std::string_view> numbers = NumbersOf(one->second);
    if (written.number < numbers.size() && numbers[written.number] == first_number) return true;
  }
  if (same != end_of_same) return false;
  const auto lines = text.numbers.find(first_number);
  if (lines == text.numbers.end()) return false;
  const bool has_name = !reference.claim.names.empty() && reference.claim.names[0].is_own &&
                        reference.claim.names[0].kind != ClaimedName::Kind::kBlock &&
                        reference.claim.names[0].text.size() >= kShortestName;
  const std::string_view wanted =
      has_name ? std::string_view(reference.claim.names[0].text) : WithoutFolders(reference);
  if (!has_name && reference.path_end == 0 && wanted.size() < kDistinctiveText) return false;
  // What is written on two lines is looked for by the start of the first one.
  const std::string first = SqueezeBlanks(wanted.substr(0, wanted.find('\n')));
  return std::any_of(lines->second.begin(), lines->second.end(),
                     [&](std::string_view written_line) {
                       const std::string line = SqueezeBlanks(written_line);
                       for (std::size_t at = line.find(first); at != std::string_view::npos;
                            at = line.find(first, at + 1)) {
                         const std::size_t end = at + first.size();
                         if (has_name || end == line.size() || !IsDigit(line[end])) return true;
                       }
                       return false;
                     });
}

const DocumentVersions::Text& DocumentVersions::TextOf(std::size_t version) {
  std::optional<Text>& text = texts_[version];
  if (text) return *text;
  text.emplace();
  std::optional<std::string> bytes = repository_.Blob(versions_[version].blob);
  has_gaps_ = has_gaps_ || !bytes;
  text->bytes = std::move(bytes).value_or(std::string());
  for (const std::string_view line : SplitLines(text->bytes)) {
    text->lines.push_back(HashWithoutBlanks(line));
    const std::vector<std::string_view> numbers = NumbersOf(line);
    for (const std::string_view number : numbers) {
      std::vector<std::string_view>& with = text->numbers[number];
      if (with.empty() || with.back().data() != line.data()) with.push_back(line);
    }
    if (!numbers.empty()) text->wordings.emplace(HashOfWording(line), line);
  }
  std::sort(text->lines.begin(), text->lines.end());
  return *text;
}

std::vector<git::ObjectId> DocumentVersions::WrittenIn(std::string_view document,
                                                       const Reference& reference) {
  const std::pair key(reference.begin, reference.lines.first);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(key, FindWritten(document, reference)).first->second;
}

std::vector<git::ObjectId> DocumentVersions::FindWritten(std::string_view document,
                                                         const Reference& reference) {
  std::vector<git::ObjectId> commits;
  if (versions_.empty()) return pinned_ ? std::vector{*pinned_} : commits;
  const std::string_view line = LineOf(document, reference.begin);
  Written written{.line = HashWithoutBlanks(line), .wording = HashOfWording(line)};
  const std::size_t number =
      reference.numbers.empty() ? reference.begin : reference.numbers.front().begin;
  const auto before = static_cast<std::size_t>(line.data() - document.data());
  if (number >= before) written.number = NumbersOf(line.substr(0, number - before)).size();
  std::optional<std::size_t> of_line;
  std::optional<std::size_t> of_text;
  bool line_goes_on = true;
  for (std::size_t i = 0; i < versions_.size(); ++i) {
    const Text& text = TextOf(i);
    const bool has_line = std::binary_search(text.lines.begin(), text.lines.end(), written.line);
    if (has_line && line_goes_on) of_line = i;
    line_goes_on = line_goes_on && has_line;
    if (has_line || HasCitation(text, reference, written)) {
      of_text = i;
    } else if (of_text) {
      // An older version that has it again cites something else by the same number.
      break;
    }
  }
  for (const std::optional<std::size_t>& version : {of_text, of_line}) {
    if (!version) continue;
    commits.push_back(versions_[*version].commit);
    if (versions_[*version].parent != git::ObjectId()) {
      commits.push_back(versions_[*version].parent);
    }
  }
  if (pinned_) commits.push_back(*pinned_);
  std::vector<git::ObjectId> unique;
  for (const git::ObjectId& commit : commits) {
    if (std::find(unique.begin(), unique.end(), commit) == unique.end()) unique.push_back(commit);
  }
  return unique;
}

}  // namespace sibyl::references
