#pragma once

#include "ir/types.hpp"

namespace cutile::bytecode {

/// Kinds of address that a pointer can have.
enum AddressKind : std::uint8_t { unicast = 1, multicast = 2 };

/// The fields of a type behind its tag, in the order of the file. `io` writes each, or reads it:
///
///   bool flag(bool)            a varint whose lowest bit says whether a field follows
///   void type(TypeId&)         a type's number
///   void types(vector<TypeId>&), list<Int>(vector&)   a length and as many items
///   void address(bool& multicast), number(int32&), padding(optional<Padding>&)
template <class Io> void type_fields(Io& io, ir::Type& t, ir::Version version) {
  using ir::TypeKind;
  switch (t.kind) {
  case TypeKind::pointer:
  case TypeKind::tensor_view: {
    const bool has_address = version >= ir::V13_4 && io.flag(t.multicast);
    io.type(t.element);
    if (t.kind == TypeKind::tensor_view) {
      io.template list<std::int64_t>(t.shape);
      io.template list<std::int64_t>(t.strides);
    }
    if (has_address) io.address(t.multicast);
    break;
  }
  case TypeKind::tile:
    io.type(t.element);
    io.template list<std::int64_t>(t.shape);
    break;
  case TypeKind::partition_view:
  case TypeKind::strided_view:
  case TypeKind::gather_scatter_view: {
    const bool flag_first = version >= ir::V13_3;
    bool padded = t.padding.has_value();
    if (flag_first) padded = io.flag(padded);
    io.template list<std::int32_t>(t.shape);
    if (t.kind == TypeKind::strided_view) io.template list<std::int32_t>(t.strides);
    io.type(t.element);
    if (t.kind == TypeKind::gather_scatter_view) {
      io.number(t.sparse_dim);
    } else {
      io.template list<std::int32_t>(t.dim_map);
    }
    if (!flag_first) padded = io.flag(padded);
    if (padded) io.padding(t.padding);
    break;
  }
  case TypeKind::function:
    io.types(t.inputs);
    io.types(t.results);
    break;
  default: break;
  }
}

} // namespace cutile::bytecode
