"""Makes the inputs and expected outputs of the kernel tests with NumPy; run it by scripts/oracles.

Everything is computed in float64 from the rounded inputs and rounded once to the stored type, so an expected value is the
correctly rounded one; a test states how far a kernel may be from it. tests/data/oracles.json lists the cases:

  name, kernel, dtype   of the case; dtype is the element type of the tensors of the kernel
  shape                 of the output, GEMM: [M, N, K]
  params                numbers that the kernel takes
  inputs, outputs       parameter name -> file in tests/data/oracles/

Types of files: bfloat16 is stored as its bits ('<u2'); GEMM inputs shared by several element types are stored as float16
and hold values that bfloat16 and float32 have too; outputs of kernels on f16 and bf16 are float32 unless params says
"exact", when they are of the case's own type and must agree bit for bit.
"""

import json
import shutil
import zlib
from pathlib import Path

import ml_dtypes
import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = HERE / "oracles"

VECTORS = [1, 128, 1000, 3 * 128, 4099]
MATRICES = [(1, 1), (128, 128), (127, 129), (256, 384), (70, 1000)]
PRODUCTS = [(128, 128, 64), (127, 129, 65), (200, 72, 130), (1, 1, 1), (384, 256, 192)]

cases = []
written = set()


def rng(name):
    return np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))


def round_to(x, dtype):
    """float64 values rounded once, to nearest even, to the values of `dtype`; still float64."""
    if dtype == "bf16":
        return from_bf16(to_bf16(x))
    return x.astype({"f32": np.float32, "f16": np.float16}[dtype]).astype(np.float64)


def to_bf16(x):
    """Bits of bfloat16 from float64, rounded to nearest even once, by integer arithmetic: 8 bits of mantissa are kept."""
    bits = np.asarray(x, np.float64).view(np.uint64)
    exponent = ((bits >> np.uint64(52)) & np.uint64(0x7FF)).astype(np.int64) - 1023
    normal = exponent > -127
    assert np.all(normal | (x == 0)) and np.all(exponent < 128), "only zero and normal numbers are used here"
    drop = np.uint64(52 - 7)
    low = bits & ((np.uint64(1) << drop) - np.uint64(1))
    half = np.uint64(1) << (drop - np.uint64(1))
    odd = (bits >> drop) & np.uint64(1)
    up = (low > half) | ((low == half) & (odd == 1))
    kept = (bits >> drop) + up.astype(np.uint64)  # sign, 11 bits of exponent, 7 of mantissa
    sign = (kept >> np.uint64(18)) << np.uint64(15)
    magnitude = kept & np.uint64(0x3FFFF)
    rebased = np.where(x == 0, 0, magnitude.astype(np.int64) - ((1023 - 127) << 7))
    return (sign | rebased.astype(np.uint64)).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def stored(x, dtype):
    if dtype == "bf16":
        return to_bf16(x)
    return np.asarray(x).astype({"f32": np.float32, "f16": np.float16, "i32": np.int32, "u8": np.uint8}[dtype])


def write(name, array):
    path = FOLDER / f"{name}.npy"
    if name not in written:
        written.add(name)
        np.save(path, np.ascontiguousarray(array))
    return path.name


def case(name, kernel, dtype, shape, inputs, outputs, **params):
    cases.append(dict(name=name, kernel=kernel, dtype=dtype, shape=list(shape), params=params, inputs=inputs, outputs=outputs))


def elementwise():
    for n in VECTORS:
        for dtype in ("f32", "f16", "bf16"):
            random = rng(f"vector_{dtype}_{n}")
            x, y = (round_to(random.normal(scale=3, size=n), dtype) for _ in range(2))
            inputs = {"x": write(f"x_{dtype}_{n}", stored(x, dtype)), "y": write(f"y_{dtype}_{n}", stored(y, dtype))}
            z = write(f"add_{dtype}_{n}", stored(x + y, dtype))  # the sum of two such numbers is exact in float64
            case(f"add_{dtype}_{n}", "add", dtype, [n], inputs, {"z": z}, exact=True)
            if dtype == "f32":
                alpha = 1.7001953125
                case(f"saxpy_{n}", "saxpy", dtype, [n], inputs, {"y": write(f"saxpy_{n}", stored(alpha * x + y, dtype))}, alpha=alpha)
        random = rng(f"vector_i32_{n}")
        x, y = (random.integers(-(2**31), 2**31, size=n) for _ in range(2))
        inputs = {"x": write(f"x_i32_{n}", stored(x, "i32")), "y": write(f"y_i32_{n}", stored(y, "i32"))}
        wrapped = ((x + y + 2**31) % 2**32) - 2**31
        case(f"add_i32_{n}", "add", "i32", [n], inputs, {"z": write(f"add_i32_{n}", stored(wrapped, "i32"))}, exact=True)


