#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutile::ir {

/// What is wrong with a text, and where; thrown by Lexer, caught by parse().
struct Malformed {
  std::uint32_t line, column;
  std::string what;
};

enum class TokenKind : std::uint8_t {
  end,
  word,   ///< tile, cuda_tile.addf
  number, ///< 7, -1, 1.5e-3, 0x7F
  value,  ///< %name
  symbol, ///< @name, @"any name"
  hash,   ///< #name: an alias or an attribute; right after a value the number of a result
  bang,   ///< !cuda_tile.tile
  string, ///< "text", with its quotes
  mark,   ///< -> and single characters
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text; ///< as it stands
  std::size_t offset = 0;
  std::uint32_t line = 1, column = 1;

  [[nodiscard]] std::size_t end() const { return offset + text.size(); }
};

/// A cursor over the text form, one token ahead. Blanks, line ends and // comments separate tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  [[nodiscard]] const Token& peek() const { return token_; }
  Token next() {
    const Token token = token_;
    advance();
    return token;
  }
  [[nodiscard]] bool done() const { return token_.kind == TokenKind::end; }
  [[nodiscard]] bool at(TokenKind kind) const { return token_.kind == kind; }
  /// A word or mark spelled `text` comes next.
  [[nodiscard]] bool at(std::string_view text) const {
    return (at(TokenKind::word) || at(TokenKind::mark)) && token_.text == text;
  }
  /// Goes past a word or mark spelled `text`, if it comes next.
  bool take(std::string_view text) {
    if (!at(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) expected("'" + std::string(text) + "'");
  }
  Token expect(TokenKind kind, std::string_view what) {
    if (!at(kind)) expected(what);
    return next();
  }
  /// The next token is not `what`, which must stand here.
  [[noreturn]] void expected(std::string_view what, std::string_view hint = {}) const;
  [[noreturn]] void fail(const Token& at, std::string_view what) const;

  /// An integer that fits in Int.
  template <class Int> Int integer(std::string_view what) {
    const Token token = expect(TokenKind::number, what);
    Int value{};
    const char* const last = token.text.data() + token.text.size();
    const auto [end, error] = std::from_chars(token.text.data(), last, value);
    if (error == std::errc::result_out_of_range) out_of_range(token, what);
    if (error != std::errc{} || end != last) not_an_integer(token, what);
    return value;
  }
  /// The characters of a string, or the name of a symbol.
  [[nodiscard]] std::string characters(const Token& token) const;

  /// Extents are joined by an x, which a word may begin with: 4x8xf32.
  bool take_x();
  /// An extent that `0x` may follow, which is no hexadecimal number here.
  Token extent();

  /// What stands before every message: the operation that is being read.
  std::string_view context;

 private:
  void advance();
  void skip_blanks();
  void restart(const Token& token, std::size_t length);
  std::size_t span_of(std::size_t from, bool (*accepted)(char)) const;
  std::size_t number_end(std::size_t from) const;
  std::size_t string_end(std::size_t from) const;
  [[nodiscard]] char char_at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] Token token_here(TokenKind kind, std::size_t length) const;
  [[noreturn]] void out_of_range(const Token& token, std::string_view what) const;
  [[noreturn]] void not_an_integer(const Token& token, std::string_view what) const;

  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
};

/// `word` without the prefix that says which dialect it is of.
[[nodiscard]] std::string_view without_dialect(std::string_view word);

} // namespace cutile::ir
