"""Median seconds of a row softmax in NumPy: softmax_numpy.py ROWS COLUMNS ROUNDS."""

import sys
import time

import numpy as np

rows, columns, rounds = (int(a) for a in sys.argv[1:4])
x = np.random.default_rng(1).standard_normal((rows, columns), dtype=np.float32)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


softmax(x)
seconds = []
for _ in range(rounds):
    start = time.perf_counter()
    softmax(x)
    seconds.append(time.perf_counter() - start)
print(sorted(seconds)[rounds // 2])
