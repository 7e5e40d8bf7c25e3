// SPDX-License-Identifier: Apache-2.0
#include "index/words/word_files.h"

namespace sibyl::index {
namespace {

constexpr std::string_view kDeviceGlossary =
#include "index/words/glossary_device.txt.inc"
    ;
constexpr std::string_view kKernelGlossary =
#include "index/words/glossary_kernels.txt.inc"
    ;
constexpr std::string_view kTrainingGlossary =
#include "index/words/glossary_training.txt.inc"
    ;
constexpr std::string_view kFrameworkGlossary =
#include "index/words/glossary_frameworks.txt.inc"
    ;
constexpr std::string_view kBuildGlossary =
#include "index/words/glossary_builds.txt.inc"
    ;
constexpr std::string_view kSynonyms =
#include "index/words/synonyms.txt.inc"
    ;
constexpr std::string_view kThesaurus =
#include "index/words/thesaurus.txt.inc"
    ;

constexpr std::string_view kNicknames =
#include "index/words/nicknames.txt.inc"
    ;

constexpr std::string_view kGlossaryTables[] = {kDeviceGlossary, kKernelGlossary, kTrainingGlossary,
                                                kFrameworkGlossary, kBuildGlossary};

constexpr WordFile kWordFiles[] = {
    {"src/index/words/glossary_device.txt", kDeviceGlossary, WordFileKind::kGlossary},
    {"src/index/words/glossary_kernels.txt", kKernelGlossary, WordFileKind::kGlossary},
    {"src/index/words/glossary_training.txt", kTrainingGlossary, WordFileKind::kGlossary},
    {"src/index/words/glossary_frameworks.txt", kFrameworkGlossary, WordFileKind::kGlossary},
    {"src/index/words/glossary_builds.txt", kBuildGlossary, WordFileKind::kGlossary},
    {"src/index/words/synonyms.txt", kSynonyms, WordFileKind::kSynonyms},
    {"src/index/words/thesaurus.txt", kThesaurus, WordFileKind::kThesaurus},
    {"src/index/words/nicknames.txt", kNicknames, WordFileKind::kNicknames},
};

}  // namespace

std::span<const std::string_view> GlossaryTables() { return kGlossaryTables; }
std::string_view SynonymTable() { return kSynonyms; }
std::string_view ThesaurusTable() { return kThesaurus; }
std::string_view NicknameTable() { return kNicknames; }
std::span<const WordFile> WordFiles() { return kWordFiles; }

}  // namespace sibyl::index
