#!/usr/bin/env python3
"""Makes service_times.csv: how long real requests of very different size take on this machine.

    python3 examples/make_service_times.py

A request asks for some cities of cities.csv: take that many rows, sort them by name, encode them
as JSON, compress the text and hash the result, as a small web service would. The sizes are
lognormal and drawn with a fixed seed, so they are the same everywhere. The times are measured, so
they differ from machine to machine and from run to run.

Only the standard library is needed. The file is written next to this script.
"""

import csv
import hashlib
import json
import math
import random
import statistics
import sys
import time
import zlib
from pathlib import Path

REQUESTS = 2_000
UNMEASURED = 100
SEED = 1
MEDIAN_ROWS = 300
SIGMA = 1.3  # standard deviation of the logarithm of a request's size
MOST_ROWS = 20_000  # larger requests are refused, as a service would


def read_cities(path):
    """The rows of the file of cities, as dictionaries."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def draw_size(rng):
    """The number of rows of a request: lognormal, between 1 and MOST_ROWS."""
    while True:
        rows = math.ceil(rng.lognormvariate(math.log(MEDIAN_ROWS), SIGMA))
        if rows <= MOST_ROWS:
            return rows


def serve(cities, first, rows):
    """The work of one request: the cities from `first` on, around the end of the file."""
    taken = [cities[(first + i) % len(cities)] for i in range(rows)]
    taken.sort(key=lambda city: city["name"])
    body = zlib.compress(json.dumps(taken).encode())
    return hashlib.sha256(body).hexdigest()


def measure(cities, rng):
    """The time of one request in milliseconds."""
    first, rows = rng.randrange(len(cities)), draw_size(rng)
    start = time.perf_counter()
    serve(cities, first, rows)
    return (time.perf_counter() - start) * 1000


def describe(times):
    """One line about the times."""
    mean = statistics.fmean(times)
    scv = statistics.pvariance(times) / mean**2
    p99 = statistics.quantiles(times, n=100, method="inclusive")[98]
    return (
        f"{len(times):,} requests: mean {mean:.3f} ms, SCV {scv:.2f}, "
        f"p99 {p99:.2f} ms, max {max(times):.2f} ms"
    )


def main():
    """Measures, and writes the file."""
    folder = Path(__file__).resolve().parent
    cities = read_cities(folder / "cities.csv")
    rng = random.Random(SEED)
    times = [measure(cities, rng) for _ in range(UNMEASURED + REQUESTS)][UNMEASURED:]
    with (folder / "service_times.csv").open("w", encoding="utf-8", newline="\n") as file:
        file.write("service_ms\n")
        file.writelines(f"{ms:.4f}\n" for ms in times)
    print(describe(times), file=sys.stderr)


if __name__ == "__main__":
    main()
