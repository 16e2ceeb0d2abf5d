#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cutile/error.hpp"
#include "cutile/types.hpp"

// The .npy format of NumPy (numpy/lib/format.py, "NPY format"): magic, version, length of the
// header, a Python dictionary with descr, fortran_order and shape, then the elements.

namespace cutile::support {

struct NpyHeader {
  std::string descr; ///< element type as NumPy writes it, for example "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;
  std::size_t data_bytes = 0; ///< present in the file; more may follow
};

/// Reads the header of versions 1.0, 2.0 and 3.0 and checks that all elements are there. A failure
/// says what is wrong with the file; the caller adds its path.
[[nodiscard]] Result<NpyHeader> parse_npy_header(std::span<const std::byte> file);

/// The header, version 1.0 or, for very many axes, 2.0, padded so that the elements start at a
/// multiple of 64 bytes.
[[nodiscard]] std::vector<std::byte> npy_header(std::string_view descr,
                                                std::span<const std::int64_t> shape);

/// What `type` is written as. NumPy has no bf16; its bits are written as "<u2".
[[nodiscard]] std::string_view npy_descr(DType type);
/// Whether elements written as `descr` are of `type`: bf16 is also read from "<V2", as ml_dtypes
/// writes it, and "<u2".
[[nodiscard]] bool npy_holds(std::string_view descr, DType type);

} // namespace cutile::support
