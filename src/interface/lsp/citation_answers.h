// SPDX-License-Identifier: Apache-2.0
// What an editor shows of the citations of a checked document: diagnostics, the
// cited lines, links and corrections. Offsets are those of the text that was checked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "interface/lsp/text_document.h"
#include "interface/lsp/workspace.h"
#include "references/check.h"

namespace sibyl::interface::lsp {

/// What the client can show.
struct ClientFeatures {
  PositionEncoding encoding = PositionEncoding::kUtf16;
  bool shows_markdown = true;  ///< In hovers.
  bool shows_related = false;  ///< Further places of a diagnostic.
  bool has_versioned_edits = false;
  bool registers_watches = false;
};

/// A document that was checked, with all that answers are made from.
struct CheckedView {
  const TextDocument& text;
  const std::string& uri;
  std::size_t version = 0;
  const Located& located;
  const references::CheckedDocument& checked;
  const ClientFeatures& client;
};

/// At most 1,000.
Json DiagnosticsOf(const CheckedView& view);

/// Null where there is no citation.
Json HoverAt(const CheckedView& view, std::size_t offset);

/// The place that a citation means: where its lines are now if that is certain,
/// otherwise the cited lines. Null where there is no citation, or no such file.
Json DefinitionAt(const CheckedView& view, std::size_t offset);

/// At most 2,000, without those that are links to the web already.
Json LinksOf(const CheckedView& view);

/// The corrections of the citations in a range, and of all in the document.
/// `only` are the kinds that the client wants; all of them if it is not a list.
Json ActionsIn(const CheckedView& view, const ByteRange& range, const Json& only);

/// The bytes that are marked for the citation of this index: of a list only its numbers.
ByteRange MarkedRange(const CheckedView& view, std::size_t index);

}  // namespace sibyl::interface::lsp
