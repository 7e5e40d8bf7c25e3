// SPDX-License-Identifier: Apache-2.0
// The receipts of a file: its footnote definitions, what their citations lead
// to, and where the cited lines went when the source moved.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "evidence/citation.h"
#include "evidence/refind.h"
#include "verify/resolver.h"
#include "verify/statement.h"

namespace sibyl::verify {

struct Receipt {
  std::string label;
  std::size_t line = 0;  ///< Of the definition.
  std::size_t uses = 0;
  std::optional<evidence::Citation> citation;
  std::string problem;    ///< Why there is no citation.
  Resolution resolution;  ///< Of lines of a source.
  /// What a page, an artifact or a lab run says, where somebody can tell.
  std::optional<std::string> other_text;
  std::optional<evidence::Refound> refound;  ///< Of a stale one.

  /// The citation, when it is of lines of a source.
  const evidence::SourceCitation* source() const {
    return citation ? std::get_if<evidence::SourceCitation>(&*citation) : nullptr;
  }

  /// The cited words; nothing when they could not be had.
  std::optional<std::string_view> Span() const {
    if (resolution.ok()) return resolution.span_view;
    return other_text ? std::optional<std::string_view>(*other_text) : std::nullopt;
  }
};

/// By label.
using Receipts = std::map<std::string, Receipt, std::less<>>;

/// What a citation that is not of lines of a source says. Pages, artifacts and
/// labs belong to other rooms; nothing when they do not know it.
using OtherResolver = std::function<std::optional<std::string>(const evidence::Citation&)>;

/// Never fails: a definition that is none has its problem.
Receipts ReadReceipts(const Statements& statements);

/// Resolves the receipts of many files in one batch.
void ResolveReceipts(const std::vector<Receipts*>& files, const CitationResolver& resolver,
                     const OtherResolver& other = {});

/// Looks where the lines of stale citations went: one pass over each source
/// that moved. What cannot be opened stays without an answer.
void RefindStale(const std::vector<Receipts*>& files, const CitationResolver& resolver);

/// "gadget@4f2a91c cmake/Profiler.cmake:41-47": as findings name it.
std::string DescribeSource(const evidence::SourceCitation& citation, const evidence::Pin* pin);

}  // namespace sibyl::verify
