// SPDX-License-Identifier: Apache-2.0
#include "references/find/reference_maker.h"

#include <algorithm>

#include "base/ascii.h"

namespace sibyl::references {

// Where the URL of a link is in the document; npos if it is written differently.
std::size_t ReferenceMaker::UrlOffset(const statement::StatementLink& link) const {
  const std::string_view slice =
      document_view_.substr(link.span.begin, link.span.end - link.span.begin);
  const std::size_t at = slice.rfind(link.url);
  return at == std::string_view::npos ? at : link.span.begin + at;
}

void ReferenceMaker::AddUrlNumbers(const Hit& hit, const ReadRange& range,
                                   Reference& reference) const {
  const std::size_t url = UrlOffset(*hit.link);
  if (url == std::string_view::npos) return;
  const std::string_view text = hit.link->url;
  const auto digits = [&](std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin);
  };
  AddNumber(url + range.first_begin, digits(range.first_begin, range.first_end), false, reference);
  AddNumber(url + range.last_begin, digits(range.last_begin, range.last_end), true, reference);
}

// Only where the document has the number: these bytes may be overwritten.
void ReferenceMaker::AddNumber(std::size_t at, std::string_view digits, bool is_last,
                               Reference& reference) const {
  if (digits.empty() || at > document_view_.size()) return;
  if (document_view_.substr(at, digits.size()) != digits) return;
  if (!std::all_of(digits.begin(), digits.end(), IsDigit)) return;
  reference.numbers.push_back({.begin = at, .end = at + digits.size(), .is_last = is_last});
}

void ReferenceMaker::RestoreUnderscores(Reference& reference) const {
  std::size_t begin = reference.path_begin;
  if (reference.path_end > document_view_.size() || begin >= reference.path_end) return;
  if (begin >= 2 && document_view_.substr(begin - 2, 2) == "__") begin -= 2;
  const std::string_view written = document_view_.substr(begin, reference.path_end - begin);
  std::string plain(written);
  for (std::size_t at = plain.find("__"); at != std::string::npos; at = plain.find("__")) {
    plain.erase(at, 2);
  }
  if (plain.size() == written.size() || plain != reference.path) return;
  reference.path = written;
  reference.begin -= reference.path_begin - begin;
  reference.path_begin = begin;
}

void ReferenceMaker::PointAtPath(const Unit& unit, Reference& reference) const {
  const std::vector<std::size_t>& starts = statements_.line_starts;
  const std::size_t line = unit.statement->span.first_line;
  if (line == 0 || line > starts.size()) return;
  const std::size_t end = std::min(unit.statement->span.last_line, starts.size());
  const std::size_t stop = end < starts.size() ? starts[end] : document_view_.size();
  const std::string_view block = document_view_.substr(starts[line - 1], stop - starts[line - 1]);
  const std::size_t at = block.find(reference.path);
  if (at == std::string_view::npos) return;
  reference.begin = starts[line - 1] + at;
  reference.end = reference.begin + reference.path.size();
}

Reference ReferenceMaker::Make(const Unit& unit, std::size_t index, const ReadRange& range,
                               const Claim& claim) const {
  const Hit& hit = unit.hits[index];
  Reference reference{.form = hit.form,
                      .path = unit.paths[index],
                      .base = base_,
                      .commit = hit.commit,
                      .repository = hit.repository,
                      .lines = range.lines,
                      .impossible = range.impossible,
                      .is_approximate = range.is_approximate,
                      .claim = claim};
  if (hit.link != nullptr) {
    const std::size_t url = UrlOffset(*hit.link);
    reference.begin = url == std::string_view::npos ? hit.link->span.begin : url;
    reference.end = url == std::string_view::npos ? hit.link->span.end : url + hit.link->url.size();
    AddUrlNumbers(hit, range, reference);
  } else {
    const statement::Statement& statement = *unit.statement;
    const auto source = [&](std::size_t at) { return statement::SourceOffset(statement, at); };
    reference.begin = source(hit.begin);
    reference.end = std::max(reference.begin, source(hit.end - 1) + 1);
    if (hit.file) {
      reference.path_begin = source(hit.file->begin);
      reference.path_end = source(hit.file->end - 1) + 1;
      RestoreUnderscores(reference);
      const std::size_t size = reference.path_end - reference.path_begin;
      if (document_view_.substr(reference.path_begin, size) != reference.path) {
        reference.path_begin = reference.path_end = 0;
      }
    }
    const std::string_view text = statement.text;
    const auto digits = [&](std::size_t begin, std::size_t end) {
      return text.substr(begin, end - begin);
    };
    AddNumber(source(range.first_begin), digits(range.first_begin, range.first_end), false,
              reference);
    if (range.last_end > range.last_begin) {
      AddNumber(source(range.last_begin), digits(range.last_begin, range.last_end), true,
                reference);
    }
  }
  if (hit.link == nullptr && reference.numbers.empty()) PointAtPath(unit, reference);
  reference.end = std::min(reference.end, document_view_.size());
  reference.begin = std::min(reference.begin, reference.end);
  reference.text = document_view_.substr(reference.begin, reference.end - reference.begin);
  reference.line = LineAt(reference.begin);
  return reference;
}

std::size_t ReferenceMaker::LineAt(std::size_t offset) const {
  const std::vector<std::size_t>& starts = statements_.line_starts;
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), offset) -
                                  starts.begin());
}

}  // namespace sibyl::references
