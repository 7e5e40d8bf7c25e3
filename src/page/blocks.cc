// SPDX-License-Identifier: Apache-2.0
#include "page/blocks.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "page/block_writer.h"
#include "page/charset.h"
#include "page/entities.h"

namespace sibyl::page {
namespace {

// Deeper elements are ignored; browsers have the same limit. It also bounds the
// search for the start of an end tag.
constexpr std::size_t kMaxDepth = 512;
constexpr std::size_t kMaxNoscript = 2000;
constexpr std::size_t kMaxTitle = 400;

// What an open element changed, to be undone when it is closed.
enum OpenFlag : std::uint16_t {
  kSilent = 1,
  kPre = 2,
  kMonospace = 4,
  kScope = 8,
  kLink = 16,
  kQuote = 32,
  kList = 64,
  kTable = 128,
  kCell = 256,
  kHeading = 512,
  kTerm = 1024,
  kItem = 2048,
  kDefinitions = 4096,
};

struct Open {
  Tag tag = Tag::kUnknown;
  std::uint16_t flags = 0;
  Role role = Role::kPlain;
};

/// Tokens in, blocks out. The open elements are a flat stack; nothing recurses.
class Reader {
 public:
  Reader(std::string_view html, Trust trust)
      : tokenizer_(html), trust_(trust), writer_(result_, html.size()) {}

  Blocks Run() {
    result_.scopes.push_back({});
    Token token;
    while (tokenizer_.Next(token)) {
      switch (token.kind) {
        case Token::Kind::kText:
          AddText(token.text);
          break;
        case Token::Kind::kRawText:
          AddRaw(token);
          break;
        case Token::Kind::kStart:
          Start(token.tag);
          break;
        case Token::Kind::kEnd:
          End(token.tag);
          break;
      }
    }
    while (!open_.empty()) Pop();
    writer_.EndBlock();
    // Children come after their parents: one pass from the end adds them up.
    for (const Block& block : result_.blocks) {
      result_.scopes[block.scope].text_bytes += block.size();
    }
    for (std::size_t i = result_.scopes.size(); i-- > 1;) {
      result_.scopes[result_.scopes[i].parent].text_bytes += result_.scopes[i].text_bytes;
    }
    return std::move(result_);
  }

 private:
  void AddText(std::string_view text) {
    if (silent_ == 0) {
      writer_.Add(text);
      return;
    }
    if (const std::string_view words = Trim(text); !words.empty()) {
      result_.left_out[static_cast<std::size_t>(silent_role_)] += words.size();
      if (Count(Tag::kNoscript) > 0 && result_.signals.noscript.size() < kMaxNoscript) {
        result_.signals.noscript += DecodeEntities(WholePrefix(words, kMaxNoscript)) + " ";
      }
    }
  }

  void AddRaw(const Token& token) {
    if (token.tag == Tag::kTitle) {
      const bool is_drawing = Count(Tag::kSvg) > 0;
      if (!is_drawing && result_.title.empty()) {
        result_.title = FoldBlanks(DecodeEntities(WholePrefix(token.text, kMaxTitle)));
      }
    } else if (token.tag == Tag::kScript) {
      result_.signals.script_bytes += token.text.size();
    } else if (token.tag == Tag::kXmp && silent_ == 0) {
      writer_.AddVerbatim(token.text);
    }
  }

  void Start(Tag tag) {
    const Attributes& attributes = tokenizer_.attributes();
    NoteSignals(tag, attributes);
    if (tag == Tag::kBr || tag == Tag::kHr) {
      if (silent_ == 0) writer_.Break(tag == Tag::kHr);
      return;
    }
    if (tag == Tag::kImg && silent_ == 0 &&
        attributes.classes.find("math") != attributes.classes.npos) {
      writer_.Add(attributes.alt);  // a formula that was drawn
    }
    if (Is(tag, kVoidTag)) return;
    CloseImplied(tag);
    if (open_.size() >= kMaxDepth) {
      if (silent_ == 0 && Is(tag, kBlockTag)) writer_.EndBlock();
      return;
    }
    Open open{.tag = tag};
    if (silent_ == 0) {
      open.role = RoleOf(tag, attributes);
      const bool is_silent = IsChrome(open.role) || Is(tag, kSilentTag);
      open.flags = is_silent ? std::uint16_t{kSilent} : Begin(tag, open.role);
      if (is_silent) BeginSilence(tag, attributes, open.role);
    }
    open_.push_back(open);
    ++counts_[static_cast<std::size_t>(tag)];
  }

