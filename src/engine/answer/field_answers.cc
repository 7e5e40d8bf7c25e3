// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/field_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "audit/facts/field_mentions.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "field/field.h"

namespace sibyl::engine {
namespace {

using audit::Mention;
using audit::MentionKind;

struct FieldAnswer {
  std::string text;
  field::ReceiptList receipts;
};

// All that such a question has besides what it is about.
constexpr std::array<std::string_view, 97> kWords = {"?",
                                                     ".",
                                                     ",",
                                                     "'",
                                                     "\"",
                                                     "which",
                                                     "what",
                                                     "whats",
                                                     "s",
                                                     "is",
                                                     "are",
                                                     "the",
                                                     "a",
                                                     "an",
                                                     "does",
                                                     "do",
                                                     "did",
                                                     "need",
                                                     "needs",
                                                     "needed",
                                                     "require",
                                                     "requires",
                                                     "required",
                                                     "minimum",
                                                     "minimal",
                                                     "min",
                                                     "oldest",
                                                     "newest",
                                                     "latest",
                                                     "highest",
                                                     "lowest",
                                                     "earliest",
                                                     "version",
                                                     "versions",
                                                     "of",
                                                     "for",
                                                     "to",
                                                     "run",
                                                     "runs",
                                                     "running",
                                                     "with",
                                                     "support",
                                                     "supports",
                                                     "supported",
                                                     "by",
                                                     "driver",
                                                     "drivers",
                                                     "nvidia",
                                                     "linux",
                                                     "cuda",
                                                     "toolkit",
                                                     "toolkits",
                                                     "how",
                                                     "old",
                                                     "new",
                                                     "must",
                                                     "my",
                                                     "be",
                                                     "at",
                                                     "least",
                                                     "has",
                                                     "have",
                                                     "in",
                                                     "compute",
                                                     "capability",
                                                     "arch",
                                                     "gpu",
                                                     "gpus",
                                                     "card",
                                                     "cards",
                                                     "and",
                                                     "on",
                                                     "can",
                                                     "i",
                                                     "use",
                                                     "used",
                                                     "first",
                                                     "last",
                                                     "added",
                                                     "dropped",
                                                     "compile",
                                                     "compiles",
                                                     "nvcc",
                                                     "build",
                                                     "builds",
                                                     "target",
                                                     "targets",
                                                     "set",
                                                     "should",
                                                     "ptx",
                                                     "isa",
                                                     "generation",
                                                     "architecture",
                                                     "architectures",
                                                     "release",
                                                     "since",
                                                     "when"};
constexpr std::array<std::string_view, 6> kArchitectureNames = {
    "torch_cuda_arch_list", "cmake_cuda_architectures", "sm", "-arch", "gencode", "-gencode"};

class FieldQuestion {
 public:
  explicit FieldQuestion(std::string_view question) {
    std::string rest(question);
    for (audit::MentionGroup& group : audit::FindMentions(question)) {
      for (Mention& mention : group.all) {
        std::fill(rest.begin() + static_cast<std::ptrdiff_t>(mention.begin),
                  rest.begin() + static_cast<std::ptrdiff_t>(mention.end), ' ');
        mentions_.push_back(std::move(mention));
      }
    }
    words_ = audit::PlainTokens(rest);
    is_understood_ = mentions_.size() == 1 && !mentions_[0].is_range &&
                     std::all_of(words_.begin(), words_.end(), [](const std::string& word) {
                       return IsOneOf(word, kWords) || IsOneOf(word, kArchitectureNames);
                     });
  }

  std::optional<FieldAnswer> Answer() const {
    if (!is_understood_) return std::nullopt;
    const Mention& about = mentions_[0];
    switch (about.kind) {
      case MentionKind::kToolkit:
        if (Has({"driver", "drivers"})) return DriverOf(about);
        if (Has({"ptx"})) return PtxOf(about);
        return std::nullopt;
      case MentionKind::kDriver:
        return Has({"cuda", "toolkit", "toolkits"}) ? ToolkitOf(about) : std::nullopt;
      case MentionKind::kProduct:
      case MentionKind::kGeneration:
      case MentionKind::kArchitecture:
        return OfHardware(about);
      default:
        return std::nullopt;
    }
  }

 private:
  bool Has(std::initializer_list<std::string_view> words) const {
    return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  }

