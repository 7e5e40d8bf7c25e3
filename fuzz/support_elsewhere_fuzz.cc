// SPDX-License-Identifier: Apache-2.0
// Other lines of any file that have more of a statement are lines of that file,
// and what is found there is found again. The input is cut at its first two zero
// bytes: statement, cited lines, file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "statement/statement.h"
#include "support/elsewhere.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

std::string_view Cut(std::string_view& text) {
  const std::size_t end = text.find('\0');
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl;  // NOLINT: a program
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view text = Cut(rest);
  const std::string_view cited = Cut(rest);
  const std::string_view file = rest;
  const auto statements = statement::ReadStatements(text);
  if (!statements.ok()) return 0;
  constexpr std::size_t kMost = 4;  // each of them reads the file
  support::Tokenizer tokenizer;
  const support::EvidenceText evidence(cited, {}, tokenizer);
  const std::size_t lines = SplitLines(file).size();
  for (std::size_t i = 0; i < std::min(statements->all.size(), kMost); ++i) {
    const support::ReadStatement read = support::Read(statements->all[i], evidence, tokenizer);
    const support::OtherLines found = support::FindElsewhere(read, evidence, {}, file, tokenizer);
    Require(found.first <= found.last && found.last <= lines);
    Require(found.here >= 0 && found.here <= 1 && found.there >= 0 && found.there <= 1);
    const support::OtherLines again = support::FindElsewhere(read, evidence, {}, file, tokenizer);
    Require(again.first == found.first && again.there == found.there);
  }
  return 0;
}
