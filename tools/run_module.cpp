#include "tools/run_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "bytecode/reader.hpp"
#include "compiler/compiler.hpp"
#include "cpu/program.hpp"
#include "cuda/driver.hpp"
#include "cutile/tensor.hpp"
#include "ir/verifier.hpp"
#include "runtime/storage.hpp"
#include "support/files.hpp"
#include "support/npy.hpp"

namespace cutile::tools {
namespace {

using ir::TypeKind;

/// An argument: an array with what NumPy calls its elements, or the bits of a number.
struct Value {
  std::optional<Tensor<std::uint8_t, 1>> array;
  std::string descr;
  std::vector<std::int64_t> shape;
  std::uint64_t bits = 0;
  void* pointer = nullptr;
};

bool is_array(const std::string& arg) { return arg.ends_with(".npy"); }

Value array_of(const std::string& path, Device device) {
  const std::vector<std::byte> file = support::read_file(path).value();
  const auto header = support::parse_npy_header(file);
  if (!header) throw UsageError(fmt::format("{}: {}", path, header.failure().message));
  if (header->fortran_order && header->shape.size() > 1)
    throw UsageError(fmt::format("{}: the array is in column-major order; save it with "
                                 "numpy.ascontiguousarray",
                                 path));
  std::vector<std::uint8_t> bytes(header->data_bytes);
  std::memcpy(bytes.data(), file.data() + header->data_offset, bytes.size());
  Value v;
  v.array =
      from_vector<std::uint8_t>(bytes, {static_cast<std::int64_t>(bytes.size())}, device).sync();
  v.descr = header->descr;
  v.shape = header->shape;
  v.pointer = v.array->ref("run", SourceLoc{}).storage->get()->data();
  return v;
}

template <class T> T parsed(std::string_view text, const std::string& arg) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("'{}' is no number of its type", arg));
  return value;
}

/// "3:i32", "-1.5:f32", "1:i1".
std::pair<TypeKind, std::uint64_t> number_of(const std::string& arg) {
  const std::size_t colon = arg.rfind(':');
  if (colon == std::string::npos)
    throw UsageError(fmt::format(
        "argument '{}' is neither an array (x.npy) nor a number with its type (3:i32)", arg));
  const std::string_view number = std::string_view(arg).substr(0, colon);
  const std::string type = arg.substr(colon + 1);
  for (const TypeKind kind :
       {TypeKind::i1, TypeKind::i8, TypeKind::i16, TypeKind::i32, TypeKind::i64}) {
    if (type != ir::spelling(kind)) continue;
    const auto unused = static_cast<unsigned>(64 - ir::bit_width(kind));
    const bool negative = number.starts_with('-');
    const auto value = negative ? static_cast<std::uint64_t>(parsed<std::int64_t>(number, arg))
                                : parsed<std::uint64_t>(number, arg);
    const std::uint64_t bits = value << unused >> unused;
    const auto again =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
    if (negative ? again != value : bits != value)
      throw UsageError(fmt::format("'{}' does not fit in {}", arg, type));
    return {kind, bits};
  }
  if (type == "f64")
    return {TypeKind::f64, std::bit_cast<std::uint64_t>(parsed<double>(number, arg))};
  const auto value = [&] { return static_cast<float>(parsed<double>(number, arg)); };
  if (type == "f32") return {TypeKind::f32, std::bit_cast<std::uint32_t>(value())};
  if (type == "f16") return {TypeKind::f16, f16(value()).bits};
  if (type == "bf16") return {TypeKind::bf16, bf16(value()).bits};
  throw UsageError(fmt::format(
      "'{}': the types of numbers are i1, i8, i16, i32, i64, f16, bf16, f32 and f64", arg));
}

const ir::Function& entry_of(const ir::Module& module, const std::string& name) {
  std::string names;
  for (const ir::Function& f : module.functions) {
    if (f.name == name || (name.empty() && module.functions.size() == 1)) return f;
    names += (names.empty() ? "" : ", ") + f.name;
  }
  throw UsageError(
      name.empty() ? fmt::format("the module has the entries {}; choose one with --entry", names)
                   : fmt::format("there is no entry '{}'; the module has {}", name, names));
}

