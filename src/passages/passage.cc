// SPDX-License-Identifier: Apache-2.0
#include "passages/passage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/strings.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

// Sizes in lines. A passage should be read at a glance and cited whole; these
// were chosen on the corpus of the benchmarks, where half of all functions are
// shorter than 20 lines.
constexpr std::size_t kWhole = 60;     // a class or function up to here stays in one piece
constexpr std::size_t kSmall = 8;      // a piece up to here joins its neighbours
constexpr std::size_t kSlack = 10;     // how far a window's end may move to a blank line
constexpr std::size_t kMaxLabels = 4;  // names in the label of joined pieces

/// A span of lines [first, end) on the way to a passage.
struct Piece {
  std::size_t first = 0;
  std::size_t end = 0;
  PassageShape shape = PassageShape::kWindow;
  std::string label;
  std::size_t labels = 0;

  std::size_t lines() const { return end - first; }
};

class PassageBuilder {
 public:
  explicit PassageBuilder(const LineTable& lines) : lines_(lines) {}

  void AddOutline(const std::vector<OutlineSpan>& spans, PassageShape shape) {
    shape_ = shape;
    std::size_t next = 0;
    AddSpans(spans, next, {0, lines_.count(), PassageShape::kWindow, {}, 0});
  }

  void AddSections(const std::vector<Heading>& headings, std::size_t first, std::size_t end) {
    std::vector<const Heading*> path;
    std::size_t at = first;
    for (std::size_t i = 0; i <= headings.size(); ++i) {
      const std::size_t stop = i < headings.size() ? headings[i].line : end;
      if (stop > at) AddSection(path, at, stop);
      if (i == headings.size()) break;
      at = std::max(at, stop);
      while (!path.empty() && path.back()->level >= headings[i].level) path.pop_back();
      path.push_back(&headings[i]);
    }
  }

  std::vector<Passage> Finish() {
    std::vector<Piece> joined = Join();
    std::vector<Passage> passages;
    for (Piece& piece : joined) Cut(std::move(piece), passages);
    return passages;
  }

 private:
  void Add(Piece piece) {
    if (piece.first < piece.end) pieces_.push_back(std::move(piece));
  }

  void AddSection(const std::vector<const Heading*>& path, std::size_t first, std::size_t end) {
    std::string label;
    for (const Heading* heading : path) {
      label += (label.empty() ? "" : " > ") + heading->title;
    }
    Add({first, end, PassageShape::kSection, std::move(label), 1});
  }

  // The spans inside `around`, and the gaps between them. Spans that extend
  // past it come from unbalanced braces; they are clipped.
  void AddSpans(const std::vector<OutlineSpan>& spans, std::size_t& next, const Piece& around) {
    std::size_t at = around.first;
    const auto gap = [&](std::size_t end) {
      Add({at, end, around.label.empty() ? PassageShape::kWindow : shape_, around.label, 0});
    };
    while (next < spans.size() && spans[next].first < around.end) {
      const OutlineSpan& span = spans[next++];
      const std::size_t first = std::max(span.first, at);
      const std::size_t end = std::min(span.end, around.end);
      if (first >= end) continue;
      gap(first);
      at = end;
      const Piece piece{first, end, shape_, span.label, 1};
      if (span.holds_others && piece.lines() > kWhole) {
        AddSpans(spans, next, piece);
      } else {
        Add(piece);
        while (next < spans.size() && spans[next].first < end) ++next;
      }
    }
    gap(around.end);
  }

  // Short neighbours become one passage: a row of one-line getters, a comment
  // between two functions, a heading with nothing under it.
  std::vector<Piece> Join() {
    std::vector<Piece> joined;
    for (Piece& piece : pieces_) {
      if (!joined.empty() && CanJoin(joined.back(), piece)) {
        Append(joined.back(), std::move(piece));
      } else {
        joined.push_back(std::move(piece));
      }
    }
    return joined;
  }

  bool CanJoin(const Piece& before, const Piece& piece) const {
    if (before.lines() + piece.lines() > kWindowLines) return false;
    if (piece.shape == PassageShape::kSection) {
      // Only a bare heading joins what follows: it introduces it.
      return before.shape == PassageShape::kSection && before.lines() <= 2 && before.labels > 0 &&
             piece.label.starts_with(before.label);
    }
    const bool blank = IsBlank(piece);
    return blank || IsBlank(before) || (before.lines() <= kSmall && piece.lines() <= kSmall) ||
           (before.labels > 1 && piece.lines() <= kSmall);
  }

  bool IsBlank(const Piece& piece) const {
    for (std::size_t i = piece.first; i < piece.end; ++i) {
      if (!lines_.IsBlank(i)) return false;
    }
    return true;
  }

