// SPDX-License-Identifier: Apache-2.0
#include "gate/rules.h"

namespace sibyl::gate {

std::vector<Rule> GateRules() {
  return {
      {.code = "cite/missing", .meaning = "a factual sentence has no citation"},
      {.code = "cite/unresolved", .meaning = "a citation does not lead to the bytes it names"},
      {.code = "cite/stale", .meaning = "the source has moved on from what is cited"},
      {.code = "cite/instruction",
       .meaning = "a draft cites lines that contain a prompt injection"},
      {.code = "text/instruction",
       .meaning = "a draft has text that reads as an instruction to a model"},
      {.code = "text/control",
       .meaning = "a draft has a control character, or one that changes the direction of text"},
      {.code = "quote/mismatch", .meaning = "a quotation is not in the source it is taken from"},
      {.code = "ident/unknown", .meaning = "a name does not exist where it should"},
      {.code = "number/ungrounded", .meaning = "a number is not said of its subject by a source"},
      {.code = "code/broken", .meaning = "a block of code neither compiles nor parses"},
      {.code = "link/broken", .meaning = "a relative link leads nowhere"},
      {.code = "struct/stamp", .meaning = "the stamp says what is not so"},
      {.code = "struct/sources", .meaning = "the sources at the end are not what the text uses"},
      {.code = "struct/coverage", .meaning = "a section that should cover a point does not exist"},
      {.code = "struct/unread", .meaning = "a page could not be read"},
      {.code = "struct/sections", .meaning = "a planned section is missing"},
      {.code = "struct/budget", .meaning = "a section is longer than its budget"},
      {.code = "index/missing", .meaning = "an index page does not list a file"},
      {.code = "index/duplicate", .meaning = "an index page lists a file twice"},
      {.code = "index/dangling", .meaning = "an index page lists a file that does not exist"},
      {.code = "index/number", .meaning = "two files of a folder have one number"},
      {.code = "index/count", .meaning = "an index page counts wrongly"},
      {.code = "index/markers", .meaning = "the marks of a managed block do not match"},
  };
}

}  // namespace sibyl::gate
