// SPDX-License-Identifier: Apache-2.0
#include "statement/atom.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"
#include "index/words/words.h"
#include "statement/atom_context.h"

namespace sibyl::statement {
namespace {

bool IsPathByte(char c) { return IsNameByte(c) || c == '.' || c == '/' || c == '-' || c == '+'; }

constexpr std::array<std::string_view, 34> kFileEndings = {
    "py",    "pyi",        "cpp", "cc",   "cxx",   "c",   "cu",    "cuh", "h",
    "hpp",   "hh",         "inl", "in",   "cmake", "txt", "rst",   "md",  "sh",
    "json",  "yaml",       "yml", "toml", "ini",   "cfg", "ipynb", "ptx", "proto",
    "patch", "Dockerfile", "so",  "a",    "bat",   "ps1", "def"};

// Prefixes by which a word in plain prose is recognised as a name of an API.
constexpr std::array<std::string_view, 14> kApiPrefixes = {
    "cuda",     "cublas", "cudnn", "nccl",  "cufft", "curand",    "cusparse",
    "cusolver", "nvrtc",  "nvml",  "cupti", "nvtx",  "nvjitlink", "cutensor"};

// Beyond this a run of bytes is data, not a name.
constexpr std::size_t kMaxAtomBytes = 200;

bool HasFileEnding(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == text.npos || dot + 1 >= text.size()) return false;
  const std::string_view ending = text.substr(dot + 1);
  return std::find(kFileEndings.begin(), kFileEndings.end(), ending) != kFileEndings.end();
}

bool IsUpperSnake(std::string_view name) {
  return name.size() >= 5 && name.find('_') != name.npos && name.find('_') != name.size() - 1 &&
         std::any_of(name.begin(), name.end(), IsUpper) &&
         std::none_of(name.begin(), name.end(), IsLower);
}

bool IsApiName(std::string_view name) {
  for (const std::string_view prefix : kApiPrefixes) {
    if (name.size() > prefix.size() + 2 && name.starts_with(prefix) &&
        IsUpper(name[prefix.size()]) &&
        std::any_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                    IsLower)) {
      return true;
    }
  }
  return false;
}

class Scanner {
 public:
  explicit Scanner(const Statement& statement)
      : statement_(statement),
        text_(statement.text),
        language_(LanguageOf(statement)),
        is_block_(statement.kind == StatementKind::kCode),
        says_environment_(!is_block_ && (text_.find("nvironment variable") != text_.npos ||
                                         text_.find("env var") != text_.npos)) {}

  std::vector<Atom> Take() {
    while (at_ < text_.size()) Step();
    return std::move(atoms_);
  }

 private:
  void Step() {
    const char c = text_[at_];
    if (SkipUrl()) return;
    const bool in_code = is_block_ || IsCode(at_);
    const bool at_edge = at_ == 0 || !IsNameByte(text_[at_ - 1]);
    if (c == '-' && in_code && ReadFlag()) return;
    if (c == '.' && in_code && ReadDotPath()) return;
    if (IsNameStart(c) && at_edge && in_code && ReadImage()) return;
    if (IsNameStart(c) && at_edge) return ReadName(in_code);
    ++at_;
  }

  bool IsCode(std::size_t at) {
    while (run_ < statement_.runs.size() && statement_.runs[run_].end <= at) ++run_;
    return run_ < statement_.runs.size() && statement_.runs[run_].begin <= at &&
           statement_.runs[run_].is_code;
  }

  // In prose a command line is a piece of code, not the sentence before it.
  std::string ToolOf(std::size_t at) const {
    if (is_block_) return ToolAt(text_, at);
    const TextRun* run = RunAt(statement_, at);
    if (run == nullptr) return {};
    return ToolAt(text_.substr(run->begin, run->end - run->begin), at - run->begin);
  }

