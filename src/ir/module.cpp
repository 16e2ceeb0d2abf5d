#include "ir/module.hpp"

#include <algorithm>

namespace cutile::ir {

ConstantId Module::intern(Constant constant) {
  const auto found = std::find(constants.begin(), constants.end(), constant);
  const auto index = static_cast<std::uint32_t>(found - constants.begin());
  if (found == constants.end()) constants.push_back(std::move(constant));
  return {index};
}

std::span<const ValueId> operand_group(const Operation& op, std::size_t group) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < group; ++i) first += op.segments[i];
  return std::span(op.operands).subspan(first, op.segments[group]);
}

ValueId operand(const Operation& op, std::size_t group) {
  const auto values = operand_group(op, group);
  return values.empty() ? ValueId{} : values.front();
}

const Attr& attribute(const Operation& op, std::string_view name) {
  return op.attributes[def(op.op).attribute(name)];
}

std::int64_t int_attribute(const Operation& op, std::string_view name) {
  const OpDef& d = def(op.op);
  const std::size_t i = d.attribute(name);
  if (const auto* value = std::get_if<std::int64_t>(&op.attributes[i])) return *value;
  return d.attributes[i].default_value.value_or(0);
}

bool flag_attribute(const Operation& op, std::string_view name) {
  const auto* value = std::get_if<bool>(&attribute(op, name));
  return value != nullptr && *value;
}

} // namespace cutile::ir
