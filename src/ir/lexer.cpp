#include "ir/lexer.hpp"

#include <fmt/format.h>

namespace cutile::ir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.'; }
bool in_name(char c) { return in_word(c) || c == '-'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

unsigned hex_digit(char c) {
  return static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

/// A token as a message shows it.
std::string shown(const Token& token) {
  constexpr std::size_t longest = 40;
  switch (token.kind) {
  case TokenKind::end: return "the end of the text";
  case TokenKind::string: return "a string";
  default: break;
  }
  if (token.text.size() <= longest) return fmt::format("'{}'", token.text);
  return fmt::format("'{}...'", token.text.substr(0, longest));
}

} // namespace

std::string_view without_dialect(std::string_view word) {
  constexpr std::string_view dialect = "cuda_tile.";
  return word.starts_with(dialect) ? word.substr(dialect.size()) : word;
}

void Lexer::fail(const Token& at, std::string_view what) const {
  throw Malformed{at.line, at.column,
                  fmt::format("{}{}{}", context, context.empty() ? "" : ": ", what)};
}

void Lexer::expected(std::string_view what, std::string_view hint) const {
  fail(token_, fmt::format("expected {}, but found {}{}", what, shown(token_), hint));
}

void Lexer::out_of_range(const Token& token, std::string_view what) const {
  fail(token, fmt::format("{} is too large for {}", shown(token), what));
}

void Lexer::not_an_integer(const Token& token, std::string_view what) const {
  fail(token, fmt::format("expected {}, but found {}", what, shown(token)));
}

Token Lexer::token_here(TokenKind kind, std::size_t length) const {
  return {.kind = kind,
          .text = text_.substr(at_, length),
          .offset = at_,
          .line = line_,
          .column = static_cast<std::uint32_t>(at_ - line_start_ + 1)};
}

void Lexer::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (text_[at_] == '/' && char_at(at_ + 1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (!is_blank(text_[at_])) {
      return;
    }
  }
}

std::size_t Lexer::span_of(std::size_t from, bool (*accepted)(char)) const {
  std::size_t end = from;
  // An arrow may follow a name without a blank.
  while (end < text_.size() && accepted(text_[end]) &&
         !(text_[end] == '-' && char_at(end + 1) == '>'))
    ++end;
  return end;
}

std::size_t Lexer::number_end(std::size_t from) const {
  std::size_t end = from + (text_[from] == '-' ? 1 : 0);
  if (text_[end] == '0' && char_at(end + 1) == 'x' && is_hex(char_at(end + 2)))
    return span_of(end + 2, is_hex);
  end = span_of(end, is_digit);
  if (char_at(end) == '.') end = span_of(end + 1, is_digit);
  if (char_at(end) == 'e' || char_at(end) == 'E') {
    const bool sign = char_at(end + 1) == '+' || char_at(end + 1) == '-';
    const std::size_t digits = end + (sign ? 2 : 1);
    if (is_digit(char_at(digits))) end = span_of(digits, is_digit);
  }
  return end;
}

std::size_t Lexer::string_end(std::size_t from) const {
  for (std::size_t i = from + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') return i + 1;
    if (text_[i] == '\\') ++i;
  }
  fail(token_here(TokenKind::string, 1), "a string is not closed on its line");
}

void Lexer::advance() {
  skip_blanks();
  if (at_ >= text_.size()) {
    token_ = token_here(TokenKind::end, 0);
    return;
  }
  const char c = text_[at_];
  std::size_t end = at_ + 1;
  TokenKind kind = TokenKind::mark;
  if (is_letter(c) || c == '_') {
    kind = TokenKind::word;
    end = span_of(at_, in_word);
  } else if (is_digit(c) || (c == '-' && is_digit(char_at(end)))) {
    kind = TokenKind::number;
    end = number_end(at_);
  } else if (c == '"') {
    kind = TokenKind::string;
    end = string_end(at_);
  } else if (c == '@' && char_at(end) == '"') {
    kind = TokenKind::symbol;
    end = string_end(end);
  } else if (c == '%' || c == '@' || c == '#' || c == '!') {
    kind = c == '%'   ? TokenKind::value
           : c == '@' ? TokenKind::symbol
           : c == '#' ? TokenKind::hash
                      : TokenKind::bang;
    end = span_of(end, in_name);
    if (end == at_ + 1) fail(token_here(kind, 1), fmt::format("expected a name after '{}'", c));
  } else if (c == '-' && char_at(end) == '>') {
    end = at_ + 2;
  } else if (std::string_view("(){}[]<>,:=?").find(c) == std::string_view::npos) {
    const auto byte = static_cast<unsigned char>(c);
    fail(token_here(kind, 1), byte > 0x20 && byte < 0x7f
                                  ? fmt::format("the character '{}' has no meaning here", c)
                                  : fmt::format("the byte {:#04x} has no meaning here", byte));
  }
  token_ = token_here(kind, end - at_);
  at_ = end;
}

void Lexer::restart(const Token& token, std::size_t length) {
  at_ = token.offset + length; // on the line where the token stands, or what follows it
  line_ = token.line;
  line_start_ = token.offset + 1 - token.column;
  advance();
}

bool Lexer::take_x() {
  if (!at(TokenKind::word) || token_.text[0] != 'x') return false;
  restart(Token(token_), 1);
  return true;
}

Token Lexer::extent() {
  Token token = token_;
  const std::size_t digits = span_of(token.offset, is_digit) - token.offset;
  if (token.kind != TokenKind::number || digits == 0) expected("an extent");
  token.text = token.text.substr(0, digits);
  restart(token, digits);
  return token;
}

std::string Lexer::characters(const Token& token) const {
  std::string_view text = token.text;
  if (token.kind == TokenKind::symbol) text.remove_prefix(1);
  if (!text.starts_with('"')) return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char c = i + 1 < text.size() ? text[++i] : '\0';
    if (c == '\\' || c == '"') {
      out += c;
    } else if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (is_hex(c) && i + 1 < text.size() && is_hex(text[i + 1])) {
      out += static_cast<char>(hex_digit(c) << 4U | hex_digit(text[++i]));
    } else {
      fail(token, "a \\ in a string is followed by \\, \", n, t or two hexadecimal digits");
    }
  }
  return out;
}

} // namespace cutile::ir
