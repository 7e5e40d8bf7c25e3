// SPDX-License-Identifier: Apache-2.0
// Any bytes as CMake, Dockerfile, C++ and JSON: a mistake is on a line of the text,
// and complete code is parsed to its end.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "code/code_check.h"
#include "code/code_tools.h"
#include "code/syntax.h"

namespace {

using namespace sibyl::code;  // NOLINT: a fuzz target is one file

void Check(const std::optional<SyntaxMistake>& mistake, std::string_view code) {
  if (!mistake) return;
  const std::size_t lines = sibyl::SplitLines(code).size();
  if (mistake->line > lines + 1 || mistake->message.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view code(reinterpret_cast<const char*>(data), size);
  Check(FindCMakeMistake(code), code);
  Check(FindDockerfileMistake(code), code);
  Check(FindCMistake(code), code);
  Check(FindJsonMistake(code), code);
  HasPlaceholderLine(code);
  CompletenessOf("cuda", code);
  return 0;
}
