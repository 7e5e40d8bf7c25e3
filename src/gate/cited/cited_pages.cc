// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "evidence/pages/page_citation.h"
#include "evidence/pages/pages.h"
#include "injection/instruction.h"
#include "passages/enclosing.h"

namespace sibyl::gate {
namespace {

OtherAnswer Answer(statement::Verdict verdict, std::string message, std::string reason) {
  return {.verdict = verdict, .message = std::move(message), .reason = std::move(reason)};
}

// The same characters, anywhere in the currently pinned text.
evidence::WebCitation Renew(const evidence::WebCitation& citation, const evidence::PageRecord& page,
                            std::size_t first) {
  evidence::WebCitation renewed = citation;
  renewed.sha256 = page.text_sha256;
  renewed.accessed = page.fetched;
  if (citation.end_char != 0) {
    renewed.first_char = first;
    renewed.end_char = first + (citation.end_char - citation.first_char);
  }
  return renewed;
}

std::string Enclosing(const evidence::Lock& lock, const evidence::PageRecord& page,
                      std::string_view text, std::string_view words) {
  const auto pin = std::find_if(lock.pins.begin(), lock.pins.end(), [&](const evidence::Pin& one) {
    return std::find(one.pages.begin(), one.pages.end(), page) != one.pages.end();
  });
  const auto begin = static_cast<std::size_t>(words.data() - text.data());
  return (pin != lock.pins.end() ? pin->name + "/" : "") + page.path + "\n" +
         passages::EnclosingText(page.path, text, begin, begin + words.size());
}

}  // namespace

CitedPages::Snapshot CitedPages::Load(const std::string& text_sha256) {
  {
    const MutexLock lock(mutex_);
    const auto found = loaded_.find(text_sha256);
    if (found != loaded_.end()) return found->second;
  }
  auto loaded = std::make_shared<const Result<evidence::PageSnapshot>>(
      evidence::LoadPageSnapshot(store_, text_sha256));
  const MutexLock lock(mutex_);
  return loaded_.try_emplace(text_sha256, std::move(loaded)).first->second;
}

OtherAnswer CitedPages::Resolve(const evidence::WebCitation& citation) {
  const evidence::PageRecord* page = evidence::FindPage(lock_, citation.url);
  if (page == nullptr) {
    return Answer(statement::Verdict::kAbsent, fmt::format("{} is not pinned here", citation.url),
                  "no source in sibyl.lock has that page");
  }
  const Snapshot cited = Load(citation.sha256);
  if (!cited->ok()) {
    return Answer(statement::Verdict::kUndecidable,
                  fmt::format("the cited text of {} is missing from the store", citation.url),
                  "'sibyl verify --restore' fetches pinned pages again, 'sibyl source import' "
                  "restores exported ones");
  }
  const evidence::PageSnapshot& snapshot = **cited;
  // Two pages may have one text, and its snapshot names the first.
  const std::string address = evidence::PageAddress(citation.url);
  if (page->text_sha256 != citation.sha256 && address != snapshot.record.url &&
      address != snapshot.record.final_url) {
    return Answer(
        statement::Verdict::kAbsent,
        fmt::format("the cited text is from {}, not from {}", snapshot.record.url, address),
        "the snapshot with that hash is of another page");
  }
  const std::optional<std::string_view> words =
      evidence::CharactersOf(snapshot.text, citation.first_char, citation.end_char);
  if (!words) {
    return Answer(
        statement::Verdict::kAbsent,
        fmt::format("characters {}-{} are cited, but the text has {}", citation.first_char,
                    citation.end_char, evidence::CountCharacters(snapshot.text)),
        "the snapshot was found in the store by its hash");
  }
  OtherAnswer answer{
      .verdict = statement::Verdict::kSupported,
      .text = std::string(*words),
      .message = "the cited characters are unchanged",
      .where = fmt::format("{} ({})", page->url, snapshot.record.fetched.substr(0, 10)),
      .reason = "the snapshot was found in the store by its hash"};
  answer.path = page->path;
  answer.context = Enclosing(lock_, *page, snapshot.text, *words);
  if (const auto line = injection::InstructionAmong(snapshot.text, *words)) {
    answer.instruction = std::string(*line);
  }
  if (page->text_sha256 == citation.sha256) return answer;
  const Snapshot now = Load(page->text_sha256);
  if (!now->ok()) return answer;
  const std::string_view text = (*now)->text;
  if (const std::size_t at = text.find(*words); at != std::string_view::npos) {
    answer.reason += "; the page has changed since, but still contains them";
    if (text.find(*words, at + 1) == std::string_view::npos) {
      answer.renewed = Renew(citation, *page, evidence::CountCharacters(text.substr(0, at)));
    }
    return answer;
  }
  answer.verdict = statement::Verdict::kStale;
  answer.message = fmt::format("{} changed on or before {}, and no longer contains the cited words",
                               page->url, page->fetched.substr(0, 10));
  return answer;
}

}  // namespace sibyl::gate