def softmax(x):
    with np.errstate(invalid="ignore"):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)


def rms_norm(x, w, epsilon):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * w


def rows():
    epsilon = float(np.float32(1e-5))
    for m, n in MATRICES:
        for dtype in ("f32", "f16", "bf16") if (m, n) == (127, 129) else ("f32",):
            tag = f"{dtype}_{m}x{n}"
            random = rng(f"matrix_{tag}")
            x = round_to(random.normal(scale=4, size=(m, n)), dtype)
            w = round_to(random.normal(loc=1, scale=0.5, size=n), dtype)
            xf = write(f"x_{tag}", stored(x, dtype))
            case(f"softmax_{tag}", "softmax", dtype, [m, n], {"x": xf}, {"y": write(f"softmax_{tag}", stored(softmax(x), "f32"))})
            y = stored(rms_norm(x, w, epsilon), "f32")
            case(f"rms_norm_{tag}", "rms_norm", dtype, [m, n], {"x": xf, "w": write(f"w_{tag}", stored(w, dtype))},
                 {"y": write(f"rms_norm_{tag}", y)}, epsilon=epsilon)
            if m % 2 == 1:
                case(f"transpose_{tag}", "transpose", dtype, [n, m], {"x": xf}, {"y": write(f"transpose_{tag}", stored(x, dtype).T)},
                     exact=True)

    # One row each: NaN, -inf among numbers, numbers far apart, all equal, only -inf, +inf, very negative, -0 and 0.
    x = rng("softmax_special").normal(size=(8, 33))
    x[0, 7] = np.nan
    x[1, ::3] = -np.inf
    x[2] = np.linspace(-3e38, 3e38, 33)
    x[3] = 88.5
    x[4] = -np.inf
    x[5, 32] = np.inf
    x[6] -= 1e6
    x[7] = np.where(np.arange(33) % 2 == 0, -0.0, 0.0)
    x = round_to(x, "f32")
    case("softmax_special", "softmax", "f32", [8, 33], {"x": write("x_special", stored(x, "f32"))},
         {"y": write("softmax_special", stored(softmax(x), "f32"))})


def products():
    for m, n, k in PRODUCTS:
        tag = f"{m}x{n}x{k}"
        # Values that f16, bf16 and f32 all have: at most 8 significant bits, none below 2^-10.
        random = rng(f"product_{tag}")
        a, b = (round_to(np.round(random.normal(size=s) * 2**10) / 2**10, "bf16") for s in ((m, k), (k, n)))
        assert np.array_equal(round_to(a, "f16"), a) and np.array_equal(round_to(b, "f16"), b)
        inputs = {"a": write(f"a_{tag}", a.astype(np.float16)), "b": write(f"b_{tag}", b.astype(np.float16))}
        outputs = {"c": write(f"gemm_{tag}", stored(a @ b, "f32"))}
        for dtype in ("f16", "bf16", "f32"):
            case(f"gemm_{dtype}_{tag}", "gemm", dtype, [m, n, k], inputs, outputs)
        if (m, n, k) in ((127, 129, 65), (1, 1, 1)):  # all 24 bits of an f32 in use: shows a product computed in a narrower type
            a, b = (round_to(random.normal(size=s), "f32") for s in ((m, k), (k, n)))
            inputs = {"a": write(f"a_full_{tag}", stored(a, "f32")), "b": write(f"b_full_{tag}", stored(b, "f32"))}
            case(f"gemm_f32_full_{tag}", "gemm", "f32", [m, n, k], inputs, {"c": write(f"gemm_full_{tag}", stored(a @ b, "f32"))})


