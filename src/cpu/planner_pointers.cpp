// Plans of operations on pointers: loads, stores, atomics, memory of a block's own, globals.

#include <algorithm>
#include <bit>

#include "cpu/atomics.hpp"
#include "cpu/planner.hpp"

namespace cutile::cpu {
namespace {

std::byte* pointer_at(const Thread& thread, Cell pointers, std::size_t i) {
  std::byte* p = nullptr;
  std::memcpy(&p, thread.at[pointers] + i * sizeof p, sizeof p);
  return p;
}
/// A lane takes part where the mask is absent or true.
bool takes_part(const Thread& thread, Cell mask, std::size_t i) {
  return mask == no_cell || thread.at[mask][i] != std::byte{0};
}

std::byte* aligned(std::byte* p, std::size_t alignment) {
  const auto address = std::bit_cast<std::uintptr_t>(p);
  return p + (alignment - address % alignment) % alignment;
}

} // namespace

Cell Planner::optional_whole(const Operation& op, std::size_t group) {
  const ValueId v = ir::operand(op, group);
  return v.valid() ? whole(v) : no_cell;
}

void Planner::load_pointers(const Operation& op) {
  const ValueId result = op.results[0];
  if (ir::bit_width(kind(result)) == 4) refuse(op, "a pointer to elements of four bits");
  const Cell pointers = whole(op.operands[0]), mask = optional_whole(op, 1),
             padding = optional_whole(op, 2);
  const std::size_t n = elements(result), size = element_bytes(result);
  const bool is_bool = kind(result) == TypeKind::i1;
  add<CallStep>([=, out = define(result)](Thread& t) {
    for (std::size_t i = 0; i < n; ++i) {
      std::byte* const to = t.at[out] + i * size;
      if (takes_part(t, mask, i)) {
        std::memcpy(to, pointer_at(t, pointers, i), size);
      } else if (padding != no_cell) {
        std::memcpy(to, t.at[padding] + i * size, size);
      } else {
        std::memset(to, 0, size);
      }
    }
    if (is_bool) make_bools(t.at[out], n);
  });
}

void Planner::store_pointers(const Operation& op) {
  const ValueId value = op.operands[1];
  if (ir::bit_width(kind(value)) == 4) refuse(op, "a pointer to elements of four bits");
  const Cell pointers = whole(op.operands[0]), in = whole(value), mask = optional_whole(op, 2);
  const std::size_t n = elements(value), size = element_bytes(value);
  add<CallStep>([=](Thread& t) {
    for (std::size_t i = 0; i < n; ++i) {
      if (takes_part(t, mask, i))
        std::memcpy(pointer_at(t, pointers, i), t.at[in] + i * size, size);
    }
  });
}

void Planner::atomic(const Operation& op) {
  const bool compares = op.op == Op::atomic_cas_tko;
  const ValueId result = op.results[0];
  const Cell pointers = whole(op.operands[0]);
  const Cell first = whole(op.operands[1]); // what is expected, or the operand
  const Cell value = compares ? whole(op.operands[2]) : no_cell;
  const Cell mask = optional_whole(op, compares ? 3 : 2);
  const std::size_t n = elements(result), size = element_bytes(result);
  AtomicFn update = nullptr;
  if (!compares) {
    update = atomic_update(ir::enum_attribute<ir::AtomicMode>(op, "mode"), kind(result));
    if (update == nullptr)
      refuse(op, fmt::format("no such atomic update of {}", ir::spelling(kind(result))));
  }
  add<CallStep>([=, out = define(result)](Thread& t) {
    for (std::size_t i = 0; i < n; ++i) {
      std::byte* const old = t.at[out] + i * size;
      const std::byte* const operand = t.at[first] + i * size;
      if (!takes_part(t, mask, i)) { // as an H200 answers
        if (compares) {
          std::memcpy(old, operand, size);
        } else {
          std::memset(old, 0, size);
        }
      } else if (compares) {
        atomic_compare_exchange(pointer_at(t, pointers, i), operand, t.at[value] + i * size, old,
                                size);
      } else {
        update(pointer_at(t, pointers, i), operand, old);
      }
    }
  });
}

void Planner::alloca(const Operation& op) {
  const TypeKind pointee = m_.types[m_.types[type(op.results[0]).element].element].kind;
  if (ir::bit_width(pointee) == 4) refuse(op, "a pointer to elements of four bits");
  const auto alignment = static_cast<std::size_t>(ir::int_attribute(op, "alignment"));
  const Cell memory = new_cell(static_cast<std::size_t>(ir::int_attribute(op, "num_elem")) *
                                   static_cast<std::size_t>(ir::storage_bytes(pointee)) +
                               alignment);
  add<CallStep>([=, out = define(op.results[0])](Thread& t) {
    const std::byte* const address = aligned(t.at[memory], alignment);
    std::memcpy(t.at[out], &address, sizeof address);
  });
}

void Planner::get_global(const Operation& op) {
  const auto& name = std::get<std::string>(op.attributes[0]);
  const auto found = std::find_if(m_.globals.begin(), m_.globals.end(),
                                  [&](const ir::Global& g) { return g.name == name; });
  const ir::Constant& initial = m_[found->value];
  const TypeKind element = m_.types.element_kind(initial.type);
  if (ir::bit_width(element) == 4) refuse(op, "a global of elements of four bits");
  const std::size_t alignment = std::max<std::size_t>(found->alignment, 64);
  const auto [it, added] = plan_.globals.try_emplace(name);
  if (added) {
    const std::size_t bytes = static_cast<std::size_t>(m_.types.elements(initial.type)) *
                              static_cast<std::size_t>(ir::storage_bytes(element));
    it->second.resize(bytes + alignment);
    fill_with(aligned(it->second.data(), alignment), initial.data.data(), initial.data.size(),
              bytes);
  }
  const std::byte* const address = aligned(it->second.data(), alignment);
  Place& p = place(op.results[0]);
  p.cell = constant_cell(std::as_bytes(std::span(&address, 1)), sizeof address);
  p.block = block_;
}

} // namespace cutile::cpu
