#!/usr/bin/env python3
"""Runs `warcsieve clean` over many files, one Spark task per file.

  spark-submit --files warcsieve spark_clean.py clean @list --out /data/corpus
  python3 spark_clean.py clean crawl/ --out corpus/ --engine local     # the same tasks without Spark

Each task runs the program as a child process on one input, under the name that the input has in a run over the whole
list. So the outputs are those of one machine, byte for byte, and a page that crashes or hangs costs an attempt, but no
executor. At the end the driver seals the folder, prints the sums of the ledger, and removes what killed attempts left.
After a failure, run it again: what is done is kept. Exit codes are those of `warcsieve clean`. It needs Python 3.8.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DONE, INTEGRITY, USAGE, FAULTY, UNUSABLE, TEMPORARY = ALL = 0, 1, 2, 10, 42, 75
# This process becomes the program. On Linux it ends together with the process that started it, so none is left when
# Spark kills a task. If memory runs out, it is the first process to be ended, so that the executor continues.
LAUNCH = """
import contextlib, os, signal, sys
for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(ignored_by_python, signal.SIG_DFL)
with contextlib.suppress(AttributeError, ImportError, OSError):
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    open("/proc/self/oom_score_adj", "w").write("1000")
if os.getppid() != int(sys.argv[1]):
    sys.exit(75)
