"""A display without a screen, for programs that insist on one: an X server in memory.

    with Screen() as screen:
        subprocess.run([...], env=screen.environment)
"""
import os
import shutil
import subprocess


def is_there():
    return shutil.which("Xvfb") is not None


class Screen:
    def __init__(self, size="1280x1024x24"):
        self.size = size

    def __enter__(self):
        # The server says its number when it is ready, so nobody has to guess either. It is told not to begin anew when a
        # program closes its only window: who opens the next one at that moment would be turned away.
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", self.size, "-nolisten", "tcp", "-noreset"],
                                       pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        self.environment = {**os.environ, "DISPLAY": f":{number}"}
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
