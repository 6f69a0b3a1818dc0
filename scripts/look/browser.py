"""A headless Chromium that is spoken to over pipes (Chrome DevTools Protocol), with Python's own library alone."""

import base64
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path

# As `warcsieve` looks for one (crates/core/layout/src/browser/process.rs).
PROGRAMS = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome-stable",
            "google-chrome"]

PATIENCE = 60


def find():
    """The browser's program, or None."""
    named = os.environ.get("WARCSIEVE_BROWSER")
    return named or next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """A browser. What happens in its pages is in `events` of each page."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="warcsieve-look-")
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        options = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                   "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-dev-shm-usage", "--force-color-profile=srgb",
                   f"--user-data-dir={self.folder}"]
        # The sandbox works for no superuser. The pages are ours, and this is a test.
        options += ["--no-sandbox"] if os.geteuid() == 0 else []

        def ends():
            # Moved out of the way first: a pipe may have one of these numbers itself.
            reading, writing = os.dup(to_read), os.dup(to_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen([program, *options], preexec_fn=ends, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.rest = b""
        self.pages = {}
        self.events, self.is_traced = [], True

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self, until):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(message)
        page = self.pages.get(message.get("sessionId"))
        if "method" in message and page:
            page.happened(message["method"], message["params"])
        if message.get("method") == "Tracing.dataCollected":
            self.events += message["params"]["value"]
        self.is_traced |= message.get("method") == "Tracing.tracingComplete"
        return message

    def trace(self):
        """Begins to record what the browser does."""
        self.events, self.is_traced = [], False
        self.call("Tracing.start", categories="devtools.timeline,disabled-by-default-devtools.timeline", transferMode="ReportEvents")

    def longest_task(self):
        """Ends the record: milliseconds of processor time of the longest task, however busy the machine."""
        self.call("Tracing.end")
        until = time.monotonic() + PATIENCE
        while not self.is_traced:
            self.receive(until)
        return max(event.get("tdur", 0) for event in self.events if event["name"] == "RunTask") / 1000

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, width=1400, height=1000, dark=False, ready="true"):
        return Page(self, path, width, height, dark, ready)


class Page:
    """A file that is shown."""

    def __init__(self, browser, path, width, height, dark, ready):
        self.browser = browser
        self.faults, self.requests, self.loaded = [], [], False
        self.address = Path(path).absolute().as_uri()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=self.address)
        self.until(lambda: self.loaded)
        self.until(lambda: self.run(ready))

    def happened(self, method, values):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.faults.append(str([a.get("value") for a in values["args"]]))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.faults.append(values["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.faults.append("a dialog: " + values["message"])
            self.browser.number += 1
            accept = {"id": self.browser.number, "method": "Page.handleJavaScriptDialog", "params": {"accept": True},
                      "sessionId": self.session}
            os.write(self.browser.to, json.dumps(accept).encode() + b"\0")
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def run(self, script):
        """The value of an expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"{self.address}: does not come to an end; {self.faults}")
            time.sleep(0.02)
            self.run("0")

    def key(self, *keys):
        for key in keys:
            name = {" ": "Space"}.get(key, key)
            text = "\r" if key == "Enter" else key if len(key) == 1 else ""
            shift = 8 if len(key) == 1 and key.isalpha() and key.isupper() else 0
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=name, text=text, modifiers=shift)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=name, modifiers=shift)

    def screenshot(self, path=None, full=False):
        """The page as PNG; refuses one that shows nothing."""
        taken = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        data = base64.b64decode(taken["data"])
        if path:
            Path(path).write_bytes(data)
        colours = colours_of(data)
        assert len(colours) >= 20, f"{self.address}: the picture has {len(colours)} colours"
        return data

    def check(self):
        """No error, and no request but for the file itself."""
        assert not self.faults, f"{self.address}: {self.faults}"
        others = [r for r in self.requests if r != self.address and not r.startswith("blob:null/")]
        assert not others, f"{self.address} asked for {others}"

    def close(self):
        self.check()
        del self.browser.pages[self.session]
        self.browser.call("Target.closeTarget", targetId=self.target)


def lines_of(png):
    """The lines of a PNG of 8 bits a channel, and the bytes of a pixel."""
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            data += body
        at += length + 12
    width, height, depth, colour = size
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    raw, stride, lines = zlib.decompress(data), width * step, []
    before = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        if kind == 1:
            for x in range(step, stride):
                line[x] = line[x] + line[x - step] & 255
        elif kind == 2:
            for x in range(stride):
                line[x] = line[x] + before[x] & 255
        elif kind == 3:
            for x in range(stride):
                left = line[x - step] if x >= step else 0
                line[x] = line[x] + (left + before[x] >> 1) & 255
        elif kind == 4:
            for x in range(stride):
                a, b, c = (line[x - step] if x >= step else 0), before[x], (before[x - step] if x >= step else 0)
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[x] = line[x] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
        before = line
        lines.append(bytes(line))
    return lines, step


def colours_of(png):
    """The different colours of a PNG, every 7th pixel of every 5th line."""
    lines, step = lines_of(png)
    return {line[x:x + 3] for line in lines[::5] for x in range(0, len(line), 7 * step)}


def with_palette(png):
    """The same picture with 256 colours: frequent ones that differ enough, and the nearest of them for others."""
    lines, step = lines_of(png)
    pixels = [[line[x:x + 3] for x in range(0, len(line), step)] for line in lines]
    counts = Counter(colour for line in pixels for colour in line)

    def far(a, b):
        return sum((x - y) ** 2 for x, y in zip(a, b))

    palette, apart = [], 0
    while not palette:
        for colour, _ in counts.most_common():
            if all(far(colour, other) > apart for other in palette):
                palette.append(colour)
            if len(palette) > 256:
                palette, apart = [], 2 * apart + 16
                break
    places = {colour: at for at, colour in enumerate(palette)}
    for colour in counts:
        if colour not in places:
            places[colour] = min(range(len(palette)), key=lambda at: far(palette[at], colour))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    data = b"".join(b"\0" + bytes(places[colour] for colour in line) for line in pixels)
    head = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(palette))
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))
