// SPDX-License-Identifier: Apache-2.0
#include "gate/rules.h"

namespace sibyl::gate {
namespace {

std::vector<Rule> Joined(std::vector<Rule> rules, const std::vector<Rule>& more) {
  rules.insert(rules.end(), more.begin(), more.end());
  return rules;
}

}  // namespace

std::vector<Rule> TextRules() {
  return {
      {.code = "quote/mismatch", .meaning = "a quotation is not in its source"},
      {.code = "ident/unknown", .meaning = "a name is not where it should be defined"},
      {.code = "number/ungrounded", .meaning = "no source states this number for its subject"},
      {.code = "code/broken", .meaning = "a code block does not compile or parse"},
  };
}

std::vector<Rule> PageRules() {
  const std::vector<Rule> citations = {
      {.code = "cite/missing", .meaning = "a factual sentence has no citation"},
      {.code = "cite/unresolved", .meaning = "a citation does not lead to the bytes it names"},
      {.code = "cite/stale", .meaning = "the source has changed since it was cited"},
      {.code = "support/contradicted",
       .meaning = "the cited lines say something else about the same thing"},
      {.code = "support/ungrounded", .meaning = "the cited lines do not carry the statement"},
      {.code = "support/undecided", .meaning = "too many statements of a draft are not decided"},
      {.code = "cite/instruction",
       .meaning = "a draft cites lines that contain a prompt injection"},
      {.code = "text/instruction",
       .meaning = "a draft has text that reads as an instruction to a model"},
      {.code = "text/control",
       .meaning = "a draft has a control character, or one that changes the direction of text"},
      {.code = "text/claim",
       .meaning = "a heading, label or caption makes a claim that nothing next to it cites"},
      {.code = "text/html", .meaning = "a draft has raw HTML or an HTML comment"},
      {.code = "text/hidden", .meaning = "a draft has text that readers do not see"},
      {.code = "text/script", .meaning = "a draft has a word with letters of two alphabets"},
      {.code = "text/struck", .meaning = "a draft has struck-out words"},
  };
  const std::vector<Rule> form = {
      {.code = "link/broken", .meaning = "a relative link leads nowhere"},
      {.code = "link/unsafe",
       .meaning = "the address of a link could run a script or hide content"},
      {.code = "struct/stamp", .meaning = "the stamp is wrong"},
      {.code = "struct/sources",
       .meaning = "the sources at the end do not match the citations in the text"},
      {.code = "struct/coverage", .meaning = "a section that should cover a point does not exist"},
      {.code = "struct/unread", .meaning = "a page could not be read"},
      {.code = "struct/sections", .meaning = "a planned section is missing"},
      {.code = "struct/budget", .meaning = "a section is longer than its budget"},
  };
  return Joined(Joined(citations, TextRules()), form);
}

std::vector<Rule> GateRules() {
  return Joined(
      PageRules(),
      {
          {.code = "index/missing", .meaning = "an index page does not list a file"},
          {.code = "index/duplicate", .meaning = "an index page lists a file twice"},
          {.code = "index/dangling", .meaning = "an index page lists a file that does not exist"},
          {.code = "index/number", .meaning = "two files in a folder have the same number"},
          {.code = "index/count", .meaning = "a count in an index page is wrong"},
          {.code = "index/markers", .meaning = "the markers of a managed block do not match"},
      });
}

}  // namespace sibyl::gate
