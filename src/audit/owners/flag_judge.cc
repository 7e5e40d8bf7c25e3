// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/flag_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "audit/nearest.h"
#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "field/field.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kTableSize = 20;
constexpr std::size_t kMaxTools = 8;
constexpr std::size_t kMostFlags = 16;

// Programs whose arguments are other commands, or that no project's
// documents list in full.
constexpr std::array<std::string_view, 24> kOtherPrograms = {
    "python", "python3", "pip",    "pip3",  "docker", "git",     "make", "ninja",
    "bash",   "sh",      "apt",    "conda", "sudo",   "apt-get", "curl", "wget",
    "ssh",    "srun",    "mpirun", "env",   "cd",     "echo",    "ls",   "export"};

bool IsOptionByte(char c) { return IsNameByte(c) || c == '-'; }

// Everything in a text that looks like an option.
void AddOptions(std::string_view text, std::set<std::string>& options) {
  for (std::size_t at = text.find('-'); at != text.npos; at = text.find('-', at + 1)) {
    if (at > 0 &&
        std::string_view(" \t\n\"'`(,=|[<").find(text[at - 1]) == std::string_view::npos) {
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsOptionByte(text[end])) ++end;
    const std::size_t length = end - at;
    if (length < 3 || length > 80) continue;
    options.emplace(text.substr(at, length));
    at = end - 1;
  }
}

// Most programs take "--a_b" and "--a-b" alike.
std::string Normal(std::string_view flag) {
  std::string normal(flag);
  if (normal.size() > 2) std::replace(normal.begin() + 2, normal.end(), '_', '-');
  return normal;
}

bool IsProgramWord(std::string_view word) {
  return word.size() > 2 && IsNameStart(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return IsNameByte(c) || c == '-' || c == '.' || c == '/'; });
}

void AddTool(std::string_view word, std::vector<std::string>& tools) {
  while (word.starts_with("./")) word.remove_prefix(2);
  if (!IsProgramWord(word) || tools.size() >= kMaxTools) return;
  if (!word.ends_with(".py") && word.rfind('/') != word.npos)
    word = word.substr(word.rfind('/') + 1);
  if (std::find(kOtherPrograms.begin(), kOtherPrograms.end(), word) != kOtherPrograms.end()) return;
  if (std::find(tools.begin(), tools.end(), word) == tools.end()) tools.emplace_back(word);
}

// Words of prose that are programs; in code font any word may be one.
void AddWords(std::string_view text, std::vector<std::string>& tools) {
  for (const std::string_view known : {"cmake", "ctest", "cpack", "nvcc", "torchrun"}) {
    if (FindWholeWord(text, known)) AddTool(known, tools);
  }
}

// Parsers of C++ name their options without the dashes: get_cmd_line_argument("seed", …)
bool NamesOptionInCpp(const Sighting& sighting, const std::string& bare) {
  constexpr std::array<std::string_view, 5> kEndings = {".cu", ".cpp", ".cc", ".h", ".hpp"};
  const bool is_cpp = std::ranges::any_of(
      kEndings, [&](std::string_view ending) { return sighting.path.ends_with(ending); });
  if (!is_cpp) return false;
  const std::size_t at = sighting.text.find("(\"" + bare + "\"");
  return at != std::string::npos ||
         (sighting.text.find(", \"" + bare + "\",") != std::string::npos &&
          sighting.text.find("argv") != std::string::npos);
}

// "add_executable(tool …)"
bool BuildsProgram(std::string_view passage, std::string_view tool) {
  for (std::size_t at = passage.find("executable("); at != passage.npos;
       at = passage.find("executable(", at + 1)) {
    if (Trim(passage.substr(at + 11, tool.size() + 40)).starts_with(tool)) return true;
  }
  return false;
}

}  // namespace

ToolReader::ToolReader(const statement::Statements& statements) : statements_(statements) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    const statement::Statement& here = statements.all[i];
    std::vector<std::string> tools;
    std::vector<std::string> flags;
    for (const statement::Atom& atom : statement::ExtractAtoms(here)) {
      const bool is_flag = atom.kind == statement::AtomKind::kFlag;
      // Each flag is compared with the others, so that their number must be bounded.
      if (is_flag && flags.size() < kMostFlags) flags.push_back(atom.text);
      if (!atom.tool.empty() && is_flag) AddTool(atom.tool, tools);
    }
    if (here.IsProse()) {
      AddWords(here.text, tools);
      for (const statement::TextRun& run : here.runs) {
        if (!run.is_code) continue;
        const std::string_view code =
            std::string_view(here.text).substr(run.begin, run.end - run.begin);
        if (code.find('(') == code.npos) AddTool(code.substr(0, code.find(' ')), tools);
      }
    }
    if (!tools.empty()) last = i;
    before_.push_back(last);
    tools_.push_back(std::move(tools));
    flags_.push_back(std::move(flags));
  }
}

