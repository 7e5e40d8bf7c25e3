// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_links.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/percent.h"
#include "base/strings.h"
#include "engine/own/own_context.h"
#include "gate/links.h"

namespace sibyl::engine {
namespace {

// "#L10", "#L10-L20"
bool IsLineAnchor(std::string_view anchor) {
  return anchor.size() > 1 && (anchor[0] == 'L' || anchor[0] == 'l') && IsDigit(anchor[1]);
}

// "a.rs:12": a code citation.
bool EndsWithLines(std::string_view path) {
  const std::size_t colon = path.rfind(':');
  return colon != path.npos && colon + 1 < path.size() && IsDigit(path[colon + 1]);
}

std::string_view LastNameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Why a link without a target may be right all the same; empty if it cannot.
std::string_view LinkExcuse(std::string_view url, const OwnDocument& document) {
  const std::size_t hash = std::min(url.find('#'), url.size());
  const std::string anchor = DecodePercentLeniently(url.substr(std::min(hash + 1, url.size())));
  std::string_view raw = url.substr(0, hash);
  const std::string path = DecodePercentLeniently(raw.substr(0, raw.find('?')));
  if (url.empty() || url == "#" || IsPlaceholder(path)) return "it stands for another address";
  if (IsLineAnchor(anchor) || EndsWithLines(path)) return "it is a code citation";
  if (path.starts_with('/')) return "it is an address on a site";
  if (path.starts_with('~')) return "it leads out of the repository";
  if (path.empty()) return {};
  const std::string_view name = LastNameOf(path);
  if (name.find('.') == name.npos) return "a site may have it under another name";
  if (name.ends_with(".html") || name.ends_with(".htm")) return "a site may generate it";
  const auto target = gate::ResolveRelative(document.path, path);
  if (!target) return "it leads out of the repository";
  return {};
}

}  // namespace

std::vector<statement::Judgement> JudgeOwnLinks(const OwnDocument& document,
                                                const gate::OraclePages& pages) {
  const gate::Receipts none;
  std::vector<statement::Judgement> judgements =
      gate::JudgeLinks({.name = std::string(document.shown),
                        .text_view = document.text,
                        .statements = document.statements,
                        .receipts = none},
                       document.path, pages, "repository");
  // A repository's pages are shown by forges, which leave out scripts.
  std::erase_if(judgements, [](const auto& one) { return one.code == "link/unsafe"; });
  for (statement::Judgement& judgement : judgements) {
    if (!judgement.Fails() || judgement.code != "link/broken") continue;
    const std::string_view excuse = LinkExcuse(judgement.text, document);
    if (excuse.empty()) continue;
    judgement.verdict = statement::Verdict::kUndecidable;
    judgement.message = "not checked";
    judgement.reason = excuse;
    judgement.nearest.clear();
  }
  return judgements;
}

}  // namespace sibyl::engine
