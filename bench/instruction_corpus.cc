// SPDX-License-Identifier: Apache-2.0
#include "instruction_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "injection/letters.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> ParagraphsOf(std::string_view text) {
  std::vector<std::string_view> paragraphs;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (Trim(text.substr(at, end - at)).empty()) {
      if (at > begin) paragraphs.push_back(text.substr(begin, at - begin));
      begin = end;
    }
    at = end;
  }
  if (text.size() > begin) paragraphs.push_back(text.substr(begin));
  return paragraphs;
}

enum class Disguise : std::uint8_t { kHidden, kLookAlike, kWide, kEntity, kSpaced, kDigits };
constexpr std::size_t kDisguises = 6;

// A letter in a disguise, with what follows it.
std::string DisguisedLetter(char c, std::size_t at, bool ends_word, Disguise disguise) {
  constexpr std::string_view kAlike = "aeopcx";
  constexpr std::array<char32_t, 6> kCyrillic = {0x430, 0x435, 0x43E, 0x440, 0x441, 0x445};
  constexpr std::string_view kReplaced = "aeiost";
  constexpr std::string_view kDigit = "431057";
  std::string written(1, c);
  switch (disguise) {
    case Disguise::kHidden:
      if (at % 2 == 0) written += "\u200B";
      break;
    case Disguise::kLookAlike:
      if (const std::size_t found = kAlike.find(c); found != std::string_view::npos) {
        written.clear();
        AppendUtf8(kCyrillic[found], written);
      }
      break;
    case Disguise::kWide:
      written.clear();
      AppendUtf8(0xFEE0 + static_cast<unsigned char>(c), written);
      break;
    case Disguise::kEntity:
      written = fmt::format("&#{};", static_cast<int>(c));
      break;
    case Disguise::kSpaced:
      written += ends_word ? "  " : " ";
      break;
    case Disguise::kDigits:
      if (const std::size_t found = kReplaced.find(c); found != std::string_view::npos) {
        written = kDigit[found];
      }
      break;
  }
  return written;
}

std::string Disguised(std::string_view text, Disguise disguise) {
  std::string disguised;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_letter = injection::IsLatinLetter(static_cast<unsigned char>(text[i]));
    const bool ends_word = i + 1 == text.size() || text[i + 1] == ' ';
    disguised +=
        is_letter ? DisguisedLetter(text[i], i, ends_word, disguise) : std::string(1, text[i]);
  }
  return disguised;
}

template <typename IndexOf>
Example ReadExample(std::string_view text, const injection::FeatureFilter* filter,
                    const IndexOf& index_of) {
  Example example;
  for (const std::string_view paragraph : ParagraphsOf(text)) {
    const injection::ParagraphFeatures read = injection::ReadFeatures(paragraph, filter);
    example.is_hidden |= !read.hidden_lines.empty();
    for (const injection::SentenceFeatures& sentence : read.sentences) {
      std::vector<std::uint32_t>& indices = example.sentences.emplace_back();
      for (const injection::Feature feature : sentence.features) index_of(feature, indices);
    }
  }
  return example;
}

// Which quarter of the files one belongs to, by its name below the folder.
bool IsHeldOut(const fs::path& file, const fs::path& folder) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : fs::relative(file, folder).generic_string()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  }
  return (hash ^ (hash >> 29U)) % 4 == 0;
}

}  // namespace

Example Vocabulary::Take(std::string_view text) {
  return ReadExample(text, nullptr, [&](injection::Feature feature, auto& indices) {
    const auto [at, is_new] =
        indices_.try_emplace(feature, static_cast<std::uint32_t>(features_.size()));
    if (is_new) features_.push_back(feature);
    indices.push_back(at->second);
  });
}

Example Vocabulary::Read(std::string_view text) const {
  return ReadExample(text, nullptr, [&](injection::Feature feature, auto& indices) {
    if (const auto at = indices_.find(feature); at != indices_.end()) {
      indices.push_back(at->second);
    }
  });
}

std::vector<Example> ReadItems(const std::string& file, Vocabulary& vocabulary) {
  std::vector<Example> examples;
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error(fmt::format("reading {}: it cannot be opened", file));
  std::size_t injections = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json item = Json::parse(line);
    const std::string text = item["text"];
    Example example = vocabulary.Take(text);
    example.is_injection = item["label"] == "injection";
    example.language = item["lang"];
    const bool is_plain = !std::string(item["kind"]).starts_with("obf-");
    examples.push_back(std::move(example));
    if (!examples.back().is_injection || !is_plain || ++injections % 3 != 0) continue;
    const auto disguise = static_cast<Disguise>(injections / 3 % kDisguises);
    Example copy = vocabulary.Take(Disguised(text, disguise));
    copy.is_injection = true;
    copy.is_disguised = true;
    examples.push_back(std::move(copy));
  }
  return examples;
}

Folder ReadFolder(const std::string& name, const Vocabulary& vocabulary) {
  Folder folder{.name = name};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(name)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream bytes(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(bytes), std::istreambuf_iterator<char>()};
    std::vector<Example>& examples = IsHeldOut(file, name) ? folder.held_out : folder.known;
    for (const std::string_view paragraph : ParagraphsOf(text)) {
      examples.push_back(vocabulary.Read(paragraph));
    }
  }
  return folder;
}

}  // namespace sibyl::bench
