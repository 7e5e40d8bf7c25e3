// SPDX-License-Identifier: Apache-2.0
#include "field/gpu_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <tuple>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::field {
namespace {

// Words that do not tell architectures apart: brands, forms, kits, systems.
constexpr std::array<std::string_view, 45> kFormFactors = {
    "nvidia",   "geforce",   "tesla",    "pcie",       "nvl",  "gpu",      "gpus",
    "laptop",   "mobile",    "notebook", "max",        "q",    "maxq",     "server",
    "edition",  "d",         "v2",       "generation", "gen",  "embedded", "workstation",
    "sxm",      "tensor",    "core",     "graphics",   "card", "oem",      "cnx",
    "sff",      "developer", "dev",      "devkit",     "kit",  "module",   "industrial",
    "dgx",      "hgx",       "egx",      "mgx",        "ovx",  "grace",    "superchip",
    "lovelace", "fhhl",      "with"};

constexpr std::array<std::string_view, 7> kGenerations = {"pascal", "volta",  "turing",   "ampere",
                                                          "ada",    "hopper", "blackwell"};

// Families that people leave out: "4090", "A6000", "Orin". Longer ones first.
constexpr std::array<std::string_view, 7> kFamilies = {"quadrortx", "rtxpro", "quadro", "jetson",
                                                       "rtx",       "gtx",    "gt"};

bool HasOnlyDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return IsDigit(c); });
}

// "80gb", "40g", "hbm2e", "sxm4", "nvl72"
bool IsFormFactor(std::string_view word) {
  if (IsOneOf(word, kFormFactors)) return true;
  for (const std::string_view unit : {"gb", "gib", "g"}) {
    if (word.ends_with(unit) && HasOnlyDigits(word.substr(0, word.size() - unit.size()))) {
      return true;
    }
  }
  for (const std::string_view socket : {"sxm", "nvl"}) {
    if (word.starts_with(socket) && HasOnlyDigits(word.substr(socket.size()))) return true;
  }
  return word.starts_with("hbm") || word.starts_with("gddr");
}

// "rtx6000ada" as "rtx6000" and "ada".
std::string_view GenerationAtEnd(std::string_view word) {
  for (const std::string_view generation : kGenerations) {
    if (!word.ends_with(generation)) continue;
    const std::size_t begin = word.size() - generation.size();
    if (begin == 0 || IsDigit(word[begin - 1])) return word.substr(begin);
  }
  return {};
}

void AddWord(std::string word, GpuName& name) {
  const bool is_unit = word == "gb" || word == "gib";
  if (is_unit && name.words.size() > 1 && HasOnlyDigits(name.words.back())) {
    name.words.pop_back();  // "80 GB"
    return;
  }
  if (word.empty() || IsFormFactor(word)) return;
  const std::string_view generation = GenerationAtEnd(word);
  if (!generation.empty()) {
    name.generation = generation;
    word.resize(word.size() - generation.size());
  }
  if (!word.empty()) name.words.push_back(std::move(word));
}

// "RTX 6000 PRO" and "PRO 6000" as "RTX PRO 6000".
void MovePro(std::vector<std::string>& words) {
  const auto pro = std::ranges::find(words, "pro");
  if (pro == words.end()) return;
  words.erase(pro);
  constexpr std::string_view kFamily = "rtx";
  if (!words.empty() && words[0].starts_with(kFamily)) words[0].erase(0, kFamily.size());
  if (!words.empty() && words[0].empty()) words.erase(words.begin());
  words.insert(words.begin(), {std::string(kFamily), "pro"});
}

// "4090" of "rtx4090".
std::string_view WithoutFamily(std::string_view plain) {
  for (const std::string_view family : kFamilies) {
    const std::string_view rest = plain.substr(std::min(family.size(), plain.size()));
    if (plain.starts_with(family) && !rest.empty() && (family != "gt" || IsDigit(rest[0]))) {
      return rest;
    }
  }
  return plain;
}

bool HasGeneration(const Product& gpu, std::string_view generation) {
  const ArchitectureLife* life = LifeOf(gpu.number);
  return life != nullptr && LowerCase(life->generation) == generation;
}

// In any order, and without the family: "Orin AGX" for "Jetson AGX Orin".
bool HaveSameWords(const GpuName& name, const GpuName& product) {
  std::vector<std::string> words = product.words;
  if (words.size() == name.words.size() + 1 && IsOneOf(words[0], kFamilies)) {
    words.erase(words.begin());
  }
  return words.size() > 1 && words.size() == name.words.size() &&
         std::ranges::is_permutation(name.words, words, std::equal_to<>());
}

