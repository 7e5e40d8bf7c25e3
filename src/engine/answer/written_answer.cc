// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/written_answer.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "draft/draft.h"
#include "engine/answer/receipt_json.h"
#include "expansion/model/model_answer.h"
#include "gate/knowledge.h"
#include "oracle/citation_sources.h"

namespace sibyl::engine {
namespace {

// The lines of the page's only point: from its heading to the next.
std::string BodyOf(std::string_view page) {
  std::string body;
  bool is_inside = false;
  for (const std::string_view line : SplitLines(page)) {
    if (line.starts_with("## ")) is_inside = false;
    if (is_inside) body += std::string(line) + "\n";
    if (line.starts_with("### ")) is_inside = true;
  }
  return std::string(Trim(body));
}

class Numbering {
 public:
  explicit Numbering(const gate::Receipts& receipts) : receipts_(receipts) {}

  // "…system.[^p1-2]" becomes "…system. [1]".
  std::string Replace(std::string_view body) {
    std::string text;
    for (std::size_t at = 0; at < body.size();) {
      const std::optional<std::string_view> label = LabelAt(body, at);
      if (!label) {
        text += body[at++];
        continue;
      }
      if (!text.empty() && text.back() != '\n' && text.back() != ']') text += ' ';
      text += fmt::format("[{}]", NumberOf(*label));
      at += label->size() + 3;  // [^ and ]
    }
    return text;
  }

  // In the order of their numbers.
  const std::vector<const gate::Receipt*>& used() const { return used_; }

 private:
  std::optional<std::string_view> LabelAt(std::string_view body, std::size_t at) const {
    if (body.substr(at, 2) != "[^") return std::nullopt;
    const std::size_t end = body.find(']', at);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view label = body.substr(at + 2, end - at - 2);
    const auto found = receipts_.find(label);
    const bool is_receipt = found != receipts_.end() && found->second.citation.has_value();
    return is_receipt ? std::optional(label) : std::nullopt;
  }

  std::size_t NumberOf(std::string_view label) {
    const gate::Receipt* receipt = &receipts_.find(label)->second;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i] == receipt) return i + 1;
    }
    used_.push_back(receipt);
    return used_.size();
  }

  const gate::Receipts& receipts_;
  std::vector<const gate::Receipt*> used_;
};

Json AnswerJson(const draft::Draft& draft, const gate::CitationResolver& resolver) {
  Json json = {{"text", nullptr}, {"receipts", Json::array()}, {"left_out", Json::array()}};
  for (const draft::Omission& omission : draft.omissions) {
    json["left_out"].push_back({{"text", omission.text}, {"reason", omission.reason}});
  }
  bool is_contradicted = false;
  for (const draft::DraftSection& section : draft.sections) {
    for (const draft::Coverage& point : section.points) {
      is_contradicted = is_contradicted || point.is_contradicted;
    }
  }
  json["is_contradicted"] = is_contradicted;
  if (draft::CoveredCount(draft) == 0) return json;
  const gate::Pages pages =
      gate::ReadPages({{.path = draft.path, .name = draft.path, .text = draft.text}}, 1);
  gate::Page& page = *pages.front();
  gate::ResolveReceipts({&page.receipts}, resolver);
  Numbering numbering(page.receipts);
  json["text"] = numbering.Replace(BodyOf(draft.text));
  for (std::size_t i = 0; i < numbering.used().size(); ++i) {
    Json receipt = {{"number", i + 1}};
    AddReceipt(*numbering.used()[i], receipt);
    json["receipts"].push_back(std::move(receipt));
  }
  return json;
}

}  // namespace

Result<Json> WriteAnswer(const AskedQuestion& asked, const expansion::ModelRequest& request,
                         const WrittenAnswerInputs& inputs) {
  const auto models = SIBYL_TRY(
      expansion::ModelAccess::Open(inputs.context, request, expansion::ModelEnvironment::Read()));
  const auto citations =
      SIBYL_TRY(oracle::CitationSources::Open(inputs.context, inputs.lock, inputs.around));
  const Result<draft::Draft> draft = expansion::AnswerWithModel(
      {.text = asked.text, .topic = asked.context}, {.context = inputs.context,
                                                     .searcher = inputs.searcher,
                                                     .lock = inputs.lock,
                                                     .citations = *citations,
                                                     .models = *models});
  const std::string& name = models->writer().server().model;
  if (draft.ok()) {
    Json written = AnswerJson(*draft, citations->resolver());
    written["model"] = name;
    return written;
  }
  const ErrorKind kind = draft.error().kind;
  if (kind != ErrorKind::kNotFound && kind != ErrorKind::kCorrupt) return draft.error();
  return Json{{"text", nullptr},
              {"receipts", Json::array()},
              {"left_out", Json::array()},
              {"is_contradicted", false},
              {"model", name},
              {"refused", draft.error().message}};
}

}  // namespace sibyl::engine