ToolsNear ToolReader::Of(std::size_t number) const {
  const statement::Statement& here = statements_.all[number];
  ToolsNear near = {.in_statement = tools_[number], .flags = flags_[number]};
  std::size_t at = number;
  for (int steps = 0; at > 0 && steps < 6; ++steps) {
    at = before_[at - 1];
    if (statements_.all[at].heading != here.heading) break;
    for (const std::string& tool : tools_[at]) near.around.push_back(tool);
    if (at == 0) break;
  }
  constexpr std::size_t kReach = 12;
  for (std::size_t i = number > kReach ? number - kReach : 0;
       i < statements_.all.size() && i <= number + kReach; ++i) {
    if (statements_.all[i].heading != here.heading) continue;
    for (const std::string& flag : flags_[i]) {
      if (near.section.size() < kMostFlags) near.section.push_back(flag);
    }
  }
  std::uint32_t heading = here.heading;
  for (int level = 0; level < 6 && heading < statements_.headings.size(); ++level) {
    std::string word;
    for (const char c : statements_.headings[heading].text + " ") {
      if (IsNameByte(c) || c == '-' || c == '.') {
        word += c;
        continue;
      }
      AddTool(word, near.headings);
      word.clear();
    }
    if (heading == 0) break;
    heading = statements_.headings[heading].parent;
  }
  return near;
}

bool FlagJudge::OptionTable::Has(std::string_view flag) const {
  return normal.contains(Normal(flag));
}

// Documents that mention a program that one of the sources builds.
std::vector<Witness::File> FlagJudge::DocumentsOf(const std::string& tool) const {
  constexpr std::size_t kMaxSightings = 600;
  std::vector<Witness::File> files;
  if (tool.size() < 5 || tool.find('.') != tool.npos) return files;
  std::optional<std::size_t> home;
  std::map<std::pair<std::size_t, std::string>, std::size_t> documents;
  witness_.VisitWord(tool, {}, kMaxSightings, [&](const Sighting& sighting) {
    const std::string_view path = sighting.path;
    if (path.ends_with("CMakeLists.txt")) {
      std::size_t line = 0;
      if (BuildsProgram(witness_.PassageOf(sighting, line), tool)) home = sighting.source;
    }
    if (path.ends_with(".md") || path.ends_with(".rst") || path.ends_with(".txt")) {
      ++documents[{sighting.source, sighting.path}];
    }
    return true;
  });
  if (!home) return files;
  for (const auto& [document, count] : documents) {
    if (document.first != *home || count < 3 || document.second.ends_with("CMakeLists.txt"))
      continue;
    for (Witness::File& file : witness_.FindFiles(document.second)) {
      if (file.source == *home && file.path == document.second) files.push_back(std::move(file));
    }
  }
  return files;
}

std::vector<Witness::File> FlagJudge::FilesFor(const std::string& tool) const {
  std::vector<Witness::File> files;
  std::string module = tool == "torchrun" ? "torch.distributed.run" : tool;
  std::vector<std::string> names;
  if (tool.ends_with(".py")) {
    names = {tool};
  } else {
    std::replace(module.begin(), module.end(), '.', '/');
    names = {fmt::format("Help/manual/{}.1.rst", tool),
             fmt::format("{}-help.txt", tool),
             fmt::format("{}.txt", tool),
             fmt::format("{}.1", tool),
             fmt::format("{}.md", tool),
             fmt::format("{}.rst", tool)};
    if (module.find('/') != module.npos) names.push_back(module + ".py");
  }
  for (const std::string& name : names) {
    for (Witness::File& file : witness_.FindFiles(name)) files.push_back(std::move(file));
  }
  return files;
}