  Role RoleOf(Tag tag, const Attributes& attributes) const {
    Role role = RoleOfElement(tag, attributes);
    const bool in_content = writer_.scope() != 0;
    // The header of an article is its title; that of a page is boilerplate.
    if (tag == Tag::kHeader || tag == Tag::kAside) {
      if (!in_content) return Role::kNavigation;
    }
    if (role == Role::kPlain && trust_ == Trust::kWords &&
        !(attributes.classes.empty() && attributes.id.empty())) {
      role = RoleOfWords(tag, attributes);
    }
    return role;
  }

  void BeginSilence(Tag tag, const Attributes& attributes, Role role) {
    if (silent_++ == 0) silent_role_ = role;
    if (Is(tag, kBlockTag)) writer_.EndBlock();
    // The link beside a heading has the heading's anchor.
    if (tag == Tag::kA && attributes.href.starts_with('#')) {
      writer_.NoteAnchor(attributes.href.substr(1));
    }
  }

  // Opens what a start tag of the content begins; the flags undo it.
  std::uint16_t Begin(Tag tag, Role role) {
    const Attributes& attributes = tokenizer_.attributes();
    NoteNames(tag, attributes);
    if (tag == Tag::kPre || tag == Tag::kXmp || role == Role::kCodeBox) {
      return BeginPre(attributes, role);
    }
    if (writer_.in_pre()) return BeginInPre(tag, attributes);
    if (Is(tag, kMonospaceTag)) {
      writer_.BeginMonospace();
      return kMonospace;
    }
    if (tag == Tag::kA) {
      writer_.BeginLink();
      return kLink;
    }
    if (tag == Tag::kSup) writer_.BeginRaised();
    if (!Is(tag, kBlockTag)) return 0;
    writer_.EndBlock();
    return static_cast<std::uint16_t>(BeginBox(tag, attributes, role) | BeginScope(role));
  }

  void NoteNames(Tag tag, const Attributes& attributes) {
    if (!attributes.id.empty()) {
      writer_.NoteAnchor(attributes.id);
    } else if (tag == Tag::kA && !attributes.name.empty()) {
      writer_.NoteAnchor(attributes.name);
    }
    if (tag == Tag::kDiv || tag == Tag::kFigure) {
      const std::string_view language = LanguageOf(attributes.classes);
      if (!language.empty()) writer_.NoteLanguage(language);
    }
  }

  std::uint16_t BeginPre(const Attributes& attributes, Role role) {
    std::string_view language = LanguageOf(attributes.classes);
    if (language.empty()) language = LanguageName(attributes.data_lang);
    writer_.BeginPre(language);
    if (role == Role::kCodeBox) writer_.SetBoxedLines();
    return kPre;
  }

  std::uint16_t BeginInPre(Tag tag, const Attributes& attributes) {
    if (tag == Tag::kCode) {
      const std::string_view language = LanguageOf(attributes.classes);
      writer_.NoteLanguage(language.empty() ? LanguageName(attributes.data_lang) : language);
    }
    return 0;
  }

  std::uint16_t BeginScope(Role role) {
    if (role != Role::kMain && role != Role::kArticle) return 0;
    result_.scopes.push_back({.role = role, .parent = writer_.scope()});
    writer_.set_scope(static_cast<std::uint32_t>(result_.scopes.size() - 1));
    return kScope;
  }