def mandelbrot():
    """Rounds after which |z| <= 2 still holds; every step rounded to f32, no fused multiply-add."""
    h, w, limit = 48, 64, 200
    f = np.float32
    x0, y0, dx, dy = f(-2.2), f(-1.2), f(3.2 / w), f(2.4 / h)
    cr = np.broadcast_to(x0 + dx * np.arange(w, dtype=f), (h, w))
    ci = np.broadcast_to((y0 + dy * np.arange(h, dtype=f))[:, None], (h, w))
    zr, zi = np.zeros((h, w), f), np.zeros((h, w), f)
    rounds, inside = np.zeros((h, w), np.int32), np.ones((h, w), bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(limit):
            zr, zi = zr * zr - zi * zi + cr, f(2) * zr * zi + ci
            inside &= zr * zr + zi * zi <= f(4)
            rounds += inside
    case("mandelbrot_48x64", "mandelbrot", "i32", [h, w], {}, {"rounds": write("mandelbrot_48x64", rounds)},
         x0=float(x0), y0=float(y0), dx=float(dx), dy=float(dy), limit=limit)


def blur(x):
    """[1 4 6 4 1] / 16 along both axes, zero outside; exact in float64 for the inputs used here."""
    weights = np.array([1, 4, 6, 4, 1]) / 16
    h, w = x.shape
    p = np.pad(x, 2)
    p = sum(c * p[:, j : j + w] for j, c in enumerate(weights))
    return sum(c * p[i : i + h] for i, c in enumerate(weights))


def pictures():
    photo = Image.open(ROOT / "examples" / "data" / "photo.png").convert("RGB")
    # Rec. 601 luma in integers, as (77 R + 150 G + 29 B + 128) / 256 rounded down.
    r, g, b = np.moveaxis(np.asarray(photo).astype(np.int64), -1, 0)
    grey = (77 * r + 150 * g + 29 * b + 128) >> 8
    out = np.floor(blur(grey.astype(np.float64)) + 0.5)
    h, w = grey.shape
    case("blur_photo", "blur", "u8", [h, w], {"x": write("photo_grey", stored(grey, "u8"))},
         {"y": write("blur_photo", stored(out, "u8"))}, exact=True)
    for h, w in ((1, 1), (61, 83), (128, 64)):
        x = round_to(rng(f"blur_{h}x{w}").normal(size=(h, w)), "f32")
        case(f"blur_{h}x{w}", "blur", "f32", [h, w], {"x": write(f"picture_{h}x{w}", stored(x, "f32"))},
             {"y": write(f"blur_{h}x{w}", stored(blur(x), "f32"))})


def npy_samples():
    """Files of every kind that NumPy writes, for the tests of the .npy reader: each holds 0, 1, 2, ... in row-major order."""
    folder = HERE / "npy"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for code in ("f8", "f4", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        np.save(folder / f"{code}.npy", np.arange(6).reshape(2, 3).astype(code))
    np.save(folder / "b1.npy", np.arange(6).reshape(2, 3) % 2 == 1)
    np.save(folder / "bf16.npy", np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16))
    np.save(folder / "rank0.npy", np.float32(7))
    np.save(folder / "rank1.npy", np.arange(5, dtype="f4"))
    np.save(folder / "rank3.npy", np.arange(24, dtype="i4").reshape(2, 3, 4))
    np.save(folder / "empty.npy", np.zeros((3, 0, 2), "f4"))
    np.save(folder / "fortran.npy", np.asfortranarray(np.arange(24, dtype="i4").reshape(2, 3, 4)))
    np.save(folder / "big_endian.npy", np.arange(5).astype(">f4"))
    np.save(folder / "record.npy", np.zeros(2, [("a", "f4"), ("b", "i4")]))
    np.save(folder / "complex.npy", np.zeros(2, "c8"))
    for version in ((2, 0), (3, 0)):
        with open(folder / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, np.arange(6, dtype="f4").reshape(2, 3), version)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    x = rng("bf16").normal(size=10000)
    assert np.array_equal(to_bf16(x.astype(np.float32).astype(np.float64)), x.astype(np.float32).astype(ml_dtypes.bfloat16).view(np.uint16))
    elementwise()
    rows()
    products()
    mandelbrot()
    pictures()
    npy_samples()
    lines = ",\n".join("  " + json.dumps(c) for c in cases)
    (HERE / "oracles.json").write_text(f"[\n{lines}\n]\n")
    total = sum(p.stat().st_size for p in FOLDER.iterdir())
    print(f"{len(cases)} cases, {len(written)} files, {total / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
