"""Drives the pages of view, report, eval --html and label in a headless Chromium.

usage: test.py WARCSIEVE [short | PART …] [--pictures FOLDER]
"""

import gzip
import html
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser as chromium  # noqa: E402
from vectors import VECTORS  # noqa: E402

CRAWL = "testdata/crawl"
PAGES = "testdata/crawl/en0000/00.warc.gz"
GOLD = "testdata/gold.jsonl"


class Test:
    def __init__(self, program, chrome, work, pictures):
        self.program, self.chrome, self.work, self.pictures = program, chrome, Path(work), pictures

    def run(self, *arguments, codes=(0,), folder=None):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, cwd=folder)
        assert done.returncode in codes, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def look(self, path, name, ready="true", **how):
        """A page, seen in both themes at both widths; left open as it is first."""
        for width, dark in [(400, True), (400, False), (1400, True)]:
            page = self.chrome.open(path, width, 900, dark, ready)
            page.screenshot(self.pictures and Path(self.pictures) / f"{name}-{width}-{'dark' if dark else 'light'}.png")
            wide = page.run("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} wide in a window of {width}"
            page.close()
        page = self.chrome.open(path, 1400, 1000, False, ready, **how)
        page.screenshot(self.pictures and Path(self.pictures) / f"{name}-1400-light.png")
        contrast(page)
        page.check()
        return page

    # Parts.

    def view(self):
        out = self.work / "page.html"
        self.run("view", PAGES, "--id", "testdata-0001", "--gold", GOLD, "--pipeline", "default", "--pipeline", "numwords",
                 "--out", out)
        page = self.look(out, "view", READY)
        data = page.run("data.page.blocks")
        kept = [mark == "1" for mark in data["kept"]]
        n = len(kept)
        assert page.run("document.querySelectorAll('.row').length") == n
        assert page.run("document.getElementById('kept').textContent") == str(sum(kept))
        # The text beside is the cleaned one.
        self.run("extract", PAGES, "--to", "txt", "--names", "id", "--out", self.work / "texts", codes=(0, 10))
        [text] = (self.work / "texts").rglob("testdata-0001.txt")
        words = text.read_text().split()
        shown = page.run("document.getElementById('out').textContent").split()
        assert shown == words, (shown[:20], words[:20])
        shown = "[...document.querySelectorAll('.row')].filter(r => !r.hidden).map(r => r.index)"

        def press(name):
            page.run(f"[...document.querySelectorAll('.bar .group button')].find(b => b.textContent === '{name}').click()")
            return page.run(shown)

        assert press("Kept") == [i for i in range(n) if kept[i]]
        assert press("Dropped") == [i for i in range(n) if not kept[i]]
        runs = page.run("data.page.references[0].blocks")
        inside = [sum(r[1::2]) for r in runs]
        outside = [sum(r[0::2]) for r in runs]
        assert press("Missing") == [i for i in range(n) if not kept[i] and inside[i]]
        assert press("Extra") == [i for i in range(n) if kept[i] and outside[i]]
        # Of the rows that are shown, one is reached by Tab.
        press("Kept")
        tabs = "[...document.querySelectorAll('.row[tabindex=\"0\"]')].map(r => r.hidden)"
        assert page.run(tabs) == [False]
        assert press("All") == list(range(n))
        # The slider keeps what its threshold says.
        for threshold in [0, 300, 950, 1000]:
            page.run(f"(s => {{ s.value = {threshold}; s.dispatchEvent(new Event('input')); }})(document.querySelector('input[type=range]'))")
            now = page.run("[...document.querySelectorAll('.row')].map(r => r.classList.contains('keep'))")
            assert now == [score >= threshold for score in data["score"]], threshold
            assert page.run("document.getElementById('kept').textContent") == str(sum(now))
        page.key("0")
        assert page.run("[...document.querySelectorAll('.row')].map(r => r.classList.contains('keep'))") == kept
        # The slider starts at the page's cut, and what explains a block follows its label.
        cut = data["cut"]
        assert page.run("Number(document.querySelector('input[type=range]').value)") == cut // 10 * 10
        at = next(i for i in range(n) if kept[i] and cut <= data["score"][i] < 990)
        page.run(f"document.querySelectorAll('.row')[{at}].focus()")
        assert "kept" in page.run("document.querySelector('.verdict').textContent")
        page.run("(s => { s.value = 1000; s.dispatchEvent(new Event('input')); })(document.querySelector('input[type=range]'))")
        assert "dropped" in page.run("document.querySelector('.verdict').textContent")
        page.key("0")
        assert page.run("document.querySelectorAll('.moved li').length") == len(data["moved"][at])
        # A rule that decided is named, and unsure is what is near the cut.
        ruled = [i for i in range(n) if (data["score"][i] >= cut) != kept[i]]
        for i in ruled:
            page.run(f"document.querySelectorAll('.row')[{i}].focus()")
            assert page.run("document.querySelector('.reason').textContent") == data["why"][i]
        ruled = [i for i in ruled if abs(data["score"][i] - cut) > 5]
        far = [1 if i in ruled else (s - cut) / (1000 - cut) if s >= cut else (cut - s) / cut for i, s in enumerate(data["score"])]
        page.run("document.querySelectorAll('.row')[0].focus()")
        for i in [i for i in range(1, n) if far[i] < 0.6][:5]:
            page.key("u")
            assert page.run("document.activeElement.index") == i
        # A pointer explains what it is moved to, and leaves the block with the focus as it was.
        page.run("document.querySelectorAll('.row')[1].focus(); window.scrollTo(0, 0)")
        x, y = page.run("(r => [r.left + 30, r.top + 5])(document.querySelectorAll('.row')[3].getBoundingClientRect())")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        verdict = "document.querySelector('.verdict').textContent"
        page.until(lambda: "Block 4," in page.run(verdict))
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
        page.until(lambda: "Block 2," in page.run(verdict))
        # Search, reasons and scores.
        page.run("(s => { s.value = 'no such text'; s.dispatchEvent(new Event('input')); })(document.querySelector('input[type=search]'))")
        assert page.run(shown) == [] and page.run("document.querySelector('.blocks .empty').checkVisibility()")
        assert page.run("!document.querySelector('.verdict')"), "a block that is hidden is not explained"
        page.run("(s => { s.value = 'HARBOUR'; s.dispatchEvent(new Event('input')); })(document.querySelector('input[type=search]'))")
        assert page.run(shown) == [i for i in range(n) if "harbour" in data["text"][i].lower()]
        page.run("(s => { s.value = ''; s.dispatchEvent(new Event('input')); })(document.querySelector('input[type=search]'))")
        page.run("(s => { s.value = '0.5'; s.dispatchEvent(new Event('input')); })(document.querySelector('.bound'))")
        assert page.run(shown) == [i for i in range(n) if data["score"][i] >= 500]
        page.run("(s => { s.value = '0'; s.dispatchEvent(new Event('input')); })(document.querySelector('.bound'))")
        # Keys alone.
        page.run("document.querySelectorAll('.row')[0].focus()")
        page.key("j", "j", "k")
        assert page.run("document.activeElement.index") == 1
        assert "Block 2" in page.run("document.querySelector('.details').textContent")
        # What explains a block does not hide it, in a narrow window either.
        hidden = """[...document.querySelectorAll('.row')].filter(r => { r.focus(); r.scrollIntoView({ block: 'nearest' });
            return r.getBoundingClientRect().bottom > document.querySelector('.details').getBoundingClientRect().top + 1; }).length"""
        page.call("Emulation.setDeviceMetricsOverride", width=400, height=700, deviceScaleFactor=1, mobile=False)
        assert page.run(hidden) == 0
        page.call("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)
        page.run("document.querySelectorAll('.row')[1].focus()")
        # Tabs go by arrows, and keys work after a menu is used.
        page.run("document.querySelector('[role=tab]').focus()")
        page.key("ArrowRight")
        assert page.run("document.activeElement.textContent + document.querySelector('#out').className") == "Markdownout markdown"
        page.key("ArrowLeft")
        page.run("(s => { s.focus(); s.value = ''; s.dispatchEvent(new Event('change')); })(document.querySelector('select[aria-label=Reason]'))")
        assert page.run("document.activeElement.tagName") == "BODY"
        page.run("document.querySelectorAll('.row')[1].focus()")
        page.key("m")
        at = page.run("document.activeElement.index")
        assert (not kept[at] and inside[at]) or (kept[at] and outside[at]), at
        page.key("t")
        assert page.run("document.querySelectorAll('.out.markdown h1, .out.markdown h2, .out.markdown p').length") > 0
        page.key("t")
        gold = json.loads(next(line for line in open(GOLD) if "testdata-0001" in line))
        text = next(gold[k] for k in ("main_content", "gold", "text") if k in gold)
        assert page.run("document.getElementById('out').textContent") == text
        assert page.run("document.querySelector('.right h2').textContent") == "gold"
        page.key("t", "r")
        assert page.run("document.querySelector('select[aria-label=\"Compare with\"]').value") == "1"
        # Where nothing is kept, and where the pipeline has no cut, blocks are unsure all the same.
        near = self.work / "near.html"
        near.write_text("<p>Not found here.")
        self.run("label", near, "--out", self.work / "near")
        empty = self.chrome.open(self.work / "near/label.html", ready=READY)
        assert empty.run("[labeller.list.kept[0], labeller.list.isUnsure(0), labeller.list.blocks.cut]") == [False, True, 1000]
        empty.close()
        self.run("view", PAGES, "--id", "testdata-0001", "--pipeline", "crf", "--out", self.work / "crf.html")
        crf = self.chrome.open(self.work / "crf.html", ready=READY)
        assert crf.run("data.page.blocks.cut") is None
        unsure = crf.run("data.page.blocks.score.filter(s => s > 350 && s < 650).length")
        crf.run("document.querySelectorAll('.row')[0].focus()")
        seen = set()
        for _ in range(unsure):
            crf.key("u")
            seen.add(crf.run("document.activeElement.index"))
        assert len(seen) >= unsure - 1, (seen, unsure)
        crf.close()
        page.call("Page.bringToFront")
        # Measures are those of eval.
        report = json.loads(self.run("eval", PAGES, "--gold", GOLD, "--worst", "9", "--json", codes=(0, 10)))
        f1 = next(w["f1"] for w in report["worst"] if w["id"] == "testdata-0001")
        assert abs(page.run("data.page.references[0].measures.f1") - f1) < 1e-9
        page.close()

    def folder(self):
        out = self.work / "worst"
        self.run("view", PAGES, "--gold", GOLD, "--worst", "3", "--out", out)
        page = self.look(out / "index.html", "index")
        losses = page.run("data.lines.map(l => 1 - l.f1)")
        assert losses == sorted(losses, reverse=True) and len(losses) == 3
        page.run("[...document.querySelectorAll('th button')].find(b => b.textContent === 'Words kept').click()")
        words = page.run("[...document.querySelectorAll('tbody tr')].map(r => Number(r.children[6].textContent.replace(/,/g, '')))")
        assert sorted(words, reverse=True) == words or sorted(words) == words
        page.close()
        first = self.chrome.open(out / "page-0001.html", ready=READY)
        assert first.run("document.querySelector('[rel=next]').getAttribute('href')") == "page-0002.html"
        first.close()
        self.run("view", "testdata/pages", "--out", self.work / "pages", codes=(0, 10))
        page = self.chrome.open(self.work / "pages/index.html")
        assert page.run("data.lines.length") > 15
        page.close()

    def report(self):
        corpus = self.work / "corpus"
        self.run("clean", CRAWL, "--out", corpus, codes=(10,))
        out = self.work / "report.html"
        self.run("report", corpus, "--out", out, codes=(10,))
        page = self.look(out, "report")
        rows = [json.loads(path.read_text()) for path in sorted((corpus / "_manifest").rglob("*.json"))]
        read, pages = (lambda key: sum(r["read"][key] for r in rows)), (lambda key: sum(r["pages"][key] for r in rows))
        shown = page.run("Object.fromEntries([...document.querySelectorAll('[data-sum]')].map(e => [e.dataset.sum, e.textContent]))")
        number = lambda text: int(text.replace(",", "").removesuffix(" B"))  # noqa: E731
        skips = {}
        for row in rows:
            for reason, n in row["pages"]["skips"].items():
                skips[reason] = skips.get(reason, 0) + n
        expected = {
            "Bytes of the inputs": read("compressed_bytes"), "Bytes of the inputs/in members": read("member_bytes"),
            "Bytes of the inputs/damaged": read("damaged_bytes"), "Decoded bytes": read("decoded_bytes"),
            "Decoded bytes/in records": read("record_bytes"), "Decoded bytes/garbage": read("garbage_bytes"),
            "Records": read("records"), "Records/pages": pages("pages"), "Records/others": pages("other_records"),
            "Pages": pages("pages"), "Pages/documents": pages("documents"), "Documents": pages("documents"),
            "Documents/with content": pages("documents") - pages("empty_documents"), "Documents/without": pages("empty_documents"),
            "Blocks": pages("blocks"), "Blocks/content": pages("content_blocks"),
            "Blocks/boilerplate": pages("blocks") - pages("content_blocks"),
            **{f"Pages/skipped: {reason}": n for reason, n in skips.items()},
        }
        assert {key: number(text) for key, text in shown.items()} == expected
        assert page.run("data.runs[0].differing") == [] and page.run("data.runs[0].documents.rows") == pages("documents")
        faults = page.run("data.runs[0].ledger.faults")
        assert sum(kind["count"] for kind in faults.values()) == read("fault_count")
        # A sampled page opens into its blocks.
        page.run("[...document.querySelectorAll('.page')].forEach(p => { p.open = true; })")
        page.until(lambda: page.run("[...document.querySelectorAll('.page')].every(p => p.querySelector('.command'))"))
        assert page.run("document.querySelectorAll('.page .row').length") > 50
        page.close()
        page = self.chrome.open(out, 1280, 900, False)
        cut = "[...document.querySelectorAll('.small-table .scroll')].filter(t => t.scrollWidth > t.clientWidth).length"
        assert page.run(cut) == 0, "a table of languages, types or encodings is cut off"
        page.close()
        again = self.work / "again.html"
        self.run("report", corpus, "--out", again, "--threads", "1", codes=(10,))
        assert again.read_bytes() == out.read_bytes(), "the same bytes with any number of threads"
        self.run("relabel", corpus, "--pipeline", "numwords", "--out", self.work / "other", codes=(10,))
        self.run("report", corpus, "--compare", self.work / "other", "--out", self.work / "two.html", codes=(10,))
        page = self.look(self.work / "two.html", "compare")
        assert page.run("document.querySelectorAll('.compare tbody tr').length") > 10
        page.run("document.querySelector('.page').open = true")
        page.until(lambda: page.run("!!document.querySelector('.command')"))
        command = page.run("document.querySelector('.command').textContent")
        assert " --id=" in command and " --pipeline=default" in command, command
        # In print the heads of columns are there.
        page.call("Emulation.setEmulatedMedia", media="print", features=[])
        assert page.run("[...document.querySelectorAll('th button')].every(b => getComputedStyle(b).display !== 'none')")
        page.close()

    def evaluation(self):
        out = self.work / "eval.html"
        arguments = ["eval", PAGES, "--gold", GOLD, "--pipeline", "default", "--pipeline", "numwords"]
        self.run(*arguments, "--html", out, "--worst", "3", codes=(0, 10))
        page = self.look(out, "eval")
        report = json.loads(self.run(*arguments, "--json", codes=(0, 10)))
        assert page.run("data.summaries") == report["summaries"]
        assert page.run("document.querySelectorAll('svg.plot').length") == 2
        links = page.run("[...document.querySelectorAll('[id^=worst] a')].map(a => a.getAttribute('href'))")
        assert len(links) == 6 and all((self.work / link).is_file() for link in links), links
        ids = page.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
        assert len(ids) == len(set(ids)), ids
        page.close()
        page = self.chrome.open(self.work / links[0], ready=READY)
        page.close()
        # Of several gold files each is a set.
        lines = open(GOLD).readlines()
        for name, part in [("odd", lines[::2]), ("even", lines[1::2])]:
            (self.work / f"{name}.gold.jsonl").write_text("".join(part))
        golds = [word for name in ["odd", "even"] for word in ("--gold", self.work / f"{name}.gold.jsonl")]
        self.run("eval", PAGES, *golds, "--html", self.work / "sets.html", "--worst", "0", codes=(0, 10))
        page = self.chrome.open(self.work / "sets.html")
        heads = page.run("[...document.querySelectorAll('#set th')].map(h => h.textContent)")
        assert [head.split(" ")[0] for head in heads] == ["pipeline", "odd", "even"], heads
        page.close()

    def reload(self, page):
        """Loads the labeller anew, and waits until it is another document that answers."""
        page.run("window.before = true; location.reload()")
        page.until(lambda: page.run(f"!window.before && typeof labeller === 'object' && Boolean({READY})"))

    def label(self):
        self.run("label", PAGES, "--sample", "4", "--out", self.work / "gold")
        file = self.work / "gold/label.html"
        page = self.look(file, "label", READY)
        ready = lambda: page.until(lambda: page.run(READY))  # noqa: E731
        labels = lambda: page.run("labeller.list.kept.map(k => k ? '1' : '0').join('')")  # noqa: E731
        # Every page as the pipeline left it is what the pipeline gives.
        for _ in range(4):
            ready()
            page.key("Enter")
        lines = page.run("labeller.goldLines()")
        gold = self.work / "gold/gold.jsonl"
        gold.write_text(lines)
        assert len(lines.splitlines()) == 4
        report = json.loads(self.run("eval", PAGES, "--gold", gold, "--json", codes=(0, 10)))
        everything = next(s for s in report["summaries"] if s["page_type"] is None)
        assert everything["pages"] == 4 and everything["f1"] > 0.999, everything["f1"]
        # Keys label, undo and redo.
        self.reload(page)
        assert page.run("labeller.work.every(w => w.done)"), "the browser kept it"
        # A key that is held down does not label what nobody has seen.
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true }))")
        assert page.run("labeller.work.every(w => w.done)")
        # A page is not done any more, and done again.
        page.key("Enter")
        assert page.run("labeller.work.map(w => w.done)") == [False, True, True, True]
        page.run("document.querySelector('button.chip').click()")
        assert page.run("labeller.work.every(w => w.done)")
        # An entry that is broken loses its own page alone.
        page.run("localStorage.setItem(Object.keys(localStorage).find(k => k.endsWith('-0')), '{')")
        self.reload(page)
        assert page.run("labeller.work.map(w => w.done)") == [False, True, True, True]
        before = labels()
        page.key("j", " ")
        assert labels()[0] != before[0] and labels()[1:] == before[1:]
        # What is changed is marked, also after the page was left; the text beside follows.
        marked = "[...document.querySelectorAll('.row.edited')].map(r => r.index)"
        assert page.run(marked) == [0]
        page.key("n", "p")
        ready()
        assert page.run(marked) == [0]
        texts = page.run("labeller.list.blocks.text")
        assert page.run("[...document.querySelectorAll('#out .chunk')].map(c => c.textContent).join('')").replace("\n", "") == "".join(t for t, k in zip(texts, labels()) if k == "1").replace("\n", "")
        page.run("labeller.list.go(0)")
        page.key("z")
        assert labels() == before
        page.key("Z")
        assert labels()[0] != before[0]
        page.key("z", "j", "B")
        assert "1" not in labels()[1:2]
        page.key("z")
        # A label is extended over a range, and headings are steps.
        page.run("labeller.list.go(0)")
        page.key(" ", "j", "j", "e")
        flipped = "0" if before[0] == "1" else "1"
        assert labels() == 3 * flipped + before[3:], labels()
        page.key("z", "z")
        assert labels() == before
        page.run("labeller.list.go(0)")
        page.key("h")
        kinds = page.run("labeller.list.blocks.kind")
        headings = [i for i, kind in enumerate(kinds) if i > 0 and kind in ("h1", "h2", "h3", "h4", "h5", "h6")]
        assert page.run("labeller.list.at") == (headings[0] if headings else 0)
        page.key("2")
        assert page.run("labeller.work[labeller.at].type") == "forum"
        # What was saved can be gone on with, and changed labels are other gold.
        page.key("j", "c")
        changed = page.run("labeller.goldLines()")
        assert changed != lines
        page.close()
        # What one file keeps, another one does not take over: neither of a copy, nor of pages with the same ids.
        (self.work / "copy").mkdir()
        (self.work / "copy/label.html").write_bytes(file.read_bytes())
        other = self.chrome.open(self.work / "copy/label.html", ready=READY)
        assert other.run("labeller.work.filter(w => w.done).length") == 0
        wrong = "".join(json.dumps({**json.loads(line), "gold": "another text"}) + "\n" for line in lines.splitlines())
        for lines_to_open, done in [(wrong, 0), (lines, 4)]:
            (self.work / "opened.jsonl").write_text(lines_to_open)
            root = other.call("DOM.getDocument")["root"]["nodeId"]
            field = other.call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
            other.call("DOM.setFileInputFiles", nodeId=field, files=[str(self.work / "opened.jsonl")])
            other.until(lambda: "taken from opened.jsonl" in other.run("document.querySelector('.message').textContent"))
            assert other.run("labeller.work.filter(w => w.done).length") == done
            other.run("document.querySelector('.message').textContent = ''")
        other.close()
        for text in ["one", "two"]:
            (self.work / text).mkdir()
            (self.work / text / "p1.html").write_text(f"<title>Page</title><p>Text {text} of a page, which is the same but for a word.")
            self.run("label", "p1.html", "--out", "gold", folder=self.work / text)
        keys = [json.loads((self.work / text / "gold/label.html").read_text().split('id="data">')[1].split("</script>")[0])["key"] for text in ["one", "two"]]
        assert keys[0] != keys[1]

    def attacks(self):
        """Vectors as title, address, text, names of classes and files: none runs, none becomes an element."""
        assert len(VECTORS) >= 60
        folder = self.work / "attacks"
        folder.mkdir()
        records = []
        for n, vector in enumerate(VECTORS):
            line = vector.replace("\n", " ").replace("\t", " ")
            escaped = html.escape(vector)
            body = (f"<html><head><title>{escaped}</title></head><body class=\"{escaped}\"><h1>{escaped}</h1>"
                    f"<p>{escaped} and some more words for a block of text that is long enough to be kept by anyone.</p>"
                    f"<pre>{escaped}</pre><p><a href=\"{escaped}\">{escaped}</a> <img src=\"{escaped}\" alt=\"{escaped}\"></p>{vector}</body></html>").encode()
            head = (f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {n}-{line}\r\nWARC-Target-URI: http://h{n}.example/{line}\r\n"
                    f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n").encode()
            records.append(head + body + b"\r\n\r\n")
        name = "<img src=x onerror=window.pwned=1>\"'&.warc.gz"
        crawl = folder / name
        crawl.write_bytes(b"".join(gzip.compress(r, mtime=0) for r in records))
        ids = [f"{n}-{v}".replace("\n", " ").replace("\t", " ") for n, v in enumerate(VECTORS)]
        gold = folder / "gold.jsonl"
        gold.write_text("".join(json.dumps({"id": i, "gold": v, "page_type": v[:60]}) + "\n" for i, v in zip(ids, VECTORS)))
        self.run("view", crawl, "--gold", gold, "--first", "200", "--out", folder / "views", codes=(0, 10))
        self.run("clean", crawl, "--out", folder / "corpus", codes=(0, 10))
        self.run("report", folder / "corpus", "--out", folder / "report.html", codes=(0, 10))
        self.run("eval", crawl, "--gold", gold, "--html", folder / "eval.html", "--worst", "200", codes=(0, 10))
        self.run("label", crawl, "--sample", "200", "--out", folder / "label", codes=(0, 10))
        views = sorted((folder / "views").glob("page-*.html"))
        assert len(views) == len(VECTORS), len(views)
        step = 1 if self.full else 9
        files = [*views[::step], folder / "views/index.html", folder / "report.html", folder / "eval.html", folder / "label/label.html"]
        for file in files:
            is_list = file.parent == folder / "views" and file.name.startswith("page") or file.name == "label.html"
            page = self.chrome.open(file, ready=READY if is_list else "true")
            if file.name.startswith("page"):
                page.key("t")
                page.key("t")
                page.key("j", "j")
            if file.name == "report.html":
                page.run("[...document.querySelectorAll('details')].forEach(p => { p.open = true; })")
            if file.name == "label.html":
                for _ in range(len(VECTORS) if self.full else 5):
                    page.until(lambda: page.run(READY))
                    page.key("j", "c", "n")
            assert page.run("window.pwned === undefined"), file
            strange = page.run("document.querySelectorAll('img, image, iframe, object, embed, form, video, audio, template, math, base, link, marquee, foreignObject, use, animate, set, script:not(#data):not(:last-of-type)').length")
            assert strange == 0, f"{file}: {strange} elements of the page's"
            assert page.run("document.querySelectorAll('script').length") == 2
            page.close()

    def troubles(self):
        """A crawl with five troubles: the report names each, and where it is."""
        crawl = self.work / "troubled"
        crawl.mkdir()
        sentence = "In the {n}th year the harbour board of {host} counted {k} boats, and nobody asked why the tide tables were late."

        def record(number, host, n):
            text = "".join(f"<p>{' '.join(sentence.format(n=n, host=host, k=k * 7 + p) for k in range(4))}</p>" for p in range(5))
            body = f"<html><head><title>Page {n}</title></head><body><nav><a href=/>Home</a></nav><article><h1>Page {n} of {host}</h1>{text}</article></body></html>"
            if host == "wall.example":
                body = "<html><head><title>Please wait</title></head><body><div id=app></div><script src=/app.js></script><noscript>Enable JavaScript</noscript></body></html>"
            data = body.encode()
            if host == "wrong.example":
                # Windows-1251 that says it is UTF-8.
                data = body.replace("harbour", "\u0433\u0430\u0432\u0430\u043d\u044c").replace("boats", "\u043b\u043e\u0434\u043e\u043a").encode("cp1251")
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + data
            head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{number}-{host}-{n}>\r\nWARC-Target-URI: https://{host}/{number}/{n}\r\n"
                    f"WARC-Date: 2024-03-{1 + n % 28:02}T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n").encode()
            return gzip.compress(head + http + b"\r\n\r\n", mtime=0)

        hosts = ["one.example", "two.example", "three.example", "wall.example", "wrong.example"]
        for number in range(8):
            members = [record(number, host, n) for n in range(8) for host in hosts]
            if number == 2:  # Damaged in the middle.
                member = bytearray(members[20])
                member[40:60] = b"\xff" * 20
                members[20] = bytes(member)
            if number == 5:  # Never came.
                continue
            if number == 6:  # Cut at the border of a record.
                members = members[:1]
            (crawl / f"{number:02}.warc.gz").write_bytes(b"".join(members))
        corpus, out = self.work / "troubled-corpus", self.work / "troubled.html"
        self.run("clean", crawl, "--out", corpus, codes=(10,))
        self.run("report", corpus, "--out", out, codes=(10,))
        page = self.chrome.open(out)
        shown = page.run("[...document.querySelectorAll('.findings li')].map(f => f.textContent)")
        for what in [("damaged", "02.warc.gz"), ("missing in a sequence", "05.warc.gz"), ("far smaller", "06.warc.gz"),
                     ("wall.example", "nothing is kept"), ("malformed_text",)]:
            assert any(all(word in finding for word in what) for finding in shown), (what, shown)
        page.close()

    def large(self):
        """A page of 50,000 blocks."""
        page = self.work / "large.html"
        parts = []
        for n in range(50_000):
            words = " ".join(["alpha beta gamma delta", "one two three"][k % 2] for k in range(1 + n % 9))
            parts.append(f"<p>Block {n} {words}.</p>" if n % 3 else f"<li><a href=/{n}>Link {n}</a></li>")
        page.write_text("<title>Large</title><h1>Large</h1>" + "".join(parts))
        pipeline = self.work / "large.toml"
        pipeline.write_text("max_elements = 1000000\n[[step]]\nmethod = 'forest'\n")
        out = self.work / "large-view.html"
        self.run("view", page, "--pipeline", pipeline, "--pipeline", "keep-all", "--out", out)
        self.chrome.trace()
        shown = self.chrome.open(out)
        figures = shown.run("""new Promise(done => { const long = []; new PerformanceObserver(list => long.push(...list.getEntries().map(e => Math.round(e.duration)))).observe({type: 'longtask', buffered: true});
            const wait = () => document.querySelectorAll('.row').length < data.page.blocks.text.length ? setTimeout(wait, 100) : done({ paint: Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime), all: Math.round(performance.now()), rows: document.querySelectorAll('.row').length, long }); wait(); })""")
        opening = self.chrome.longest_task()
        scroll = """new Promise(done => { const frames = []; let last = performance.now(); const step = () => { const now = performance.now(); frames.push(now - last); last = now; window.scrollBy(0, 800);
            frames.length < 200 ? requestAnimationFrame(step) : done({ longest: Math.round(Math.max(...frames.slice(2))), over50: frames.filter(f => f > 50).length }); }; requestAnimationFrame(step); })"""
        frames = shown.run(scroll)
        self.chrome.trace()
        shown.run(scroll)
        scrolling = self.chrome.longest_task()
        print(f"50,000 blocks: {out.stat().st_size / 1e6:.1f} MB, first paint {figures['paint']} ms, all rows {figures['all']} ms, "
              f"long tasks {figures['long']} ms; scrolling: longest frame {frames['longest']} ms, {frames['over50']} of 200 over 50 ms; "
              f"longest task in processor time: {opening:.0f} ms opening, {scrolling:.0f} ms scrolling")
        assert figures["rows"] > 50_000 and figures["paint"] < 10_000
        # The time on the clock depends on what else the machine does.
        assert scrolling < 100, "the page stutters"
        # Neither do the text of the other pipeline and the slider make it stutter.
        shown.run("document.querySelector('.blocks').scrollIntoView()")
        self.chrome.trace()
        shown.key("t", "t")
        shown.until(lambda: len(shown.run("document.getElementById('out').textContent.slice(-40)")) > 0 and shown.run("!running.size"))
        for _ in range(3):
            shown.key("]")
        shown.until(lambda: shown.run("!running.size"))
        moving = self.chrome.longest_task()
        print(f"another text and the slider: longest task {moving:.0f} ms of processor time")
        assert moving < 100, "the page stutters"
        shown.key("j", "j")
        assert shown.run("document.activeElement.index") == 1
        # Of blocks that are not explained it is said why.
        why = shown.run("data.page.blocks.unexplained")
        shown.run("document.querySelectorAll('.row')[49000].focus()")
        assert why and why in shown.run("document.querySelector('.reason').textContent")
        shown.close()


