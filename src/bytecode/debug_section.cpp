#include "bytecode/debug_section.hpp"

#include <string>
#include <unordered_map>

#include "bytecode/layout.hpp"

namespace cutile::bytecode {
namespace {

/// The attributes of the section, each once; numbered from 1 where others refer to them (0 is
/// unknown).
class Attributes {
 public:
  Attributes(Tables& tables, ir::Version version) : tables_(tables), version_(version) {}

  std::uint64_t file_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    Encoder e;
    e.varint(file_info);
    e.varint(tables_.string(slash == std::string::npos ? path : path.substr(slash + 1)));
    e.varint(tables_.string(slash == std::string::npos ? "" : path.substr(0, slash)));
    return add(std::move(e));
  }
  std::uint64_t subprogram_of(const std::string& name, SourceLoc at) {
    const std::uint64_t source = file_of(at.file);
    Encoder unit;
    unit.varint(compile_unit_info);
    unit.varint(source);
    const std::uint64_t unit_index = add(std::move(unit));
    Encoder e;
    e.varint(subprogram_info);
    e.varint(source);
    e.varint(at.line);
    e.varint(tables_.string(name));
    e.varint(tables_.string(name)); // linkage name
    e.varint(unit_index);
    e.varint(at.line);
    if (version_ >= ir::V13_5) e.varint(0);
    return add(std::move(e));
  }
  std::uint64_t loc_of(std::uint64_t scope, SourceLoc at) {
    if (at.line == 0) return 0;
    Encoder e;
    e.varint(loc_info);
    e.varint(scope);
    e.varint(tables_.string(at.file));
    e.varint(at.line);
    e.varint(at.column != 0 ? at.column : 1); // they count from 1
    return add(std::move(e));
  }
  /// Decoders of the format refuse an empty table.
  void never_empty() {
    if (items_.empty()) items_.push_back({std::byte{unknown_info}});
  }
  [[nodiscard]] const std::vector<std::vector<std::byte>>& items() const { return items_; }

 private:
  std::uint64_t add(Encoder e) {
    std::string key(reinterpret_cast<const char*>(e.bytes().data()), e.size());
    const auto [it, added] = known_.try_emplace(std::move(key), items_.size() + 1);
    if (added) items_.push_back(e.take());
    return it->second;
  }
  Tables& tables_;
  ir::Version version_;
  std::vector<std::vector<std::byte>> items_;
  std::unordered_map<std::string, std::uint64_t> known_;
};

} // namespace

std::uint64_t DebugSection::begin_function(const ir::Function& function) {
  recording_ = always_ || function.loc.line != 0;
  if (!recording_) return 0;
  functions_.push_back({function.name, function.loc, {}});
  return functions_.size();
}

void DebugSection::add(SourceLoc at) {
  if (recording_) functions_.back().ops.push_back(at);
}

Encoder DebugSection::write(Tables& tables, ir::Version version) const {
  if (functions_.empty()) return {};
  Attributes attributes(tables, version);
  std::vector<std::uint32_t> first;
  std::vector<std::uint64_t> indices;
  for (const Function& f : functions_) {
    first.push_back(static_cast<std::uint32_t>(indices.size()));
    const bool known = f.loc.line != 0; // else nothing in it may have a place
    const std::uint64_t scope = known ? attributes.subprogram_of(f.name, f.loc) : 0;
    indices.push_back(attributes.loc_of(scope, f.loc));
    // An operation without a place of its own has the function's.
    for (const SourceLoc at : f.ops)
      indices.push_back(attributes.loc_of(scope, known && at.line != 0 ? at : f.loc));
  }
  attributes.never_empty();
  Encoder out;
  out.varint(first.size());
  out.pad(4);
  for (const std::uint32_t i : first) out.fixed(i);
  out.varint(indices.size());
  out.pad(8);
  for (const std::uint64_t i : indices) out.fixed(i);
  out.varint(attributes.items().size());
  out.pad(4);
  std::size_t offset = 0;
  for (const auto& item : attributes.items()) {
    out.fixed(static_cast<std::uint32_t>(offset));
    offset += item.size();
  }
  for (const auto& item : attributes.items()) out.raw(item);
  return out;
}

} // namespace cutile::bytecode