  std::uint16_t BeginBox(Tag tag, const Attributes& attributes, Role role) {
    if (HeadingLevel(tag) > 0) {
      writer_.BeginHeading(HeadingLevel(tag), attributes.id);
      return kHeading;
    }
    switch (tag) {
      case Tag::kBlockquote:
        writer_.AddQuote(1);
        return kQuote;
      case Tag::kUl:
      case Tag::kOl:
        writer_.BeginList(tag == Tag::kOl);
        return kList;
      case Tag::kLi:
        writer_.BeginItem();
        return kItem;
      case Tag::kDl:
        writer_.AddDefinitions(1);
        return kDefinitions;
      case Tag::kDt:
        writer_.BeginTerm(role == Role::kSignature || attributes.classes.starts_with("sig"),
                          attributes.id);
        return kTerm;
      case Tag::kTable:
        writer_.BeginTable(role);
        return kTable;
      case Tag::kTr:
        writer_.BeginRow();
        return 0;
      case Tag::kTd:
      case Tag::kTh:
        writer_.BeginCell(tag == Tag::kTh);
        return kCell;
      default:
        return 0;
    }
  }

  void End(Tag tag) {
    if (tag == Tag::kBr && silent_ == 0) writer_.Break(false);
    if (tag == Tag::kUnknown || Count(tag) == 0) {
      if (silent_ == 0 && tag == Tag::kP) writer_.EndBlock();
      return;
    }
    // An inline end tag does not close the boxes around it, and none closes
    // elements outside its table, except the table's own.
    const bool is_block = Is(tag, kBlockTag);
    std::size_t at = open_.size();
    while (at > 0 && open_[at - 1].tag != tag) {
      const Tag between = open_[at - 1].tag;
      if (!is_block && Is(between, kBlockTag)) return;
      if (between == Tag::kTable && tag != Tag::kBody && tag != Tag::kHtml) return;
      --at;
    }
    while (open_.size() >= at && !open_.empty()) Pop();
  }

  // HTML's optional end tags.
  void CloseImplied(Tag tag) {
    switch (tag) {
      case Tag::kLi:
        CloseUpTo({Tag::kLi, Tag::kLi}, {Tag::kUl, Tag::kOl});
        break;
      case Tag::kDt:
      case Tag::kDd:
        CloseUpTo({Tag::kDt, Tag::kDd}, {Tag::kDl, Tag::kDl});
        break;
      case Tag::kTd:
      case Tag::kTh:
        CloseUpTo({Tag::kTd, Tag::kTh}, {Tag::kTable, Tag::kTr});
        break;
      case Tag::kTr:
        CloseUpTo({Tag::kTr, Tag::kTr}, {Tag::kTable, Tag::kTable});
        break;
      case Tag::kTbody:
      case Tag::kTfoot:
        CloseUpTo({Tag::kTbody, Tag::kThead}, {Tag::kTable, Tag::kTable});
        break;
      case Tag::kBody:
        CloseUpTo({Tag::kHead, Tag::kHead}, {Tag::kHtml, Tag::kHtml});
        break;
      case Tag::kOption:
        CloseUpTo({Tag::kOption, Tag::kOption}, {Tag::kSelect, Tag::kSelect});
        break;
      default:
        if (Is(tag, kBlockTag) && Count(Tag::kP) > 0) CloseParagraph();
        break;
    }
  }

  using TagPair = std::pair<Tag, Tag>;

  void CloseUpTo(TagPair closed, TagPair border) {
    if (Count(closed.first) + Count(closed.second) == 0) return;
    for (std::size_t at = open_.size(); at > 0; --at) {
      const Tag tag = open_[at - 1].tag;
      if (tag == border.first || tag == border.second) return;
      if (tag != closed.first && tag != closed.second) continue;
      while (open_.size() >= at) Pop();
      return;
    }
  }