// Whether `name` is a short form: without the family, "RTX 6000" for a Quadro or an RTX PRO.
bool IsShortFor(const GpuName& name, const GpuName& product) {
  if (name.plain == product.plain || HaveSameWords(name, product)) return true;
  if (WithoutFamily(product.plain) == name.plain) return true;
  for (const std::string_view family : {"quadrortx", "rtxpro"}) {
    if (!product.plain.starts_with(family)) continue;
    const std::string number = product.plain.substr(family.size());
    if (name.plain == number || name.plain == "rtx" + number) return true;
  }
  // An RTX A6000 is often called a Quadro, which its predecessors were.
  return product.plain.starts_with("rtx") && name.plain == "quadro" + product.plain;
}

// "ti" and "super" are part of a product's name: there is an RTX 3080 Ti and no RTX 3050 SUPER.
std::optional<std::string> WithoutVariant(const GpuName& name) {
  std::string plain = name.plain;
  for (const std::string_view variant : {"super", "ti"}) {
    if (plain.ends_with(variant)) plain.resize(plain.size() - variant.size());
  }
  if (plain == name.plain || plain.empty()) return std::nullopt;
  return plain;
}

// "a" of "a5500": GPUs of one series have it in common.
std::string_view Series(std::string_view name) {
  std::size_t end = 0;
  while (end < name.size() && IsLetter(name[end])) ++end;
  return name.substr(0, end);
}

// 4090 of "4090ti"; 0 without one.
long NumberIn(std::string_view name) {
  constexpr std::size_t kMostDigits = 6;
  std::string digits;
  for (const char c : name) {
    if (IsDigit(c) && digits.size() < kMostDigits) digits += c;
  }
  return digits.empty() ? 0 : std::strtol(digits.c_str(), nullptr, 10);
}

bool IsJetsonName(std::string_view plain) {
  constexpr std::array<std::string_view, 6> kBegins = {"jetson", "agx",  "orin",
                                                       "xavier", "thor", "tx"};
  return std::ranges::any_of(kBegins, [&](auto word) { return plain.starts_with(word); });
}

}  // namespace

GpuName ParseGpuName(std::string_view text) {
  GpuName name;
  std::string word;
  for (const char c : LowerCase(text) + " ") {
    if (IsLetter(c) || IsDigit(c)) {
      word += c;
      continue;
    }
    AddWord(std::move(word), name);
    word.clear();
  }
  MovePro(name.words);
  for (const std::string& one : name.words) name.plain += one;
  // "NvidiaH100" in one word.
  for (const std::string_view brand : {"nvidia", "geforce", "tesla"}) {
    if (name.plain.starts_with(brand)) name.plain.erase(0, brand.size());
  }
  return name;
}

std::vector<const Product*> ProductsNamed(const GpuName& name) {
  std::vector<const Product*> named;
  if (name.plain.empty()) return named;
  for (const Product& gpu : Products()) {
    if (!name.generation.empty() && !HasGeneration(gpu, name.generation)) continue;
    const GpuName product = ParseGpuName(gpu.name);
    // A product that has its generation in its name shares the rest of it with another.
    const bool says_enough = product.generation.empty() || !name.generation.empty();
    if (product.plain == name.plain && says_enough) return {&gpu};
    if (IsShortFor(name, product)) named.push_back(&gpu);
  }
  return named;
}

// Of the same series if there is one that is near: "L4" for "L2", not "A2". What only a Jetson has
// in its name is not suggested to somebody who has a card.
std::optional<std::string> NearestProduct(std::string_view text) {
  GpuName wanted = ParseGpuName(text);
  if (wanted.plain.empty()) return std::nullopt;
  if (const std::optional<std::string> plain = WithoutVariant(wanted)) {
    const GpuName series{.words = {*plain}, .plain = *plain, .generation = wanted.generation};
    const std::vector<const Product*> named = ProductsNamed(series);
    if (!named.empty()) return std::string(named.front()->name);
  }
  const std::string name(WithoutFamily(wanted.plain));
  const bool wants_jetson = IsJetsonName(wanted.plain);
  // Distance without the family, distance with it, difference of the numbers: the least wins.
  using Rank = std::tuple<std::size_t, std::size_t, long>;
  for (const bool same_series : {true, false}) {
    std::optional<Rank> best;
    std::string_view nearest;
    const std::size_t most = std::clamp<std::size_t>(name.size() / 3, same_series ? 1 : 0, 3);
    for (const Product& gpu : Products()) {
      if (gpu.name.starts_with("Jetson") != wants_jetson) continue;
      const GpuName product = ParseGpuName(gpu.name);
      if (!product.generation.empty() && wanted.generation.empty()) continue;
      const std::string& plain = product.plain;
      const std::string_view short_name = WithoutFamily(plain);
      if (same_series && Series(short_name) != Series(name)) continue;
      const Rank rank{EditDistance(name, short_name), EditDistance(wanted.plain, plain),
                      std::abs(NumberIn(name) - NumberIn(short_name))};
      if (std::get<0>(rank) > most || (best && *best <= rank)) continue;
      best = rank;
      nearest = gpu.name;
    }
    if (best) return std::string(nearest);
  }
  return std::nullopt;
}

}  // namespace sibyl::field
