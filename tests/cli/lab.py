"""What the tests of the command line share: calling scree, small scenes, reading what a run left, and counting checks.

    from lab import Lab
    with Lab() as lab:
        done = lab.scree("run", lab.scene(BALL), "--quiet")
        lab.check(done.returncode == 0, "a ball runs", done)

The path of the executable and of the source tree are the script's two arguments. Commands run in a temporary folder.
The script exits with 1 when a check failed, and prints which.
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77

BALL = """
time: { step: 0.01, duration: 0.5 }
bodies:
  - { name: floor, fixed: true, shapes: [ { type: plane, normal: [0, 0, 1], offset: 0 } ] }
  - { name: ball, position: [0, 0, 1], shapes: [ { type: sphere, radius: 0.5 } ] }
output: { every: 0.1, checkpoint_every: 0.2, probes: [ball] }
"""

# A heap in a box: enough bodies and contacts that threads share the work and that a run takes a while.
HEAP = """
time: { step: 0.004, duration: 4 }
seed: 3
bodies:
  - { name: floor, fixed: true, shapes: [ { type: plane, normal: [0, 0, 1], offset: 0 } ] }
  - name: walls
    fixed: true
    shapes:
      - { type: box, position: [2.2, 0, 3], half: [0.2, 2.4, 3] }
      - { type: box, position: [-2.2, 0, 3], half: [0.2, 2.4, 3] }
      - { type: box, position: [0, 2.2, 3], half: [2, 0.2, 3] }
      - { type: box, position: [0, -2.2, 3], half: [2, 0.2, 3] }
  - { name: plug, fixed: true, position: [0, 0, 1], shapes: [ { type: box, half: [0.5, 0.5, 0.1] } ] }
  - { name: paddle, fixed: true, position: [0, 0, 0.3], shapes: [ { type: box, half: [1.2, 0.1, 0.2] } ] }
fills:
  - { name: balls, count: 500, pattern: lattice, jitter: 0.5, box: [[-2, -2, 1.5], [2, 2, 8]],
      shapes: [ { type: sphere, radius: [0.12, 0.18] } ] }
  - { name: bricks, count: 100, pattern: random, box: [[-2, -2, 8], [2, 2, 12]], orientation: random,
      shapes: [ { type: box, half: [[0.1, 0.2], 0.12, 0.15] } ] }
motions:
  - { body: paddle, type: rotation, axis: [0, 0, 1], centre: [0, 0, 0], speed: 2 }
events:
  - { time: 0.6, remove: [plug] }
output:
  every: 0.04
  frames: false
  checkpoint_every: 0.4
  probes: [paddle]
  counters: [ { name: low, plane: { normal: [0, 0, 1], offset: 1 } } ]
"""


class Lab:
    def __init__(self):
        self.executable = os.path.abspath(sys.argv[1])
        self.source = pathlib.Path(sys.argv[2]).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-cli-"))
        self.right = self.wrong = 0
        self.scenes = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder, ignore_errors=True)
        if kind is None:
            print(f"{self.right} right, {self.wrong} wrong")
            if self.wrong or not self.right:
                sys.exit(1)

    def skip(self, why):
        print(f"skipped: {why}")
        shutil.rmtree(self.folder, ignore_errors=True)
        sys.exit(SKIPPED)

    def check(self, good, what, seen=None):
        """Counts; when wrong, prints what was expected and what was seen instead."""
        self.right, self.wrong = self.right + bool(good), self.wrong + (not good)
        if not good:
            print(f"WRONG: {what}")
            if isinstance(seen, subprocess.CompletedProcess):
                stdout, stderr = (seen.stdout or "")[-1500:], (seen.stderr or "")[-1500:]
                seen = f"exit {seen.returncode}\nstdout: {stdout}\nstderr: {stderr}"
            if seen is not None:
                print("  seen: " + str(seen).replace("\n", "\n  "))
        return bool(good)

    def scree(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": 120,
                   "cwd": self.folder, **options}
        return subprocess.run([self.executable, *map(str, arguments)], check=False, **options)

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
                   "cwd": self.folder, **options}
        return subprocess.Popen([self.executable, *map(str, arguments)], **options)

    def scene(self, text, name=None):
        """Writes a scene file and gives its path."""
        self.scenes += 1
        path = self.folder / f"{name or f'scene{self.scenes}'}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def ran(self, what, *arguments):
        """Runs a scene that must end well and gives its summary."""
        done = self.scree("run", *arguments, "--quiet")
        directory = self.folder / arguments[arguments.index("-o") + 1]
        if self.check(done.returncode == 0 and (directory / "summary.json").is_file(), what + " runs", done):
            return self.summary(directory)
        return {}

    def summary(self, directory):
        return json.loads((self.folder / directory / "summary.json").read_text(encoding="utf-8"))

    def rows(self, path):
        """A CSV file as header and rows of numbers."""
        with open(self.folder / path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        return header, [[float(field) for field in row] for row in rows]

    def refused(self, what, done, status=2, *words):
        """The command failed with this status and one error line that has these words in it."""
        lines = done.stderr.splitlines()
        good = done.returncode == status and len(lines) == 1 and lines[0].startswith("scree: ")
        good = good and all(word in lines[0] for word in words)
        return self.check(good, f"{what}: exit {status} and one line with {words}", done)

    def wait_for_rows(self, process, path, count, seconds=60):
        """Waits until a growing CSV file has so many rows, or the process ended."""
        end = time.monotonic() + seconds
        path = self.folder / path
        while process.poll() is None and time.monotonic() < end:
            if path.is_file() and path.read_bytes().count(b"\n") > count:
                return True
            time.sleep(0.005)
        return False

    def finish(self, process, number=None, seconds=60):
        """Sends a signal, if one is given, and waits for the end."""
        if number is not None and process.poll() is None:
            process.send_signal(number)
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            stdout, stderr = process.communicate()
            self.check(False, "the process ends within a minute")
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