  // "nvidia/cuda:12.4.1-devel": an image of containers is one thing.
  bool ReadImage() {
    const std::size_t stop = std::min(text_.size(), at_ + kMaxAtomBytes);
    std::size_t colon = at_;
    while (colon < stop && IsPathByte(text_[colon])) ++colon;
    Work::Add(colon - at_);
    if (colon >= stop || text_[colon] != ':') return false;
    const std::string_view name = text_.substr(at_, colon - at_);
    std::size_t end = colon + 1;
    while (end < stop && (IsPathByte(text_[end]) && text_[end] != '/')) ++end;
    while (end > colon + 1 && text_[end - 1] == '.') --end;
    const std::string_view tag = text_.substr(colon + 1, end - colon - 1);
    const bool has_version = std::any_of(tag.begin(), tag.end(), IsDigit) || tag == "latest";
    if (name.find('/') == name.npos || HasFileEnding(name) || !has_version) return false;
    if (std::none_of(tag.begin(), tag.end(), [](char c) { return c == '.' || c == '-'; }) &&
        tag != "latest") {
      return false;  // a line of a file
    }
    Push({.kind = AtomKind::kPackage,
          .text = std::string(text_.substr(at_, end - at_)),
          .offset = at_,
          .tool = "docker"});
    at_ = end;
    return true;
  }

  // ".ci/docker/build.sh"
  bool ReadDotPath() {
    if (at_ + 1 >= text_.size() || !IsNameStart(text_[at_ + 1])) return false;
    const char before = at_ == 0 ? ' ' : text_[at_ - 1];
    if (!IsBlank(before) && before != '"' && before != '(' && !StartsRun(at_)) return false;
    const std::size_t stop = std::min(text_.size(), at_ + kMaxAtomBytes + 1);
    std::size_t end = at_;
    while (end < stop && IsPathByte(text_[end])) ++end;
    Work::Add(end - at_);
    while (end > at_ && (text_[end - 1] == '.' || text_[end - 1] == '-')) --end;
    const std::string_view path = text_.substr(at_, end - at_);
    if (path.size() > kMaxAtomBytes || path.find('/') == path.npos || !HasFileEnding(path) ||
        path.find("//") != path.npos || !IsOneRun(at_, end)) {
      return false;
    }
    Push({.kind = AtomKind::kPath, .text = std::string(path), .offset = at_});
    at_ = end;
    return true;
  }

  bool StartsRun(std::size_t at) const {
    const TextRun* run = is_block_ ? nullptr : RunAt(statement_, at);
    return run != nullptr && run->begin == at;
  }

