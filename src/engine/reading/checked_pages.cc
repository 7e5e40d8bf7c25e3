// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/checked_pages.h"

#include <utility>

#include "base/markdown/heading_anchor.h"
#include "evidence/evidence.h"
#include "oracle/oracle.h"
#include "oracle/oracle_markdown.h"

namespace sibyl::engine {

Result<CheckedPages> CheckPages(const oracle::Context& context, const std::string& page) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::OracleMarkdown markdown = page.empty()
                                        ? SIBYL_TRY(oracle::ReadOracleMarkdown(context))
                                        : SIBYL_TRY(oracle::ReadNamedMarkdown(context, {page}));
  CheckedPages checked;
  checked.findings = std::move(markdown.findings);
  checked.pages = gate::ReadPages(std::move(markdown.pages));
  checked.sources = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  gate::OraclePages oracle(around.oracle);
  const code::CodeChecker code({.depth = code::CodeDepth::kReading});
  const gate::PageChecks checks{.resolver = checked.sources->resolver(),
                                .oracle = oracle,
                                .other = checked.sources->other(),
                                .code = &code};
  gate::ResolvePages(checked.pages, checks);
  checked.judgements = gate::JudgePages(checked.pages, checks);
  return checked;
}

std::string TitleOf(const gate::Page& page) {
  // The first of the first level: front matter ends like a heading of the second.
  for (const statement::SectionHeading& heading : page.statements.headings) {
    if (heading.level == 1) return std::string(WithoutNumber(heading.text));
  }
  return page.source.path.substr(page.source.path.rfind('/') + 1);
}

}  // namespace sibyl::engine