Device device_of(const std::string& name) {
  if (name == "cpu") return Device::cpu();
  if (name == "cuda") return Device::cuda(0);
  if (name.starts_with("cuda:"))
    return Device::cuda(parsed<int>(std::string_view(name).substr(5), name));
  throw UsageError(fmt::format("'{}' is no device; use cpu, cuda or cuda:N", name));
}

void launch(const ir::Module& module, const std::string& entry, const RunRequest& request,
            Device device, std::vector<void*>& params) {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  if (request.grid.empty() || request.grid.size() > 3)
    throw UsageError("--grid takes one to three numbers, for example 8,1,1");
  for (std::size_t a = 0; a < request.grid.size(); ++a) {
    grid[a] = request.grid[a];
    if (grid[a] < 1 || grid[a] > 0x7fffffff)
      throw UsageError(fmt::format("{} is no size of a grid", grid[a]));
  }
  if (!device.is_cuda()) {
    const std::vector<const void*> values(params.begin(), params.end());
    cpu::Program::compile(module, entry).value()->run(grid, values).value();
    return;
  }
  ir::Module one = module; // cubins are of one entry
  std::erase_if(one.functions, [&](const ir::Function& f) { return f.name != entry; });
  const cuda::DeviceInfo info = cuda::device_info(device.index()).value();
  const auto cubin = compiler::cubin_for(one, info.arch()).value();
  const cuda::Function function = cuda::load(cubin->bytes, entry, device.index()).value();
  const cuda::Stream stream = cuda::default_stream(device.index()).value();
  cuda::launch(function,
               {static_cast<std::uint32_t>(grid[0]), static_cast<std::uint32_t>(grid[1]),
                static_cast<std::uint32_t>(grid[2])},
               params.data(), stream)
      .value();
  cuda::synchronize(stream).value();
}

} // namespace

void run_module(const RunRequest& request) {
  const auto read = bytecode::read(support::read_file(request.module).value());
  if (!read) throw UsageError(fmt::format("{}: {}", request.module, read.failure().message));
  const ir::Module& module = *read;
  if (const auto problems = ir::verify(module); !problems.empty())
    throw UsageError(
        fmt::format("{} does not verify: {}", request.module, problems.front().message));
  const ir::Function& f = entry_of(module, request.entry);
  const auto& parameters = f.params();
  if (parameters.size() != request.args.size())
    throw UsageError(fmt::format("entry '{}' takes {} arguments, {} were given with --arg", f.name,
                                 parameters.size(), request.args.size()));
  const Device device = device_of(request.device);
  std::vector<Value> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& arg = request.args[i];
    const TypeKind wanted = module.types.element_kind(f[parameters[i]].type);
    const auto mismatch = [&](std::string_view is) {
      return UsageError(fmt::format("argument {} of '{}' is {}, not {}", i, f.name,
                                    module.types.text(f[parameters[i]].type), is));
    };
    if (is_array(arg)) {
      if (wanted != TypeKind::pointer) throw mismatch("an array");
      values.push_back(array_of(arg, device));
    } else {
      const auto [kind, bits] = number_of(arg);
      if (kind != wanted) throw mismatch(fmt::format("a number of type {}", ir::spelling(kind)));
      values.emplace_back().bits = bits;
    }
  }
  std::vector<void*> params;
  for (Value& v : values) params.push_back(v.array ? static_cast<void*>(&v.pointer) : &v.bits);
  launch(module, f.name, request, device, params);
  for (const std::string& save : request.saves) {
    const std::size_t equals = save.find('=');
    if (equals == std::string::npos)
      throw UsageError(
          fmt::format("--save {}: write which argument goes where, for example 2=out.npy", save));
    const auto number = parsed<std::size_t>(std::string_view(save).substr(0, equals), save);
    if (number >= values.size() || !values[number].array)
      throw UsageError(fmt::format("--save {}: argument {} is no array", save, number));
    const Value& v = values[number];
    std::vector<std::byte> file = support::npy_header(v.descr, v.shape);
    const std::vector<std::uint8_t> bytes = v.array->to_vector();
    const auto data = std::as_bytes(std::span(bytes));
    file.insert(file.end(), data.begin(), data.end());
    support::write_file(save.substr(equals + 1), file).value();
  }
}

} // namespace cutile::tools
