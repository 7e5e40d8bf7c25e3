// SPDX-License-Identifier: Apache-2.0
// A quotation against a source, both any bytes (a zero byte between them):
// an excerpt of the source matches it, lines that are named exist, and
// folding a folded text changes nothing that is compared.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "statement/folded_text.h"
#include "statement/quote.h"

namespace {

using namespace sibyl::statement;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckLines(const QuoteMatch& match, std::string_view quote, std::size_t most) {
  Require(match.Holds() || !match.invented.empty() || !match.is_continuous ||
          match.fit == QuoteMatch::Fit::kAbsent);
  Require(std::is_sorted(match.invented.begin(), match.invented.end()));
  for (const std::size_t line : match.invented) Require(line >= 1 && line <= most);
  Require(!match.Holds() || match.invented.empty());
  Require(quote.empty() || match.compared <= quote.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = std::min(all.find('\0'), all.size());
  const std::string_view quote = all.substr(0, zero);
  const std::string_view source = all.substr(std::min(zero + 1, all.size()));
  const QuoteSource prepared(source);
  CheckLines(prepared.CompareQuote(quote), quote, QuotedSentences(quote).size());
  CheckLines(prepared.CompareCode(quote), quote, sibyl::SplitLines(quote).size());
  Require(prepared.CompareQuote(source).Holds());
  for (const Folding folding : {Folding::kSpace, Folding::kCode}) {
    const FoldedText once(source, folding);
    Require(FoldedText(once.text(), folding).text() == once.text());
  }
  return 0;
}
