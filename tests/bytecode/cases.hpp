#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "kernel.hpp"

namespace cutile::testing {

/// One entry to write, print and disassemble.
struct Case {
  std::string name;
  Version since; ///< the first version that can hold it
  std::function<void(Kernel&)> build;
  bool blackwell = false;         ///< needs sm_100 or newer
  bool disassembles_only = false; ///< no target of the compiler takes it
};

/// Cases of one subject, which go into one module and one golden file.
struct Group {
  std::string name;
  std::vector<Case> cases;

  friend void PrintTo(const Group& group, std::ostream* out) { *out << group.name; }
};

std::vector<Group> all_groups();

inline constexpr Version versions[] = {V13_1, V13_2, V13_3, V13_4, V13_5};

void add_entry(Module& module, const Case& c);
/// The cases of a group that are wanted, in one module.
Module module_of(const Group& group, const std::function<bool(const Case&)>& wanted);

inline std::int64_t number(auto e) { return static_cast<std::int64_t>(e); }

} // namespace cutile::testing