  static std::optional<FieldAnswer> DriverOf(const Mention& about) {
    const field::Toolkit* toolkit = nullptr;
    for (const field::Toolkit& one : field::Toolkits()) {  // newest first
      const bool is_it =
          about.is_major ? one.version.major == about.version.major : one.version == about.version;
      if (is_it && one.receipts.is_confirmed) toolkit = &one;
    }
    if (toolkit == nullptr) return std::nullopt;
    std::string text;
    if (!toolkit->floor.empty()) {
      text =
          fmt::format("Programs that were built with CUDA {}.x run with Linux driver {} or newer.",
                      toolkit->version.major, toolkit->floor);
    }
    if (!about.is_major || toolkit->floor.empty()) {
      text +=
          fmt::format("{}All of CUDA {} is supported from Linux driver {} on.",
                      text.empty() ? "" : " ", field::Format(toolkit->version), toolkit->driver);
    }
    return FieldAnswer{.text = std::move(text), .receipts = toolkit->receipts};
  }

  static std::optional<FieldAnswer> PtxOf(const Mention& about) {
    const field::Toolkit* toolkit = about.is_major ? nullptr : field::FindToolkit(about.version);
    if (toolkit == nullptr) return std::nullopt;
    return FieldAnswer{
        .text = fmt::format("CUDA {} writes PTX ISA {}.", field::Format(toolkit->version),
                            field::Format(toolkit->ptx)),
        .receipts = toolkit->receipts};
  }

  static std::optional<FieldAnswer> ToolkitOf(const Mention& about) {
    const std::optional<field::CudaVersion> cuda = field::CudaOfDriver(about.driver);
    const field::Toolkit* toolkit = cuda ? field::FindToolkit(*cuda) : nullptr;
    if (toolkit == nullptr) return std::nullopt;
    std::string text =
        fmt::format("Driver {} supports all of CUDA {}, and what older toolkits built.",
                    about.driver.text, field::Format(*cuda));
    if (!toolkit->floor.empty()) {
      text += fmt::format(
          " Programs of later CUDA {}.x releases run as well, without what is new "
          "in the driver.",
          cuda->major);
    }
    return FieldAnswer{.text = std::move(text), .receipts = toolkit->receipts};
  }

  std::optional<FieldAnswer> OfHardware(const Mention& about) const {
    if (Has({"cuda", "toolkit", "toolkits", "nvcc", "release"}) &&
        !Has({"capability", "torch_cuda_arch_list", "cmake_cuda_architectures"})) {
      return LifeOfHardware(about);
    }
    if (about.kind != MentionKind::kProduct || about.product == nullptr) return std::nullopt;
    if (!Has({"capability", "arch", "architecture", "generation", "torch_cuda_arch_list",
              "cmake_cuda_architectures", "sm", "-arch", "gencode", "-gencode", "target"})) {
      return std::nullopt;
    }
    const field::Product& product = *about.product;
    const field::ArchitectureLife* life = field::LifeOf(product.number);
    return FieldAnswer{
        .text = fmt::format("The {} has compute capability {}.{} (sm_{}{}).", product.name,
                            product.number / 10, product.number % 10, product.number,
                            life == nullptr ? "" : fmt::format(", {}", life->generation)),
        .receipts = product.receipts};
  }

  static std::optional<FieldAnswer> LifeOfHardware(const Mention& about) {
    if (about.kind == MentionKind::kGeneration) return std::nullopt;  // may have several
    const field::ArchitectureLife* life = about.product != nullptr
                                              ? field::LifeOf(about.product->number)
                                              : field::LifeOf(about.architecture.number);
    if (life == nullptr) return std::nullopt;
    std::string text = about.product == nullptr ? ""
                                                : fmt::format("The {} is {}. ", about.product->name,
                                                              field::Format(life->architecture));
    text += fmt::format("CUDA {} is the first toolkit that compiles for {} ({})",
                        field::Format(life->first), field::Format(life->architecture),
                        life->generation);
    if (life->last.major != 0) text += fmt::format(", CUDA {} the last", field::Format(life->last));
    return FieldAnswer{.text = text + ".", .receipts = life->receipts};
  }

  std::vector<Mention> mentions_;
  std::vector<std::string> words_;  // the others
  bool is_understood_ = false;
};

}  // namespace

void AddFieldAnswer(std::string_view question, Json& statements) {
  constexpr std::size_t kLongestQuestion = 300;
  if (question.size() > kLongestQuestion) return;
  std::optional<FieldAnswer> answer = FieldQuestion(question).Answer();
  if (!answer || !answer->receipts.is_confirmed || answer->receipts.all.empty()) return;
  statements.push_back({{"kind", "field"},
                        {"text", std::move(answer->text)},
                        {"heading", ""},
                        {"source", nullptr},
                        {"path", answer->receipts.all.front()->document},
                        {"lines", nullptr},
                        {"link", nullptr},
                        {"citation", field::Show(answer->receipts)}});
}

}  // namespace sibyl::engine