FlagJudge::OptionTable FlagJudge::ReadOptions(const std::string& tool) const {
  constexpr std::size_t kMaxDocuments = 12;
  OptionTable best;
  std::vector<Witness::File> files = FilesFor(tool);
  const bool is_script = tool.ends_with(".py");
  if (is_script) {
    if (files.size() != 1) return best;  // several scripts have the name
    const std::string text = witness_.ReadText(files.front());
    std::set<std::string> options;
    AddOptions(text, options);
    const bool parses = text.find("add_argument(") != text.npos ||
                        text.find("click.option(") != text.npos ||
                        text.find("sys.argv") != text.npos;
    if (!parses || options.size() < 3) return best;
    best = {.source = files.front().source,
            .path = files.front().path,
            .options = {options.begin(), options.end()}};
    best.is_closed = text.find("ArgumentParser(") != text.npos &&
                     text.find("parse_args(") != text.npos && text.find("parents=") == text.npos &&
                     text.find("_args(parser") == text.npos &&
                     text.find("_arguments(parser") == text.npos;
    return best;
  }
  for (const Witness::File& file : files) {
    std::set<std::string> options;
    AddOptions(witness_.ReadText(file), options);
    if (options.size() < kTableSize || options.size() <= best.options.size()) continue;
    best = {.source = file.source, .path = file.path, .options = {options.begin(), options.end()}};
  }
  if (!best.options.empty()) return best;
  files = DocumentsOf(tool);
  if (files.size() > kMaxDocuments) files.resize(kMaxDocuments);
  std::set<std::string> all;
  std::size_t most = 0;
  for (const Witness::File& file : files) {
    std::set<std::string> options;
    AddOptions(witness_.ReadText(file), options);
    if (options.size() > most) {
      most = options.size();
      best.source = file.source;
      best.path = file.path;
    }
    all.insert(options.begin(), options.end());
  }
  const auto programs = field::Programs();
  const auto known = std::ranges::find(programs, tool, &field::Program::name);
  if (known != programs.end()) {
    best = {.options = known->options, .is_closed = true, .receipt = field::Show(known->receipts)};
    for (const std::string& option : all) best.options.push_back(option);
    return best;
  }
  if (most < kTableSize) return {};
  best.options = {all.begin(), all.end()};
  return best;
}

const FlagJudge::OptionTable& FlagJudge::OptionsOf(const std::string& tool) const {
  {
    MutexLock lock(mutex_);
    const auto known = options_.find(tool);
    if (known != options_.end()) return known->second;
  }
  OptionTable table = ReadOptions(tool);
  for (const std::string& option : table.options) table.normal.insert(Normal(option));
  MutexLock lock(mutex_);
  return options_.emplace(tool, std::move(table)).first->second;
}

// Whether the flags of a section are those of the table.
bool FlagJudge::HasMost(const OptionTable& table, std::string_view flag,
                        const std::vector<std::string>& section) {
  constexpr std::size_t kLeast = 3;
  std::size_t had = 0;
  std::size_t others = 0;
  for (const std::string& other : section) {
    if (other == flag || !other.starts_with("--")) continue;
    ++others;
    had += table.Has(other) ? 1 : 0;
  }
  return had >= kLeast && had * 4 >= others * 3;
}

FlagJudge::Home FlagJudge::HomeOf(const statement::Atom& atom, const ToolsNear& near) const {
  if (!atom.tool.empty()) return {.tool = atom.tool, .is_explicit = true};
  const auto with_table = [&](const std::vector<std::string>& tools) {
    std::vector<std::string> found;
    for (const std::string& tool : tools) {
      if (!OptionsOf(tool).options.empty()) found.push_back(tool);
    }
    return found;
  };
  // Two programs in a sentence: either may take it.
  const std::vector<std::string> here = with_table(near.in_statement);
  if (here.size() == 1) {
    const OptionTable& table = OptionsOf(here.front());
    const bool is_known = std::any_of(near.flags.begin(), near.flags.end(),
                                      [&](const std::string& flag) { return table.Has(flag); });
    // A sentence that mentions the compiler may be about another program's option.
    if (!table.receipt.empty() && !is_known && !NearestOf(atom.text, table.options)) return {};
    return {.tool = here.front()};
  }
  if (here.size() > 1) return {};
  for (const auto* tools : {&near.around, &near.headings}) {
    for (const std::string& tool : with_table(*tools)) {
      const OptionTable& table = OptionsOf(tool);
      const bool has_sibling =
          std::any_of(near.flags.begin(), near.flags.end(),
                      [&](const std::string& flag) { return table.Has(flag); });
      if (has_sibling || HasMost(table, atom.text, near.section) ||
          NearestOf(atom.text, table.options)) {
        return {.tool = tool};
      }
    }
  }
  return {};
}

