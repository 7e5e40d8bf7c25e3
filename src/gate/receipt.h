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
#include "gate/other_answer.h"
#include "gate/resolver.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct Receipt {
  std::string label;
  std::size_t line = 0;  ///< Of the definition.
  std::size_t uses = 0;
  std::optional<evidence::Citation> citation;
  std::string problem;    ///< Why there is no citation.
  Resolution resolution;  ///< Of lines of a source.
  /// Of lines of a source or of a page: path, headings and definitions that
  /// enclose them.
  std::string context = {};
  /// For a page; for an artifact or a lab run, if it can be resolved.
  std::optional<OtherAnswer> other;
  std::optional<evidence::Refound> refound;  ///< Of a stale one.

  /// The citation, when it is of lines of a source.
  const evidence::SourceCitation* source() const {
    return citation ? std::get_if<evidence::SourceCitation>(&*citation) : nullptr;
  }

  /// The citation, when it is of a page.
  const evidence::WebCitation* page() const {
    return citation ? std::get_if<evidence::WebCitation>(&*citation) : nullptr;
  }

  /// Whether it leads to what it names.
  bool Resolves() const {
    return resolution.ok() || (other && (other->verdict == statement::Verdict::kSupported ||
                                         other->verdict == statement::Verdict::kStale));
  }

  /// Whether what it names is not on this machine, so that nothing can be said about it.
  bool IsNotHere() const {
    if (other) return other->verdict == statement::Verdict::kUndecidable;
    return source() != nullptr && resolution.state == Resolution::State::kNoStore;
  }

  /// The cited words; nothing if they could not be read.
  std::optional<std::string_view> Span() const {
    if (!Resolves()) return std::nullopt;
    return resolution.ok() ? resolution.span_view : std::string_view(other->text);
  }
};

/// By label.
using Receipts = std::map<std::string, Receipt, std::less<>>;

/// Called for every citation that is neither of source lines nor of a page, one
/// at a time. Artifacts and labs belong to other rooms; nothing for an
/// unsupported kind.
using OtherResolver = std::function<std::optional<OtherAnswer>(const evidence::Citation&)>;

/// Never fails: a definition that is none has its problem.
Receipts ReadReceipts(const statement::Statements& statements);

/// Resolves the receipts of many files in one batch.
void ResolveReceipts(const std::vector<Receipts*>& files, const CitationResolver& resolver,
                     const OtherResolver& other = {});

/// Sets the context of a receipt that is resolved.
void AddContext(Receipt& receipt);

/// Finds the lines of stale citations again: one pass over each source that
/// changed. Citations of sources that cannot be opened stay unresolved.
void RefindStale(const std::vector<Receipts*>& files, const CitationResolver& resolver);

/// "gadget@4f2a91c cmake/Profiler.cmake:41-47": as findings name it.
std::string DescribeSource(const evidence::SourceCitation& citation, const evidence::Pin* pin);

}  // namespace sibyl::gate
