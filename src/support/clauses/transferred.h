// SPDX-License-Identifier: Apache-2.0
// What a statement transfers from one thing of the lines to another: a remark in
// brackets that belongs to a neighbour ("`a` (experimental)" for "b (experimental)"),
// and a clause that only says "likewise" of something of which the lines say otherwise.
#pragma once

#include <optional>
#include <string>

#include "support/clauses/line_sentences.h"
#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct TransferredRemark {
  std::string remark;
  std::string owner;  ///< The word of the lines before it.
};

/// A remark in brackets that the lines have only after another word.
std::optional<TransferredRemark> FindTransferredRemark(const ReadStatement& read,
                                                       const EvidenceText& evidence);

/// "… and for `x` likewise", "`x` will do as well": where the lines deny it of `x`, or
/// contrast `x` with what comes before. The word for `x`.
std::optional<std::string> FindFalseLikeness(const ReadStatement& read,
                                             const EvidenceText& evidence,
                                             const LineSentences& sentences);

}  // namespace sibyl::support