  void CloseParagraph() {
    for (std::size_t at = open_.size(); at > 0; --at) {
      const Tag tag = open_[at - 1].tag;
      if (tag == Tag::kP) {
        while (open_.size() >= at) Pop();
        return;
      }
      if (Is(tag, kBlockTag)) return;
    }
  }

  void Pop() {
    const Open open = open_.back();
    open_.pop_back();
    --counts_[static_cast<std::size_t>(open.tag)];
    if ((open.flags & kSilent) != 0) --silent_;
    if (silent_ > 0) return;
    if (writer_.in_pre() && (open.flags & kPre) == 0) {
      if (Is(open.tag, kBlockTag)) writer_.EndCodeLine();
      return;
    }
    if ((open.flags & kMonospace) != 0) writer_.EndMonospace();
    if ((open.flags & kLink) != 0) writer_.EndLink();
    if (!Is(open.tag, kBlockTag)) return;
    writer_.EndBlock();
    if ((open.flags & kPre) != 0) writer_.EndPre();
    if ((open.flags & kHeading) != 0) writer_.EndHeading();
    if ((open.flags & kQuote) != 0) writer_.AddQuote(-1);
    if ((open.flags & kList) != 0) writer_.EndList();
    if ((open.flags & kItem) != 0) writer_.EndItem();
    if ((open.flags & kDefinitions) != 0) writer_.AddDefinitions(-1);
    if ((open.flags & kTerm) != 0) writer_.EndTerm();
    if ((open.flags & kTable) != 0) writer_.EndTable();
    if ((open.flags & kCell) != 0) writer_.EndCell();
    if ((open.flags & kScope) != 0) writer_.set_scope(result_.scopes[writer_.scope()].parent);
  }

  std::size_t Count(Tag tag) const { return counts_[static_cast<std::size_t>(tag)]; }

  void NoteSignals(Tag tag, const Attributes& attributes) {
    Signals& signals = result_.signals;
    switch (tag) {
      case Tag::kInput:
        signals.has_password_field |= EqualsIgnoringCase(attributes.type, "password");
        break;
      case Tag::kScript:
        ++signals.scripts;
        break;
      case Tag::kMeta:
        signals.has_refresh |= EqualsIgnoringCase(attributes.http_equiv, "refresh");
        break;
      case Tag::kHtml:
        if (result_.language.empty()) result_.language = WholePrefix(attributes.lang, 16);
        break;
      case Tag::kLink:
        if (result_.canonical.empty() && EqualsIgnoringCase(attributes.rel, "canonical")) {
          result_.canonical = DecodeEntities(WholePrefix(attributes.href, 2048));
        }
        break;
      case Tag::kDiv:
      case Tag::kForm:
        NoteBox(attributes);
        break;
      default:
        break;
    }
  }

  void NoteBox(const Attributes& attributes) {
    // Only relevant if the page has no text yet.
    constexpr std::size_t kMuchText = 4096;
    if (result_.text.size() > kMuchText) return;
    constexpr std::array<std::string_view, 4> kRoots = {"root", "app", "__next", "__nuxt"};
    Signals& signals = result_.signals;
    signals.has_app_root |= std::find(kRoots.begin(), kRoots.end(), attributes.id) != kRoots.end();
    for (const std::string_view mark : {"g-recaptcha", "h-captcha", "cf-challenge", "cf-turnstile",
                                        "px-captcha", "challenge-form"}) {
      signals.has_challenge |= attributes.classes.find(mark) != std::string_view::npos ||
                               attributes.id.find(mark) != std::string_view::npos;
    }
  }

  Tokenizer tokenizer_;
  Trust trust_;
  Blocks result_;
  BlockWriter writer_;
  std::vector<Open> open_;
  std::array<std::uint32_t, kTagCount> counts_{};
  std::size_t silent_ = 0;
  Role silent_role_ = Role::kPlain;
};

}  // namespace

Blocks ReadBlocks(std::string_view html, Trust trust) { return Reader(html, trust).Run(); }

}  // namespace sibyl::page
