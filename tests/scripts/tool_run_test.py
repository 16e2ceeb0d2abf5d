"""`cutile run`, `verify` and `disasm` on a module of another compiler, with arrays as NumPy writes them."""

import pathlib
import struct
import subprocess
import sys
import tempfile

tool, cases = sys.argv[1], pathlib.Path(sys.argv[2])
columns = next(line for line in cases.read_text().splitlines() if line.startswith("addf.f32.NEAREST_EVEN\t")).split("\t")
inputs = [bytes.fromhex(text.split(":")[2]) for text in columns[2].split(";")]
expected = bytes.fromhex(columns[5])


def npy(data):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(data) // 4},), }}".encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def run(*arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=60)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    module = folder / "m.tilebc"
    module.write_bytes(bytes.fromhex(columns[6]))
    for i, data in enumerate(inputs):
        (folder / f"{i}.npy").write_bytes(npy(data))
    (folder / "z.npy").write_bytes(npy(bytes(len(expected))))
    arguments = [f"--arg={folder}/{file}.npy" for file in ("0", "1", "z")]
    out = folder / "out.npy"

    done = run("run", module, "--grid=1,1,1", *arguments, f"--save=2={out}")
    assert done.returncode == 0, done.stderr
    ours = out.read_bytes()[-len(expected):]
    for a, b in zip(struct.iter_unpack("<I", ours), struct.iter_unpack("<I", expected)):
        both_nan = all(v[0] & 0x7FFFFFFF > 0x7F800000 for v in (a, b))
        assert a == b or both_nan, (a, b)

    def refused(message, *arguments):
        failed = run(*arguments)
        assert failed.returncode == 1 and message in failed.stderr, (message, failed.stderr)

    refused("takes 3 arguments, 1 were given", "run", module, "--grid=1", arguments[0])
    refused("is tile<ptr<f32>>, not a number of type i32", "run", module, "--grid=1", *arguments[:2], "--arg=3:i32")
    refused("there is no entry 'other'; the module has k", "run", module, "--grid=1", "--entry=other", *arguments)
    refused("'300:i8' does not fit in i8", "run", module, "--grid=1", *arguments[:2], "--arg=300:i8")
    refused("'gpu' is no device", "run", module, "--grid=1", "--device=gpu", *arguments)
    refused("argument 7 is no array", "run", module, "--grid=1", *arguments, f"--save=7={out}")
    refused("is no Tile IR bytecode", "run", folder / "0.npy", "--grid=1")

    assert "bytecode 13.4, verifies; entries: k" in run("verify", module).stdout
    assert "entry @k(" in run("disasm", module).stdout
    module.write_bytes(module.read_bytes()[:-3])
    refused("m.tilebc: Tile IR bytecode, byte", "verify", module)