try:
    os.execv(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(print(error, file=sys.stderr) or 2)
"""
# Seconds that the sweep waits for writers that are about to be killed, and a task for a recipe on a slow file system.
PATIENCE = 30

# What all tasks have in common. Program, pipeline and index files may be in another place on each machine.
Job = collections.namedtuple("Job", "binary out recipe base pipeline select threads timeout redo")


class Again(Exception):
    """An attempt failed, but another attempt may succeed."""


def say(line, code=None):
    print(f"spark_clean: {line}", file=sys.stderr, flush=True)
    if code is not None:
        raise SystemExit(code)


def shipped(name):
    """The file with this name on this machine: at this path, or where `--files` of spark-submit put it."""
    paths = [name, os.path.basename(name)]
    if "pyspark" in sys.modules:
        from pyspark import SparkFiles
        with contextlib.suppress(AssertionError, AttributeError):  # no Spark in this process
            paths.append(os.path.join(SparkFiles.getRootDirectory(), os.path.basename(name)))
    return next((os.path.abspath(path) for path in paths if os.path.isfile(path)), None)


def program(binary):
    """The program on this machine, or `None`."""
    return shipped(binary) or shutil.which(os.path.basename(binary))


def recipe_options(select, pipeline=None):
    files = [("--select", index) for index in select] + [("--pipeline", pipeline)] * bool(pipeline)
    return [word for option, name in files for word in (option, shipped(name) or name)]


class Children:
    """The processes that this process started. They are killed when it must end."""

    def __init__(self):
        self.live, self.stopped = set(), False

    def run(self, command, timeout, path):
        """Runs a command in a process group of its own, with `path` as a list on its standard input. Returns its exit
        code, negative for a signal, `None` after `timeout` seconds; what it printed, and the end of what it said."""
        # A path that would be read as something else is a JSON string.
        line = path if re.fullmatch(r"[^\s#\"\ufeff]([^\r\n]*\S)?", path) else json.dumps(path)
        launch, code = [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid())], None
        with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
            lines.write(os.fsencode(line + "\n"))
            lines.seek(0)
            child = subprocess.Popen(launch + command, stdin=lines, stdout=out, stderr=log, start_new_session=True)
            self.live.add(child)
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = child.wait(0 if self.stopped else timeout or None)
            finally:
                self.kill(child)
                self.live.discard(child)
            out.seek(0)
            log.seek(max(0, log.seek(0, os.SEEK_END) - 4000))
            return code, out.read(), log.read().decode(errors="replace").strip()

    def kill(self, child):
        """Kills a child, if it has not ended, with all processes that it started."""
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait(30)

    def stop(self):
        self.stopped = True  # first, for a child that is not among the live ones yet
        for child in list(self.live):
            self.kill(child)


def read_recipe(out):
    with contextlib.suppress(OSError), open(os.path.join(out, "_recipe.json"), "rb") as file:
        return file.read()


def look_around(job):
    """Fails if this machine can clean no input although other machines may. A folder that is not mounted would be made on
    the machine's own disk."""
    if program(job.binary) is None:
        raise OSError(f"there is no {job.binary} here: ship it with --files, or give its path as --binary")
    end = time.monotonic() + PATIENCE
    while job.recipe is not None and read_recipe(job.out) != job.recipe:
        if time.monotonic() > end:
            raise OSError(f"{job.out} has not the _recipe.json that the driver sees there: is the folder mounted here?")
        time.sleep(1)
    if job.recipe is not None and not os.access(job.out, os.W_OK | os.X_OK):
        raise OSError(f"{job.out} cannot be written to here")


def try_once(job, item, children):
    """The outcome, exit code, row and log of one run of the program."""
    look_around(job)
    command = [program(job.binary), "clean", "@/dev/stdin", "--out", job.out, "--base", job.base, "--no-seal", "--quiet",
               "--threads", str(job.threads), *recipe_options(job.select, job.pipeline),
               *["--partial"] * bool(job.select), *["--redo"] * job.redo]
    code, _, log = children.run(command, job.timeout, item["path"])
    if code in (DONE, FAULTY, UNUSABLE):
        command = [program(job.binary), "status", job.out, "--inputs", "@/dev/stdin", "--base", job.base, "--json"]
        line = children.run(command, 600, item["path"])[1].partition(b"\n")[0]
        row = json.loads(line) if line else {}
        if "read" in row:
            pages, read = row["pages"], row["read"]
            row = {"pages": pages["pages"], "documents": pages["documents"], "faults": read["fault_count"]}
            return ("unusable", code, row, log) if code == UNUSABLE else ("done", code, row, "")
        log = f"exit code {code}, but {job.out} has no manifest row of it\n{log}"
    if code is None or code < 0:
        why = f"after {job.timeout} s (--task-timeout)" if code is None else f"by {signal.Signals(-code).name}"
        return "crashed", code, None, f"killed {why}\n{log}"
    return {UNUSABLE: "unreadable", USAGE: "refused", INTEGRITY: "refused"}.get(code, "failed"), code, None, log


def attempt(job, item, number, last, children=None):
    """One attempt at one input. Returns its result. If it failed, raises `Again`, except in the last attempt."""
    start = time.monotonic()
    try:
        outcome, code, row, log = try_once(job, item, children or Children())
    except Exception as error:  # no process to be had, a full disk: an error here would count against the whole job
        outcome, code, row, log = "failed", None, None, f"{type(error).__name__}: {error}"
    result = {"input": item["input"], "outcome": outcome, "code": code, "row": row, "log": log.strip(),
              "attempt": number, "seconds": round(time.monotonic() - start, 2), "ended": round(time.time(), 2),
              "host": os.uname().nodename, "executor": os.getppid(), "pid": os.getpid()}  # of a Python worker of Spark
    # Another machine may have a file that is missing here.
    if outcome in ("failed", "crashed", "unreadable") and not last:
        raise Again(json.dumps(result))
    return result


def run_in_spark(spark, job, items):
    """Runs one task per input. Returns the results of the tasks that ended."""
    from pyspark import AccumulatorParam, TaskContext
    context = spark.sparkContext
    # It is counted once per task, whichever of its attempts wins, and is available before the job is over.
    results = context.accumulator([], type("Results", (AccumulatorParam,), {
        "zero": lambda *_: [], "addInPlace": lambda _, value, more: value.extend(more) or value})())
    # For a `local` master the number of attempts is in its brackets.
    local = re.fullmatch(r"local(?:\[[^,\]]*(?:,\s*(\d+)\s*)?\])?", context.master)
    attempts = int(local.group(1) or 1 if local else context.getConf().get("spark.task.maxFailures", "4"))

    def task(partition):
        number = TaskContext.get().attemptNumber()
        for item in partition:
            # After the last attempt, an error would end the whole job.
            results.add([attempt(job, item, number, number + 1 >= attempts)])

    running = concurrent.futures.ThreadPoolExecutor(1).submit(context.parallelize(items, len(items)).foreachPartition, task)
    while concurrent.futures.wait([running], 0.5).not_done:
        ended = list(results.value)
        # Wrong usage of all, and not on one machine only, which may be set up wrongly: no other input will be cleaned.
        if (len(ended) >= min(len(items), 10) and all(r["code"] == USAGE for r in ended)
                and len({r["host"] for r in ended}) >= (1 if context.master.startswith("local") else 2)):
            context.cancelAllJobs()
    if running.exception():
        say(f"Spark gave the job up: {(str(running.exception()).splitlines() or ['?'])[0]}")
    return results.value


def run_locally(job, items, workers, attempts):
    """The same tasks on threads of this process."""
    children = Children()

    def task(item):
        for number in range(attempts):
            try:
                return attempt(job, item, number, children.stopped or number + 1 == attempts, children)
            except Again as again:
                failed = json.loads(str(again))
                say(f"{item['input']}: attempt {number} failed: {failed['log'] or failed['code']}")

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        try:
            return list(pool.map(task, items))
        finally:
            children.stop()


def status(arguments, what):
    """The JSON lines of inputs that `warcsieve status` prints for the whole list. Sets `arguments.code` to its exit code."""
    pipeline, ends = (arguments.pipeline, (DONE, FAULTY)) if what == "--todo" else (None, ALL)
    command = [program(arguments.binary), "status", arguments.out, "--json", what, *list_options(arguments),
               *recipe_options(arguments.select, pipeline), *["--inputs"] * bool(arguments.inputs), *arguments.inputs]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8") as child:
        yield from (row for row in map(json.loads, child.stdout) if "command" not in row)
    arguments.code = child.returncode
    if child.returncode not in ends:
        say("`warcsieve status` failed, see above", child.returncode if child.returncode > 0 else TEMPORARY)


def list_options(arguments):
    given = [("--base", arguments.base), ("--root", arguments.root)]
    return ["--partial"] * arguments.partial + [word for pair in given if pair[1] for word in pair]


def sums(rows):
    """The sums over the manifest rows, and the names of inputs that are not normal."""
    found, skips, unusable, faulty = collections.Counter(inputs=0), collections.Counter(), [], []
    for row in rows:
        read, pages = row["read"], row["pages"]
        found.update({name: pages[name] for name in ("pages", "documents", "blocks", "text_bytes")})
        found.update(inputs=1, records=read["records"], faults=read["fault_count"], bytes_read=read["compressed_bytes"])
        skips.update(pages["skips"])
        if not read["records"] and any(fault["kind"] == "not_warc" for fault in read["faults"]):
            unusable.append(row["input"])
        elif read["fault_count"] or pages["skips"].keys() - {"status", "content_type"}:  # pages that are not selected
            faulty.append(row["input"])
    return {**found, "skips": dict(sorted(skips.items())), "unusable": unusable, "faulty": faulty}


def sweep(out):
    """Removes the temporary files of writers that ended. The file of a running writer is locked, and stays."""
    removed, end = 0, time.monotonic() + PATIENCE
    while True:
        locked = []
        for path in (os.path.join(folder, name) for folder, _, names in os.walk(out) for name in names
                     if re.fullmatch(r"\..+\.[0-9a-f]{16}\.tmp", name)):
            try:
                with contextlib.suppress(FileNotFoundError), open(path, "r+b") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(path)
                    removed += 1
            except OSError as error:
                locked.append(f"not removed: {path}: {error.strerror}")
        if not locked or time.monotonic() > end:
            return [f"{removed} temporary files of killed attempts removed"] * bool(removed) + locked
        time.sleep(1)


def run_tasks(arguments, spark):
    if program(arguments.binary) is None:
        say(f"there is no {arguments.binary} on the driver; give its path as --binary", USAGE)
    items = list(status(arguments, "--todo"))
    say(f"{len(items)} inputs to clean")
    if not items:
        return []
    # The program knows the folder below which the names begin. Only names that are not UTF-8 differ from paths.
    bases = (item["path"][:-len(item["input"]) - 1] or "/" for item in items if item["path"].endswith("/" + item["input"]))
    arguments.base = next(bases, None) or say("no name is UTF-8: rename the files", USAGE)
    pipeline, *select = (os.path.abspath(name) if os.path.isfile(name) else name
                         for name in [arguments.pipeline, *arguments.select])
    binary = program(arguments.binary) if os.sep in arguments.binary else arguments.binary
    threads = arguments.threads or int(spark.sparkContext.getConf().get("spark.task.cpus", "1") if spark else 1)
    # A share beyond the end of any list: the program claims the folder and lists all inputs there, but cleans none.
    code, _, log = Children().run(
        [program(binary), "clean", *arguments.inputs, "--out", arguments.out, *list_options(arguments), "--no-seal",
         "--quiet", "--shard", f"{1 << 31}/{1 << 31}", *recipe_options(select, pipeline), *["--redo"] * arguments.redo],
        None, "")
    if code != DONE:
        say(log or f"the program ended with {code}", code if code in (USAGE, INTEGRITY) else TEMPORARY)
    recipe = None if "://" in arguments.out else read_recipe(arguments.out) or say("no _recipe.json can be read", TEMPORARY)
    timeout, workers = arguments.task_timeout, arguments.workers or max(1, (os.cpu_count() or 1) // threads)
    job = Job(binary, arguments.out, recipe, arguments.base, pipeline, select, threads, timeout, arguments.redo)
    return run_in_spark(spark, job, items) if spark else run_locally(job, items, workers, arguments.attempts)


def verdict(results, left, ledger, code):
    """Names what is not as it should be; returns the exit code. `code` is that of the program that sealed the folder."""
    outcomes, fates, done = {r["input"]: r for r in results}, collections.Counter(), ledger["inputs"]
    none = {"outcome": "failed", "log": "no attempt ended", "code": None, "host": "no host"}
    if results and all(r["code"] == USAGE for r in results) and any(item["input"] not in outcomes for item in left):
        say(f"stopped: {results[0]['log']}", USAGE)
    for item in left:
        result = outcomes.get(item["input"], none)
        fate, why = result["outcome"], result["log"] or f"exit code {result['code']}"
        if fate in ("done", "unusable"):
            fate, why = "failed", "its manifest row is not to be seen from the driver: do all machines share --out?"
        elif fate == "unreadable" and "://" not in item["path"] and os.path.exists(item["path"]):
            fate, why = "failed", f"the driver sees it: is its folder mounted there? {why}"
        fates[fate] += 1
        text = {"unreadable": "cannot be read", "refused": f"refused, exit code {result['code']}"}.get(fate, "not done")
        say(f"{item['input']}: {text} on {result['host']}: {why}")
    for kind, what in (("unusable", "neither WARC nor ARC"), ("faulty", "faults, or pages not processed")):
        for name in ledger[kind]:
            say(f"{name}: {what}")
    say(f"{done} inputs done, {len(left)} not; {'sealed' if code in (DONE, FAULTY) else 'not sealed'}")
    if code == INTEGRITY or not left:
        return code
    if fates["failed"] or fates["crashed"] and any(r["outcome"] in ("done", "unusable") for r in results):
        return TEMPORARY
    if fates["crashed"]:
        say("the same again would gain nothing: those inputs crash the program or take too long")
    if fates["refused"]:
        return min(r["code"] for r in results if r["outcome"] == "refused")
    return UNUSABLE if len(ledger["unusable"]) + fates["unreadable"] == done + len(left) else FAULTY


def table(spark, out, name):
    """The shards of a table as a DataFrame with two more columns: `shard` is the name of the input, `folder` its folder."""
    from pyspark.sql import functions as f
    folder = f"{(out if '://' in out else 'file://' + os.path.abspath(out)).rstrip('/')}/{name}/"
    files = spark.read.option("recursiveFileLookup", "true").option("pathGlobFilter", "*.parquet")
    frame = files.parquet(re.sub(r"([\[\]{}*?\\])", r"\\\1", folder))  # for Spark, a path is a pattern
    # Spark gives the path as a URI, in which a blank is %20, and a + is a +.
    path = f.url_decode(f.regexp_replace(f.col("_metadata.file_path"), r"\+", "%2B"))
    shard = f.regexp_replace(f.substring_index(path, folder.partition("://")[2], -1), r"\.parquet$", "")
    return frame.withColumn("shard", shard).withColumn("folder", f.regexp_replace("shard", "/?[^/]*$", ""))


def run_clean(arguments):
    arguments.out, spark = arguments.out if "://" in arguments.out else os.path.abspath(arguments.out), None
    if arguments.engine == "spark":
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            say("pyspark is missing: run this with spark-submit, or `pip install pyspark` (it needs Java 17)", USAGE)
        spark = SparkSession.builder.appName("warcsieve clean").getOrCreate()
    try:
        results = sorted(run_tasks(arguments, spark), key=lambda r: r["input"])
        arguments.report.writelines(json.dumps(result) + "\n" for result in results)
        left = list(status(arguments, "--todo"))
        ledger = sums(status(arguments, "--seal"))
    finally:
        if spark:
            spark.stop()  # attempts that lost end with the executors, so before the sweep
    for line in [] if "://" in arguments.out else sweep(arguments.out):
        say(line)
    print(json.dumps({**ledger, "balanced": arguments.code != INTEGRITY}, indent=None if arguments.json else 2))
    code = verdict(results, left, ledger, arguments.code)
    return DONE if code == FAULTY == arguments.code and arguments.faults_ok else code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("mode", choices=["clean"])
    add("inputs", nargs="*", metavar="INPUT", help="what `warcsieve clean` takes: files, folders, quoted patterns, @LIST")
    add("--out", required=True, metavar="DIR", help="output folder; all machines must see it under this name")
    add("--base", metavar="DIR", help="folder that the names of outputs start from (default: as `warcsieve clean`)")
    add("--root", metavar="DIR", help="folder or address that relative paths in @LIST are below")
    add("--select", action="append", default=[], metavar="INDEX", help="read only the records that an index names")
    add("--partial", action="store_true", help="with --select: the inputs are a part of what the index names")
    add("--pipeline", default="default", metavar="FILE", help="pipeline file, or the name of one of the program's own")
    add("--redo", action="store_true", help="clean inputs again that were cleaned otherwise before")
    add("--binary", default="warcsieve", metavar="FILE", help="the program: a path, or the name of a shipped file")
    add("--threads", type=int, metavar="N", help="threads per task (default: spark.task.cpus, or 1)")
    add("--task-timeout", type=float, default=3 * 3600, metavar="S", help="seconds until an attempt is killed, 0 for never")
    add("--engine", choices=["spark", "local"], default="spark", help="where tasks run (default: spark)")
    add("--workers", type=int, metavar="N", help="tasks at once with --engine local (default: cores / threads)")
    add("--attempts", type=int, default=4, metavar="N", help="attempts per task with --engine local (default: 4)")
    add("--report", type=argparse.FileType("w"), default=os.devnull, metavar="FILE", help="results of tasks as JSON lines")
    add("--faults-ok", action="store_true", help="end with 0 in place of 10 if the folder is sealed")
    add("--json", action="store_true", help="print the ledger as one JSON line")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TEMPORARY))
    try:
        return run_clean(parser.parse_intermixed_args())
    except (Exception, KeyboardInterrupt):
        sys.excepthook(*sys.exc_info())
        return TEMPORARY  # Python's own code for this, 1, would say that the counts do not add up


if __name__ == "__main__":
    sys.exit(main())