std::string FlagJudge::Show(const OptionTable& table) const {
  if (!table.receipt.empty()) return table.receipt;
  return fmt::format("{} {}", witness_.ShowSource(table.source), table.path);
}

statement::Judgement FlagJudge::Absent(const statement::Atom& atom, const std::string& tool,
                                       const OptionTable& table) const {
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("`{}` is not an option of {} ({})", atom.text, tool, Show(table)),
      .reason = fmt::format("the file lists {} options", table.options.size())};
  if (const auto nearest = NearestOf(atom.text, table.options)) {
    judgement.nearest = *nearest;
    judgement.where = Show(table);
  }
  return judgement;
}

// Several flags near it are options of one script, and no source has this one.
std::optional<statement::Judgement> FlagJudge::AmongOthers(const statement::Atom& atom,
                                                           const ToolsNear& near,
                                                           const Topic& topic) const {
  constexpr std::size_t kLeastBeside = 2;
  if (!atom.text.starts_with("--")) return std::nullopt;
  std::map<std::pair<std::size_t, std::string>, std::set<std::string>> files;
  std::size_t known = 0;
  for (const std::string& flag : near.section) {
    if (flag == atom.text || !flag.starts_with("--")) continue;
    bool is_known = false;
    const std::string bare = flag.substr(2);
    const auto visit = [&](const Sighting& sighting) {
      const bool is_option = sighting.text.find("\"" + flag + "\"") != std::string::npos ||
                             sighting.text.find("'" + flag + "'") != std::string::npos ||
                             NamesOptionInCpp(sighting, bare);
      if (!is_option) return true;
      files[{sighting.source, sighting.path}].insert(flag);
      is_known = true;
      return true;
    };
    constexpr std::size_t kMostPlaces = 400;
    if (bare.find('-') == std::string::npos) {
      witness_.VisitWord(bare, {}, kMostPlaces, visit);
    } else {
      std::vector<std::string> words;
      for (std::size_t at = 0; at < bare.size();) {
        const std::size_t end = std::min(bare.find('-', at), bare.size());
        if (end > at) words.push_back(LowerCase(bare.substr(at, end - at)));
        at = end + 1;
      }
      witness_.VisitLines(words, kMostPlaces, visit);
    }
    known += is_known ? 1 : 0;
  }
  const auto most =
      std::ranges::max_element(files, {}, [](const auto& entry) { return entry.second.size(); });
  if (most == files.end() || most->second.size() * 10 < known * 8) return std::nullopt;
  // Many options of one script tell which it is, even if the text does not name its project.
  constexpr std::size_t kMany = 4;
  const std::size_t least = topic.Names(most->first.first) ? kLeastBeside : kMany;
  if (most->second.size() < least) return std::nullopt;
  const auto& [source, path] = most->first;
  for (const Witness::File& file : witness_.FindFiles(path)) {
    if (file.source != source || file.path != path) continue;
    std::set<std::string> options;
    AddOptions(witness_.ReadText(file), options);
    statement::Judgement judgement{
        .verdict = statement::Verdict::kAbsent,
        .message = fmt::format("`{}` does not occur in {}, which has the options beside it",
                               atom.text, witness_.Show(file)),
        .where = witness_.Show(file),
        .reason = fmt::format("{} options beside it are there", most->second.size())};
    if (const auto nearest = NearestOf(atom.text, {options.begin(), options.end()})) {
      judgement.nearest = *nearest;
    }
    return judgement;
  }
  return std::nullopt;
}

