#!/usr/bin/env python3
"""Counts the arithmetic of an accelerated sweep in the compiled kernels: one packed instruction over eight lanes is one
operation for each of eight contacts. Prints a JSON line per kind of problem; nothing where there is no AVX2 or objdump.

    operations.py BUILD
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

KINDS = {"balls": "_spheres", "round": "_isotropic", "plain": ""}
ARITHMETIC = re.compile(r"\bv(add|sub|mul|div|sqrt|max|min)ps\b")


def count(listing, function="sweep_onwards"):
    """Packed arithmetic instructions in a function of a disassembly."""
    inside, found = False, 0
    for text in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <(\w+)>:", text)
        inside = head.group(1) == function if head else inside
        found += inside and bool(ARITHMETIC.search(text))
    return found


def main():
    build = pathlib.Path(sys.argv[1])
    for kind, suffix in KINDS.items():
        kernel = build / f"CMakeFiles/scree_kernels_f32_avx2{suffix}.dir/src/solve/sweep/kernels/sweep.c.o"
        if kernel.exists() and shutil.which("objdump"):
            listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", kernel], capture_output=True, text=True, check=True).stdout
            print(json.dumps({"bench": "operations", "kind": kind, "operations_per_contact": count(listing)}))


if __name__ == "__main__":
    main()