  static void Append(Piece& before, Piece piece) {
    before.end = piece.end;
    if (piece.labels == 0 && (before.labels > 0 || !before.label.empty())) return;
    if (before.labels == 0 || piece.shape == PassageShape::kSection) {
      before.label = std::move(piece.label);
      before.shape = piece.shape == PassageShape::kWindow ? before.shape : piece.shape;
      before.labels = piece.labels;
    } else if (before.labels < kMaxLabels) {
      before.label += ", " + piece.label;
      ++before.labels;
    }
  }

  // A long piece becomes windows that keep its label and end at blank lines
  // where there are some.
  void Cut(Piece piece, std::vector<Passage>& passages) const {
    const std::size_t limit = piece.shape == PassageShape::kWindow ? kWindowLines + kSlack : kWhole;
    while (piece.lines() > limit) {
      const std::size_t end = WindowEnd(piece.first);
      passages.push_back(MakePassage({piece.first, end, piece.shape, piece.label, piece.labels}));
      piece.first = end;
    }
    if (piece.lines() > 0) passages.push_back(MakePassage(std::move(piece)));
  }

  std::size_t WindowEnd(std::size_t first) const {
    const std::size_t wanted = first + kWindowLines;
    for (std::size_t i = 0; i <= kSlack; ++i) {
      if (wanted + i < lines_.count() && lines_.IsBlank(wanted + i)) return wanted + i + 1;
      if (lines_.IsBlank(wanted - i)) return wanted - i + 1;
    }
    return wanted;
  }

  Passage MakePassage(Piece piece) const {
    return {static_cast<std::uint32_t>(piece.first + 1),
            static_cast<std::uint32_t>(piece.end),
            lines_.begin(piece.first),
            lines_.end(piece.end - 1),
            piece.shape,
            std::move(piece.label)};
  }

  const LineTable& lines_;
  PassageShape shape_ = PassageShape::kDefinition;
  std::vector<Piece> pieces_;
};

// CMake modules carry their manual as reST in a bracket comment at the top.
std::size_t EndOfCMakeManual(const LineTable& lines) {
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.count(), 10); ++i) {
    const std::string_view line = Trim(lines.text(i));
    if (!line.starts_with("#[") || line.find(".rst:") == std::string_view::npos) continue;
    const std::size_t open = line.find('[', 2);
    if (open == std::string_view::npos) return 0;
    const std::string close = "]" + std::string(open - 2, '=') + "]";
    for (std::size_t j = i + 1; j < lines.count(); ++j) {
      if (lines.text(j).find(close) != std::string_view::npos) return j + 1;
    }
  }
  return 0;
}

void SplitCMake(const LineTable& lines, PassageBuilder& builder) {
  std::vector<OutlineSpan> spans = OutlineCMake(lines);
  if (const std::size_t end = EndOfCMakeManual(lines); end > 0) {
    std::vector<OutlineSpan> manual;
    const std::vector<Heading> headings = HeadingsOfRst(lines, 0, end);
    for (std::size_t i = 0; i < headings.size(); ++i) {
      const std::size_t stop = i + 1 < headings.size() ? headings[i + 1].line : end;
      manual.push_back({i == 0 ? 0 : headings[i].line, stop, headings[i].title});
    }
    manual.insert(manual.end(), spans.begin(), spans.end());
    spans = std::move(manual);
  }
  builder.AddOutline(spans, PassageShape::kCommand);
}

}  // namespace

std::vector<Passage> SplitPassages(std::string_view language, const LineTable& lines,
                                   OutlineNotes& notes) {
  if (lines.count() == 0) return {};
  PassageBuilder builder(lines);
  if (language == "markdown") {
    notes.headings = HeadingsOfMarkdown(lines);
    builder.AddSections(notes.headings, 0, lines.count());
  } else if (language == "rst") {
    notes.headings = HeadingsOfRst(lines, 0, lines.count());
    builder.AddSections(notes.headings, 0, lines.count());
  } else if (language == "c++" || language == "cuda" || language == "c") {
    notes.spans = OutlineC(lines, &notes.marks);
    builder.AddOutline(notes.spans, PassageShape::kDefinition);
  } else if (language == "python") {
    notes.spans = OutlinePython(lines, &notes.marks);
    builder.AddOutline(notes.spans, PassageShape::kDefinition);
  } else if (language == "cmake") {
    SplitCMake(lines, builder);
  } else if (language == "dockerfile") {
    builder.AddOutline(OutlineDockerfile(lines), PassageShape::kStage);
  } else {
    builder.AddOutline({}, PassageShape::kWindow);
  }
  return builder.Finish();
}

std::vector<Passage> SplitPassages(std::string_view language, std::string_view text) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) return {};
  OutlineNotes notes;
  return SplitPassages(language, LineTable(text), notes);
}

}  // namespace sibyl::passages
