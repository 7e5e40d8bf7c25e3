// SPDX-License-Identifier: Apache-2.0
// The search index of a page: valid UTF-8 that parses as JSON, with as many
// postings as terms, terms in order, and sections within their number.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/utf8.h"
#include "interface/site/search_index.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

std::size_t CountOf(std::string_view text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto sections = SectionsOf(bytes);
  if (!sections.ok()) return 0;
  Require(!sections->empty());
  const std::string script = SearchIndexScript(
      {{.href = "a.html", .title = std::string(bytes.substr(0, 100)), .sections = *sections}});
  Require(!sibyl::FindInvalidUtf8(script));
  constexpr std::string_view kCall = "sibylIndex(";
  const auto index = sibyl::ParseJson(
      std::string_view(script).substr(kCall.size(), script.size() - kCall.size() - 3));
  Require(index.ok() && (*index)["sections"].size() == sections->size());
  const auto terms = (*index)["terms"].get<std::string>();
  const auto postings = (*index)["postings"].get<std::string>();
  Require(terms.empty() == postings.empty());
  Require(CountOf(terms, ' ') == CountOf(postings, ';'));
  return 0;
}