READY = "!!document.querySelector('.blocks') && document.querySelectorAll('.row').length >= (window.labeller ? labeller.list.size : data.page.blocks.text.length)"

# Ratio of the contrast of WCAG 2, of text that is seen against the first opaque colour behind it.
CONTRAST = """(() => {
  const parse = (c) => { const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1; const x = canvas.getContext('2d', { willReadFrequently: true }); x.fillStyle = c; x.fillRect(0, 0, 1, 1); return [...x.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }; return .2126 * f(r) + .7152 * f(g) + .0722 * f(b); };
  const bad = new Map();
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  let n = 0;
  while (walker.nextNode() && n < 1500) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('.unseen, :disabled, .off, svg, [aria-hidden=true]')) continue;
    n += 1;
    const style = getComputedStyle(element);
    let behind = element, back = [0, 0, 0, 0];
    while (behind && (back = parse(getComputedStyle(behind).backgroundColor))[3] < 255) behind = behind.parentElement;
    if (!behind) continue;
    const [a, b] = [light(parse(style.color)), light(back)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) bad.set(element.className + ' ' + element.tagName, ratio.toFixed(2) + ' ' + walker.currentNode.data.slice(0, 30));
  }
  return [...bad];
})()"""


def contrast(page):
    for scheme in ["light", "dark"]:
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        bad = page.run(CONTRAST)
        assert not bad, f"{page.address}, {scheme}: {bad}"
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])


PARTS = ["view", "folder", "report", "troubles", "evaluation", "label", "attacks", "large"]


def main():
    program, *rest = sys.argv[1:]
    found = chromium.find()
    if not found:
        print("look-test: SKIPPED, there is no Chromium; Debian: apt install chromium, or set WARCSIEVE_BROWSER=/path/to/it")
        return
    pictures = None
    if "--pictures" in rest:
        at = rest.index("--pictures")
        pictures = rest[at + 1]
        Path(pictures).mkdir(parents=True, exist_ok=True)
        rest[at:at + 2] = []
    short = rest == ["short"]
    parts = PARTS[:-1] if short else rest or PARTS
    chrome = chromium.Browser(found)
    try:
        with tempfile.TemporaryDirectory(prefix="warcsieve-look-") as work:
            test = Test(os.path.abspath(program), chrome, work, pictures)
            test.full = not short
            for part in parts:
                getattr(test, part)()
                print(f"look-test: {part} passed", flush=True)
    finally:
        chrome.close()


main()
