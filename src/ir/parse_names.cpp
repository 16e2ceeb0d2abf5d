#include "ir/parse_names.hpp"

#include <fmt/format.h>

#include "support/nearest.hpp"

namespace cutile::ir {

void Names::close() {
  for (; order_.size() > starts_.back(); order_.pop_back()) {
    const auto found = visible_.find(order_.back());
    gone_.insert_or_assign(found->first, found->second.line);
    visible_.erase(found);
  }
  starts_.pop_back();
}

void Names::define(const Lexer& in, const Token& name, ValueId first, std::uint32_t count) {
  const auto [at, is_new] =
      visible_.emplace(name.text, Meaning{.first = first, .count = count, .line = name.line});
  if (!is_new)
    in.fail(name, fmt::format("{} is defined twice, first on line {}", name.text, at->second.line));
  order_.push_back(name.text);
}

ValueId Names::use(Lexer& in) {
  const Token name = in.expect(TokenKind::value, "a value");
  const auto found = visible_.find(name.text);
  if (found == visible_.end()) undefined(in, name);
  const auto& [first, count, line] = found->second;
  std::uint32_t number = 0;
  if (in.at(TokenKind::hash) && in.peek().offset == name.end()) {
    const Token suffix = in.next();
    const char* const last = suffix.text.data() + suffix.text.size();
    const auto [end, error] = std::from_chars(suffix.text.data() + 1, last, number);
    if (end != last || error != std::errc{} || number >= count)
      in.fail(suffix, fmt::format("{}{} does not exist: {} stands for {} value{}", name.text,
                                  suffix.text, name.text, count, count == 1 ? "" : "s"));
  }
  return {first.index + number};
}

void Names::undefined(const Lexer& in, const Token& name) const {
  if (const auto gone = gone_.find(name.text); gone != gone_.end())
    in.fail(name, fmt::format("{} is defined on line {}, in a region that has ended", name.text,
                              gone->second));
  Nearest nearest(name.text);
  for (const auto& visible : visible_) nearest.offer(visible.first);
  in.fail(name, fmt::format("{} is not defined before this use{}", name.text, nearest.hint()));
}

} // namespace cutile::ir
