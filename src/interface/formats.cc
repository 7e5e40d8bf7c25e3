// SPDX-License-Identifier: Apache-2.0
#include "interface/formats.h"

#include "evidence/history/history_file.h"
#include "evidence/lock.h"
#include "interface/json_answer.h"

namespace sibyl::interface {
namespace {

constexpr FormatVersion kFormats[] = {
    {"agent-sections", 1},
    {"answer", kJsonVersion, kJsonVersion},
    {"baseline", 1},
    {"citation", 1},
    {"config", 1},
    {"draft", 1},
    {"facts", 1},
    {"history", evidence::kHistoryVersion, evidence::kHistoryVersion},
    {"index-manifest", 3, 3},
    {"index-segment", 3, 3},
    {"journal", 3, 2},
    {"kept-answers", 1},
    {"knowledge", 1},
    {"lab-run", 1},
    {"lock", evidence::kLockVersion, 1},
    {"model-answer", 1},
    {"page-snapshot", 1},
    {"plan", 1},
    {"publication", 1},
    {"shared-store", 1},
    {"site", 1},
    {"trust", 1},
    {"user-state", 1},
    {"vectors", 1, 1},
    {"web-memory", 1},
};

constexpr Standard kStandards[] = {{"lsp", "3.17"}, {"sarif", "2.1.0"}, {"warc", "1.1"}};

}  // namespace

std::span<const FormatVersion> FormatVersions() { return kFormats; }
std::span<const Standard> Standards() { return kStandards; }

}  // namespace sibyl::interface
