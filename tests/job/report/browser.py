# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by chromedriver over the W3C's WebDriver protocol."""
import base64
import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # https://www.w3.org/TR/webdriver2/#elements
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--hide-scrollbars"]


def available():
    return shutil.which("chromedriver") is not None and shutil.which("chromium") is not None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    def __init__(self, address, size, dark):
        self.address = address
        options = [*OPTIONS, f"--window-size={size[0]},{size[1]}"]
        if dark:
            options.append("--force-dark-mode")
        self.profile = tempfile.mkdtemp()
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": shutil.which("chromium"),
                                   "args": [*options, f"--user-data-dir={self.profile}"]}}}})
        self.session = f"/session/{session['sessionId']}"

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()}") from None

    def open(self, path):
        self.ask("POST", self.session + "/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        """Returns the value of a JavaScript function with that body."""
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(f"return !!({script})"):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s: {script}\n{self.console()}")
            time.sleep(0.02)

    def find(self, selector):
        return self.ask("POST", self.session + "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def act(self, *actions):
        """Acts with a mouse: ("move", element, dx, dy from its middle), ("down",), ("up",), ("wheel", element, dy)."""
        pointer, wheel = [], []
        for kind, *rest in actions:
            if kind == "move":
                element, x, y = rest
                pointer.append({"type": "pointerMove", "origin": {ELEMENT: element}, "x": x, "y": y, "duration": 30})
            elif kind == "down":
                pointer.append({"type": "pointerDown", "button": 0})
            elif kind == "up":
                pointer.append({"type": "pointerUp", "button": 0})
            else:
                element, by = rest
                wheel.append({"type": "scroll", "origin": {ELEMENT: element}, "x": 0, "y": 0, "deltaX": 0, "deltaY": by})
        sources = []
        if pointer:
            sources.append({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": pointer})
        if wheel:
            sources.append({"type": "wheel", "id": "wheel", "actions": wheel})
        self.ask("POST", self.session + "/actions", {"actions": sources})

    def keys(self, element, text):
        self.ask("POST", f"{self.session}/element/{element}/value", {"text": text})

    def console(self):
        """Returns the console's messages since the last call, including errors of scripts."""
        return [entry["message"] for entry in self.ask("POST", self.session + "/se/log", {"type": "browser"})]

    def picture(self, path, selector=None):
        where = f"{self.session}/element/{self.find(selector)}/screenshot" if selector else self.session + "/screenshot"
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", where)))

    def close(self):
        self.ask("DELETE", self.session)
        shutil.rmtree(self.profile, ignore_errors=True)


@contextlib.contextmanager
def browser(size=(1400, 1000), dark=False):
    port = free_port()
    with tempfile.NamedTemporaryFile() as log, \
            subprocess.Popen(["chromedriver", f"--port={port}"], stdout=log, stderr=log) as driver:
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(200):
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(address + "/status", timeout=5).close()
                    break
                time.sleep(0.05)
            it = Browser(address, size, dark)
            try:
                yield it
            finally:
                it.close()
        finally:
            driver.terminate()