  bool SkipUrl() {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with("http://") && !rest.starts_with("https://") &&
        !rest.starts_with("git@")) {
      return false;
    }
    const std::size_t end = rest.find_first_of(" \t\n\"'<>`|");
    at_ = end == rest.npos ? text_.size() : at_ + end;
    return true;
  }

  // "--use_fast_math", "-gencode", "-DUSE_CUDA=ON". Single letters are too
  // common.
  bool ReadFlag() {
    constexpr std::string_view kBeforeFlag = " \t\n\"'([,=|";
    if (at_ > 0 && kBeforeFlag.find(text_[at_ - 1]) == text_.npos) return false;
    std::size_t name = at_ + 1;
    if (name < text_.size() && text_[name] == '-') ++name;
    if (name >= text_.size() || !IsNameStart(text_[name])) return false;
    std::size_t end = name;
    while (end < text_.size() && (IsNameByte(text_[end]) || text_[end] == '-')) ++end;
    while (end > name && text_[end - 1] == '-') --end;
    const bool is_double = name == at_ + 2;
    if (!is_double && text_[name] == 'D' && end - name > 3 && IsNameStart(text_[name + 1])) {
      Push({.kind = AtomKind::kIdentifier,
            .use = AtomUse::kSetting,
            .text = std::string(text_.substr(name + 1, end - name - 1)),
            .offset = name + 1,
            .tool = ToolOf(at_)});
      at_ = end;
      return true;
    }
    if (end - name >= 3 && end - name <= kMaxAtomBytes) {
      Push({.kind = AtomKind::kFlag,
            .use = AtomUse::kSetting,
            .text = std::string(text_.substr(at_, end - at_)),
            .offset = at_,
            .tool = ToolOf(at_)});
    }
    at_ = end;
    return true;
  }

  void ReadName(bool in_code) {
    if (const std::optional<std::size_t> end = PathEnd(in_code)) {
      const char before = at_ == 0 ? ' ' : text_[at_ - 1];
      const bool is_own = before == '/' || before == '~' || before == '}' || before == '.';
      if (!is_own && IsOneRun(at_, *end)) {
        // #include "x.h" is a file of the text's own project.
        Push({.kind = AtomKind::kPath,
              .use = before == '"' ? AtomUse::kDefinition : AtomUse::kMention,
              .text = std::string(text_.substr(at_, *end - at_)),
              .offset = at_});
      }
      at_ = *end;
      return;
    }
    const std::size_t begin = at_;
    std::size_t end = NameEnd(begin);
    bool is_qualified = false;
    while (true) {
      const std::size_t mark =
          text_.substr(end).starts_with("::") ? 2 : (text_.substr(end).starts_with(".") ? 1 : 0);
      if (mark == 0 || end + mark >= text_.size() || !IsNameStart(text_[end + mark])) break;
      is_qualified = true;
      end = NameEnd(end + mark);
    }
    at_ = end;
    const std::string_view name = text_.substr(begin, end - begin);
    if (name.size() < 3 || name.size() > kMaxAtomBytes) return;
    AtomUse use = UseOf(text_, begin, end, language_);
    if (use == AtomUse::kMention && says_environment_ && IsUpperSnake(name)) {
      use = AtomUse::kEnvironment;
    }
    if (!IsWanted(name, is_qualified, in_code, use)) return;
    Push({.kind = is_qualified ? AtomKind::kQualified : AtomKind::kIdentifier,
          .use = use,
          .text = std::string(name),
          .offset = begin,
          .tool = use == AtomUse::kSetting ? ToolOf(begin) : std::string()});
  }

  // "torch/cuda/__init__.py" outside code font is rendered bold and has lost
  // its underscores, so it is not checked.
  bool IsOneRun(std::size_t begin, std::size_t end) const {
    if (is_block_) return true;
    const TextRun* run = RunAt(statement_, begin);
    return run != nullptr && end <= run->end;
  }

  std::size_t NameEnd(std::size_t at) const {
    while (at < text_.size() && IsNameByte(text_[at])) ++at;
    return at;
  }

  // A path or the name of a file, from here on.
  std::optional<std::size_t> PathEnd(bool in_code) const {
    // Stops one byte past the maximum length: "a/a/a/…" must not be scanned to
    // its end from each of its letters.
    const std::size_t stop = std::min(text_.size(), at_ + kMaxAtomBytes + 1);
    std::size_t end = at_;
    while (end < stop && IsPathByte(text_[end])) ++end;
    Work::Add(end - at_);
    if (end - at_ > kMaxAtomBytes) return std::nullopt;
    while (end > at_ && (text_[end - 1] == '.' || text_[end - 1] == '-')) --end;
    const std::string_view path = text_.substr(at_, end - at_);
    const bool has_slash = path.find('/') != path.npos;
    if (HasFileEnding(path) && path.find("//") == path.npos) {
      if (has_slash) return end;
      // "setup.py" and "cupti.h", but not "a.c" or "x.h" of some struct.
      const std::size_t dot = path.rfind('.');
      const bool is_call = end < text_.size() && text_[end] == '(';
      const bool is_object = path.find('.') != dot && !path.starts_with("lib");
      if (in_code && dot >= 3 && !is_call && !is_object) return end;
    }
    if (in_code && !is_block_ && has_slash && path.back() == '/' &&
        path.find('/') != path.size() - 1)
      return end;
    // A piece of code that is nothing but a path: "Samples/0_Introduction/vectorAdd".
    if (in_code && !is_block_ && has_slash && path.find("//") == path.npos &&
        path.find('/') + 1 < path.size() && StartsRun(at_) && IsOneRun(at_, end) &&
        RunAt(statement_, at_)->end == end) {
      return end;
    }
    return std::nullopt;
  }

  bool IsWanted(std::string_view name, bool is_qualified, bool in_code, AtomUse use) const {
    if (IsUpperSnake(name) || IsApiName(name)) return true;
    if (is_qualified && (name.find("::") != name.npos || name.starts_with("torch."))) return true;
    if (!in_code) return false;
    if (is_qualified || use == AtomUse::kEnvironment || use == AtomUse::kSetting) return true;
    if (name.starts_with("__")) return true;
    if (!is_block_) return true;
    // Of the code of a block only what is called or imported; the rest are its
    // own names.
    if (language_ == CodeLanguage::kPython && IsImported(name)) return true;
    if (language_ == CodeLanguage::kCMake && IsPackage(name)) return true;
    return use == AtomUse::kCall && name.size() > 3;
  }

  bool IsImported(std::string_view name) const {
    const auto begin = static_cast<std::size_t>(name.data() - text_.data());
    const Around line = LineAround(text_, begin, begin);
    return line.from_line_start && Trim(line.before).starts_with("from ") &&
           line.before.find(" import ") != line.before.npos;
  }

  bool IsPackage(std::string_view name) const {
    const auto begin = static_cast<std::size_t>(name.data() - text_.data());
    return Trim(LineAround(text_, begin, begin).before).ends_with("find_package(");
  }

  void Push(Atom atom) {
    atom.in_code = is_block_ || IsCodeAt(statement_, atom.offset);
    atom.is_comment = is_block_ && IsInComment(text_, atom.offset, language_);
    atoms_.push_back(std::move(atom));
  }

  const Statement& statement_;
  std::string_view text_;
  CodeLanguage language_;
  bool is_block_;
  bool says_environment_;
  std::size_t at_ = 0;
  std::size_t run_ = 0;
  std::vector<Atom> atoms_;
};

