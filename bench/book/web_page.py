#!/usr/bin/env python3
"""The size of a run as a web page: the silo's grains with 201 frames. Prints a JSON line.

    web_page.py BUILD
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SCENE = pathlib.Path(__file__).resolve().parents[2] / "scenes/silo.yaml"


def main():
    scree = pathlib.Path(sys.argv[1]) / "scree"
    with tempfile.TemporaryDirectory() as folder:
        run, page = f"{folder}/silo", pathlib.Path(folder) / "silo.html"
        subprocess.run([scree, "run", SCENE, "-o", run, "--quiet", "--set", "output.every=0.02", "--duration", "4"], check=True)
        subprocess.run([scree, "export", run, "--web", "-o", page], check=True, stdout=subprocess.DEVNULL)
        bodies = json.loads(pathlib.Path(run, "summary.json").read_text(encoding="utf-8"))["bodies"]
        frames = pathlib.Path(run, "frames/silo.pvd").read_text(encoding="utf-8").count('part="0"')
        print(json.dumps({"bench": "web", "engine": "scree", "bodies": bodies, "frames": frames, "megabytes": page.stat().st_size / 1e6}))


if __name__ == "__main__":
    main()