// "`--cpp_ext` and `--cuda_exts`": the flag beside it is in a source, which has
// one that is almost the same.
std::optional<statement::Judgement> FlagJudge::BesideOthers(const statement::Atom& atom,
                                                            const ToolsNear& near,
                                                            const Topic& topic) const {
  constexpr std::size_t kMostEdits = 2;
  if (auto listed = AmongOthers(atom, near, topic)) return listed;
  for (const std::string& flag : near.flags) {
    if (flag == atom.text) continue;
    const std::optional<Sighting> beside = witness_.FindText(flag);
    if (!beside || !topic.Names(beside->source)) continue;
    for (const Witness::File& file : witness_.FindFiles(beside->path)) {
      if (file.source != beside->source || file.path != beside->path) continue;
      std::set<std::string> options;
      AddOptions(witness_.ReadText(file), options);
      // "--cta-tile::m": the option goes on after what is read as the flag.
      if (options.contains(atom.text)) {
        return statement::Judgement{.verdict = statement::Verdict::kSupported,
                                    .message = std::string(statement::kSeen),
                                    .where = witness_.Show(file),
                                    .reason = "the file has the option"};
      }
      const auto nearest = NearestOf(atom.text, {options.begin(), options.end()});
      if (!nearest || EditDistance(*nearest, atom.text) > kMostEdits) continue;
      return statement::Judgement{
          .verdict = statement::Verdict::kAbsent,
          .message = fmt::format("`{}` does not occur in {}, which has `{}`", atom.text,
                                 witness_.ShowSource(file.source), *nearest),
          .nearest = *nearest,
          .where = witness_.Show(file),
          .reason = fmt::format("`{}`, beside it, is in {}", flag, file.path)};
    }
  }
  return std::nullopt;
}

// Whether only files that do not mention the program have the flag.
bool FlagJudge::IsElsewhere(std::string_view flag, std::string_view tool,
                            const OptionTable& table) const {
  if (table.options.size() < 2 * kTableSize) return false;
  const std::optional<Sighting> seen = witness_.FindText(flag, table.source);
  if (!seen) return true;
  for (const Witness::File& file : witness_.FindFiles(seen->path)) {
    if (file.source != seen->source || file.path != seen->path) continue;
    if (FindWholeWord(witness_.ReadText(file), tool)) return false;
  }
  return true;
}

statement::Judgement FlagJudge::Judge(const statement::Atom& atom, const ToolsNear& near,
                                      const Topic& topic) const {
  Home home = HomeOf(atom, near);
  // "train.py" alone may be the script of any project.
  const bool is_script = home.tool.ends_with(".py") && home.tool.find('/') == home.tool.npos;
  const bool is_named = home.tool.empty() || !OptionsOf(home.tool).receipt.empty() ||
                        topic.Names(OptionsOf(home.tool).source);
  if (!is_named && (is_script || !home.is_explicit)) home = {};
  // Compilers' flags are mentioned beside every build tool.
  if (!home.is_explicit && !atom.text.starts_with("--")) home = {};
  // Of nvcc only the long options are listed; the others go to the host compiler.
  if (!home.tool.empty() && !OptionsOf(home.tool).receipt.empty() && !atom.text.starts_with("--")) {
    home = {};
  }
  const OptionTable& table = OptionsOf(home.tool.empty() ? "?" : home.tool);
  if (table.Has(atom.text)) {
    return {.verdict = statement::Verdict::kSupported,
            .message = fmt::format("an option of {}", home.tool),
            .where = Show(table),
            .reason = fmt::format("an option of {}", home.tool)};
  }
  // A sentence that only mentions the compiler may be about an option of the sources' own
  // programs, unless it has another option of the compiler.
  const bool is_about = home.is_explicit || std::ranges::any_of(near.flags, [&](const auto& flag) {
                          return table.Has(flag);
                        });
  const bool is_closed = table.is_closed && is_about;
  const std::string_view bare =
      std::string_view(atom.text).substr(atom.text.find_first_not_of('-'));
  if (!is_closed) {
    if (const std::optional<Sighting> found = witness_.FindText(atom.text)) {
      if (!home.is_explicit || !IsElsewhere(atom.text, home.tool, table)) {
        return {.verdict = statement::Verdict::kSupported,
                .message = std::string(statement::kSeen),
                .where = witness_.Show(*found),
                .reason = "the flag is used there"};
      }
    }
    // Parsers of C++ name their options without the dashes.
    if (!table.options.empty() && witness_.FindText(fmt::format("\"{}\"", bare), table.source)) {
      return statement::Undecidable("the source has the name, but does not list it as an option");
    }
  }
  if (!table.options.empty()) return Absent(atom, home.tool, table);
  if (std::optional<statement::Judgement> absent = BesideOthers(atom, near, topic)) return *absent;
  return statement::Undecidable(
      atom.tool.empty() ? "the text does not say which program takes it"
                        : fmt::format("no pinned source lists the options of {}", atom.tool));
}

}  // namespace sibyl::audit