// "apt-get install -y a b=1.2 c": the requested packages.
void AddPackages(const Statement& statement, std::vector<Atom>& atoms) {
  const std::string_view text = statement.text;
  for (std::size_t at = text.find(" install "); at != text.npos;
       at = text.find(" install ", at + 1)) {
    const std::string_view before = LineAround(text, at, at).before;
    const bool is_apt = before.ends_with("apt") || before.ends_with("apt-get");
    const bool is_pip = before.ends_with("pip") || before.ends_with("pip3");
    if (!is_apt && !is_pip) continue;
    std::size_t word = at + 9;
    while (word < text.size() && text[word] != '\n' && text[word] != '&' && text[word] != ';' &&
           text[word] != '|' && text[word] != '#') {
      std::size_t end = word;
      while (end < text.size() &&
             (IsNameByte(text[end]) || text[end] == '-' || text[end] == '.' || text[end] == '+')) {
        ++end;
      }
      if (end > word + 2 && IsNameStart(text[word]) &&
          !HasFileEnding(text.substr(word, end - word))) {
        atoms.push_back({.kind = AtomKind::kPackage,
                         .text = std::string(text.substr(word, end - word)),
                         .offset = word,
                         .tool = is_apt ? "apt" : "pip",
                         .in_code = true});
      }
      // A command may end right after a name, without a blank.
      word = text.find_first_of(" \n;|&", std::max(end, word));
      if (word == text.npos || text[word] != ' ') break;
      ++word;
    }
    // Text that was parsed as packages is not parsed again for an " install "
    // in it.
    at = std::min(word, text.size()) - 1;
  }
}

}  // namespace

std::string_view AtomKindName(AtomKind kind) {
  switch (kind) {
    case AtomKind::kIdentifier:
      return "identifier";
    case AtomKind::kQualified:
      return "qualified name";
    case AtomKind::kFlag:
      return "flag";
    case AtomKind::kPath:
      return "path";
    case AtomKind::kPackage:
      return "package";
  }
  return "identifier";
}

CodeLanguage LanguageOf(const Statement& statement) {
  if (statement.kind != StatementKind::kCode) return CodeLanguage::kNone;
  std::string name = LowerCase(Trim(statement.info));
  name = name.substr(0, name.find_first_of(" {,:"));
  if (name.empty()) return CodeLanguage::kNone;
  if (name == "bash" || name == "sh" || name == "shell" || name == "console" || name == "zsh") {
    return CodeLanguage::kShell;
  }
  if (name == "cmake") return CodeLanguage::kCMake;
  if (name == "python" || name == "py" || name == "python3") return CodeLanguage::kPython;
  if (name == "c" || name == "cpp" || name == "c++" || name == "cuda" || name == "cu") {
    return CodeLanguage::kCpp;
  }
  if (name == "dockerfile" || name == "docker") return CodeLanguage::kDockerfile;
  return CodeLanguage::kOther;
}

std::vector<Atom> ExtractAtoms(const Statement& statement) {
  std::vector<Atom> atoms = Scanner(statement).Take();
  AddPackages(statement, atoms);
  return atoms;
}

}  // namespace sibyl::statement
