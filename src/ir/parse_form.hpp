#pragma once

#include <optional>
#include <vector>

#include "ir/lexer.hpp"
#include "ir/module.hpp"
#include "ir/parse_attributes.hpp"
#include "ir/parse_names.hpp"

namespace cutile::ir {

/// An operation while its text is read.
struct Draft {
  explicit Draft(const OpDef& definition)
      : def(definition), operands(definition.operands.size()),
        attributes(definition.attributes.size()), results(definition.results.size()) {}

  const OpDef& def;
  std::vector<std::vector<ValueId>> operands; ///< as OpDef::operands
  std::vector<Attr> attributes;               ///< as OpDef::attributes
  std::vector<std::vector<TypeId>> results;   ///< as OpDef::results; empty where no type is written
  std::optional<ConstantText> constant;       ///< a dense attribute, until the type is known
};

/// Reads an operation behind its name, in the form of the table: the inverse of the printer.
class Form {
 public:
  Form(Lexer& in, Module& module, const Function& function, Names& names, Draft& draft)
      : in_(in), m_(module), f_(function), names_(names), draft_(draft) {}

  /// All but regions. Then every result has its type.
  void run();
  /// Reads as many types as there are values, which must have them.
  void types_of(std::string_view name, const std::vector<ValueId>& values);
  /// `type`, written at `at`, must be that of all values.
  void check_type(const Token& at, std::string_view name, const std::vector<ValueId>& values,
                  TypeId type) const;
  [[nodiscard]] std::vector<TypeId> some_types();

 private:
  struct Field {
    std::string_view name, how;
  };
  static Field field_in(std::string_view inside);

  void usual_form();
  void sequence(std::string_view form);
  void literal(std::string_view text);
  void group(std::string_view inside, std::string_view& rest);
  void field(const Field& wanted);
  void values(std::size_t group);
  void operand_types(std::size_t group, bool one_for_all);
  void result_types(std::size_t i, bool one_for_all);
  void attribute(std::size_t i);
  void enumeration(const AttrDef& a, Attr& out);
  void complete_results();
  [[nodiscard]] std::optional<std::size_t> operand_called(std::string_view name) const;
  [[nodiscard]] TypeId type(ValueId v) const { return f_[v].type; }

  Lexer& in_;
  Module& m_;
  const Function& f_;
  Names& names_;
  Draft& draft_;
};

} // namespace cutile::ir
