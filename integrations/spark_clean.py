#!/usr/bin/env python3
"""Runs `warcsieve clean` over many files, one Spark task per file, and reads the outputs as DataFrames.

  spark-submit --files warcsieve spark_clean.py clean @list --out /data/corpus
  spark-submit spark_clean.py read /data/corpus --query "SELECT count(*) FROM documents"
  python3 spark_clean.py clean crawl/ --out corpus/ --engine local     # the same tasks without Spark

Each task runs the program as a child process on one input, under the name that the input has in a run over the whole
list. So the outputs are the same as those of one machine, byte for byte. If a page crashes the child or makes it hang,
one attempt is lost, but no executor. Spark retries and speculates (spark.task.maxFailures, spark.speculation). An output
appears only when it is complete, and two attempts at one input write the same bytes. At the end the driver seals the
folder, prints the sums of the ledger, and removes what killed attempts left. After a failure, run it again: what is done
is kept.

`clean` needs Python 3.8 or newer and the program, on the driver and on every executor. `read` and `--engine spark`
need pyspark.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid

DONE, INTEGRITY, USAGE, FAULTY, UNUSABLE, TEMPORARY = ALL = 0, 1, 2, 10, 42, 75
EXIT_CODES = """\
exit codes, those of warcsieve:
   0  all done
   1  what was written and what was counted disagree
   2  wrong usage, a wrong pipeline file, or an output folder that cannot be used
  10  done, but inputs or records were faulty; they are named
  42  none of the inputs is usable: do not retry
  75  some inputs are not done: run it again; what is done is kept"""

SIGNALS = {s.value: s.name for s in signal.Signals}

# This process becomes the program. On Linux it ends together with the process that started it, so none is left when
# Spark kills a task. If memory runs out, it is the first process to be ended, so that the executor continues.
LAUNCH = """
import os, signal, sys
for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(ignored_by_python, signal.SIG_DFL)
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
except (AttributeError, ImportError, OSError):
    pass
if os.getppid() != int(sys.argv[1]):
    sys.exit(75)
try:
    os.execv(sys.argv[2], sys.argv[2:])
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""
# How many bytes of the messages of a failed child are kept.
LOG_TAIL = 4000
# How many seconds a child has to end after SIGKILL, and how many `status` has to find one row.
KILL_TIMEOUT, ROW_TIMEOUT = 30, 600
# How many seconds the sweep waits for writers that are about to be killed, and how many a task waits for the recipe of
# the output folder. Network file systems show it to other hosts with a delay.
PATIENCE = 30
# A number greater than the number of inputs of any list.
BEYOND = 1 << 31
# If this many tasks ended, all with wrong usage, the job ends.
ENOUGH = 10
# Reasons of skips for pages that the pipeline does not select. All other reasons are faults.
NOT_SELECTED = {"status", "content_type"}
TEMPORARY_NAME = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")
HOSTS = """\
SELECT regexp_extract(url, '//([^/]+)', 1) AS host, count(*) AS documents,
       round(sum(n_content_blocks) / nullif(sum(n_blocks), 0), 3) AS kept
FROM documents GROUP BY host ORDER BY documents DESC, host"""

# What all tasks have in common. The paths of program, pipeline and index files are not resolved: each machine may have
# them in another place.
Job = collections.namedtuple("Job", "binary out recipe base pipeline select threads timeout redo")


class Again(Exception):
    """An attempt failed, but another attempt may succeed."""


class Stop(Exception):
    """Ends the driver with a code. The error was already reported."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def say(line):
    print(f"spark_clean: {line}", file=sys.stderr, flush=True)


def is_url(path):
    return "://" in path


def absolute(path):
    return path if is_url(path) else os.path.abspath(path)


def shipped(name):
    """The file with this name on this machine: at this path, or where `--files` of spark-submit put it."""
    folders = ["."]
    if "pyspark" in sys.modules:
        from pyspark import SparkFiles
        try:
            folders.append(SparkFiles.getRootDirectory())
        except (AssertionError, AttributeError):  # no Spark in this process
            pass
    for path in [name] + [os.path.join(folder, os.path.basename(name)) for folder in folders]:
        if os.path.isfile(path):
            return os.path.abspath(path)
    return None


def program(binary):
    """The program on this machine, or `None`."""
    return shipped(binary) or shutil.which(os.path.basename(binary))


class Children:
    """The processes that this process started. They are killed when it must end."""

    def __init__(self):
        self.lock, self.live, self.stopped = threading.Lock(), set(), False

    def start(self, command, **streams):
        with self.lock:
            if self.stopped:
                raise InterruptedError("stopped")
            child = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid())] + command, start_new_session=True, **streams)
            self.live.add(child)
            return child

    def run(self, command, timeout, path):
        """Runs a command in a process group of its own, with `path` as a list on its standard input. Returns its exit
        code, negative for a signal, `None` if it took more than `timeout` seconds; what it printed, and the end of what
        it said."""
        with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
            lines.write(os.fsencode(list_line(path) + "\n"))
            lines.seek(0)
            child = self.start(command, stdin=lines, stdout=out, stderr=log)
            try:
                code = child.wait(timeout or None)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if child.returncode is None:
                    kill(child)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        child.wait(KILL_TIMEOUT)
                with self.lock:
                    self.live.discard(child)
            out.seek(0)
            log.seek(max(0, log.seek(0, os.SEEK_END) - LOG_TAIL))
            return code, out.read(), log.read().decode(errors="replace").strip()

    def stop(self):
        with self.lock:
            self.stopped = True
            for child in self.live:
                kill(child)


def kill(child):
    """Kills a child with all processes that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def list_line(path):
    """A path as a line of a list. A path that would be read as a pattern or a folder is written as a JSON string."""
    is_plain = path == path.strip() and path and path[0] not in "#\"\ufeff" and not set("\r\n") & set(path)
    return path if is_plain else json.dumps(path)


def row_of(job, binary, item, children):
    """A short form of the manifest row of an input; `None` if it has no row."""
    command = [binary, "status", job.out, "--inputs", "@/dev/stdin", "--base", job.base, "--json"]
    line = children.run(command, ROW_TIMEOUT, item["path"])[1].partition(b"\n")[0]
    if not line:
        return None
    row = json.loads(line)
    return {"pages": row["pages"]["pages"], "documents": row["pages"]["documents"],
            "faults": row["read"]["fault_count"]}


def clean_command(job, binary, item, more):
    command = [binary, "clean", "@/dev/stdin", "--out", job.out, "--base", job.base, "--threads", str(job.threads),
               "--pipeline", shipped(job.pipeline) or job.pipeline, "--no-seal", "--quiet"]
    for index in job.select:
        command += ["--select", shipped(index) or index]
    return command + ["--partial"] * bool(job.select) + ["--redo"] * job.redo + more


def claim_command(job, binary, arguments):
    """Lists all inputs in the output folder, and cleans none of them: it runs a share far beyond the end of the list."""
    command = [binary, "clean"] + arguments.inputs + [
        "--out", job.out, "--base", job.base, "--shard", f"{BEYOND}/{BEYOND}",
        "--pipeline", shipped(job.pipeline) or job.pipeline, "--no-seal", "--quiet"]
    if arguments.root:
        command += ["--root", arguments.root]
    for index in arguments.select:
        command += ["--select", shipped(index) or index]
    return command + ["--partial"] * arguments.partial + ["--redo"] * job.redo


def read_recipe(out):
    try:
        with open(os.path.join(out, "_recipe.json"), "rb") as file:
            return file.read()
    except OSError:
        return None


def trouble_here(job):
    """The reason why this machine can clean no input although other machines may; `None` if no reason is known. A folder
    that is not mounted would be made on the machine's own disk."""
    if program(job.binary) is None:
        return f"there is no {job.binary} here: ship it with --files, or give its path as --binary"
    if job.recipe is None:
        return None
    end = time.monotonic() + PATIENCE
    while read_recipe(job.out) != job.recipe:
        if time.monotonic() > end:
            return f"{job.out} has not the _recipe.json that the driver sees there: is the folder mounted here?"
        time.sleep(1)
    return None if os.access(job.out, os.W_OK | os.X_OK) else f"{job.out} cannot be written to here"


def try_once(job, item, children):
    """The outcome, exit code, row and log of one run of the program."""
    trouble = trouble_here(job)
    if trouble:
        return "failed", None, None, trouble
    binary, row = program(job.binary), None
    code, _, log = children.run(clean_command(job, binary, item, []), job.timeout, item["path"])
    if code in (DONE, FAULTY, UNUSABLE):
        row = row_of(job, binary, item, children)
    if row:
        return ("unusable", code, row, log) if code == UNUSABLE else ("done", code, row, "")
    if code is None:
        return "crashed", code, None, f"killed after {job.timeout} s (--task-timeout)\n{log}"
    if code < 0:
        return "crashed", code, None, f"killed by {SIGNALS.get(-code, -code)}\n{log}"
    if code in (DONE, FAULTY):
        return "failed", code, None, f"it ended well, but {job.out} has no manifest row of it\n{log}"
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
              # The parent of a Python worker is the executor.
              "host": socket.gethostname(), "executor": os.getppid(), "pid": os.getpid()}
    # Another machine may have a file that is missing here.
    if outcome in ("failed", "crashed", "unreadable") and not last:
        raise Again(json.dumps(result))
    return result


def is_hopeless(ended, total, hosts):
    """Whether all inputs so far ended with wrong usage: enough inputs, and on more than one machine, because a single
    machine may be set up wrongly."""
    return (len(ended) >= min(total, ENOUGH) and all(r["code"] == USAGE for r in ended)
            and len({r["host"] for r in ended}) >= hosts)


@contextlib.contextmanager
def watch(results, total, hosts, stop):
    """Reports progress while tasks run, and calls `stop` if probably no task can succeed."""
    over = threading.Event()

    def run():
        said, last = time.monotonic(), 0
        while not over.wait(0.5):
            ended = list(results())
            if is_hopeless(ended, total, hosts):
                return stop()
            if len(ended) > last and time.monotonic() > said + 10:
                said, last = time.monotonic(), len(ended)
                say(f"{last} of {total} tasks ended")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def run_in_spark(spark, job, items):
    """Runs one task per input. Returns the results of the tasks that ended."""
    from pyspark import AccumulatorParam, TaskContext
    context = spark.sparkContext

    class Results(AccumulatorParam):
        def zero(self, value):
            return []

        def addInPlace(self, value, more):
            value.extend(more)
            return value

    # It is counted once per task, whichever of its attempts wins, and is available before the job is over.
    results = context.accumulator([], Results())
    attempts = spark_attempts(context.master, context.getConf().get("spark.task.maxFailures", "4"))

    def task(partition):
        number = TaskContext.get().attemptNumber()
        for item in partition:
            # After the last attempt, an error would end the whole job.
            results.add([attempt(job, item, number, number + 1 >= attempts)])

    # Other jobs in this Spark session continue.
    group = f"warcsieve-{uuid.uuid4()}"
    context.setJobGroup(group, f"warcsieve clean --out {job.out}")
    hosts = 1 if context.master.startswith("local") else 2
    with watch(lambda: results.value, len(items), hosts, lambda: context.cancelJobGroup(group)):
        try:
            context.parallelize(items, len(items)).foreachPartition(task)
        except Exception as error:
            if not is_hopeless(results.value, len(items), hosts):
                say(f"Spark gave the job up: {(str(error).splitlines() or [type(error).__name__])[0]}")
        finally:
            for name in ("jobGroup.id", "job.description"):
                context.setLocalProperty(f"spark.{name}", None)
    return results.value


def spark_attempts(master, max_failures):
    """How often Spark tries a task. For a `local` master the number is in its brackets."""
    local = re.fullmatch(r"local(?:\[[^,\]]*(?:,\s*(\d+)\s*)?\])?", master)
    return int(local.group(1) or 1) if local else int(max_failures)


def run_locally(job, items, workers, attempts):
    """The same tasks on threads of this process."""
    results, children = [], Children()

    def task(item):
        for number in range(attempts):
            if children.stopped:
                return
            try:
                result = attempt(job, item, number, number + 1 == attempts, children)
                if not children.stopped:
                    results.append(result)
                return
            except Again as again:
                failed = json.loads(str(again))
                say(f"{item['input']}: attempt {number} failed: {failed['log'] or failed['code']}")

    with concurrent.futures.ThreadPoolExecutor(workers) as pool, watch(
            lambda: results, len(items), 1, children.stop):
        try:
            list(pool.map(task, items))
        except BaseException:
            children.stop()
            raise
    return results


def status(binary, arguments, more, ends=(DONE, FAULTY)):
    """The lines that `warcsieve status` prints for the whole list; returns its exit code."""
    command = [binary, "status", arguments.out] + more
    if arguments.inputs:
        command += ["--inputs"] + arguments.inputs
    for name in ("base", "root"):
        if getattr(arguments, name):
            command += [f"--{name}", getattr(arguments, name)]
    for index in arguments.select:
        command += ["--select", shipped(index) or index]
    command += ["--partial"] * arguments.partial
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8") as child:
        yield from child.stdout
    if child.returncode not in ends:
        raise Stop(child.returncode if child.returncode > 0 else TEMPORARY)
    return child.returncode


class Ledger:
    """The sums over the manifest rows, and the rows that are not normal."""

    def __init__(self, rows):
        self.sums, self.skips = collections.Counter(), collections.Counter()
        self.faulty, self.unusable, self.unbalanced = [], [], []
        for row in rows:
            self.add(row)

    def add(self, row):
        read, pages = row["read"], row["pages"]
        # For a stream it is not known how much there was.
        there = row.get("selected") or (row["stamp"] and {"bytes": row["stamp"]["size"]})
        counts = {
            "inputs": 1, "records": read["records"], "other_records": pages["other_records"], "pages": pages["pages"],
            "documents": pages["documents"], "skips": sum(pages["skips"].values()), "blocks": pages["blocks"],
            "faults": read["fault_count"], "bytes_read": read["compressed_bytes"],
            "bytes_of_members": read["member_bytes"], "bytes_damaged": read["damaged_bytes"],
            "bytes_of_inputs": there["bytes"] if there else read["compressed_bytes"],
            "text_bytes": pages["text_bytes"], "rows_written": row["outputs"][0]["rows"],
            "bytes_written": sum(f["bytes"] for f in row["outputs"]),
        }
        self.sums.update(counts)
        self.skips.update(pages["skips"])
        if imbalances(counts):
            self.unbalanced.append(row["input"])
        if not read["records"] and any(f["kind"] == "not_warc" for f in read["faults"]):
            self.unusable.append(row["input"])
        elif read["fault_count"] or pages["skips"].keys() - NOT_SELECTED:
            self.faulty.append(row["input"])

    def show(self, as_json):
        balance = imbalances(self.sums) + [f"{name}: its row does not balance" for name in self.unbalanced]
        if as_json:
            skips = dict(sorted(self.skips.items()))
            print(json.dumps({**self.sums, "skips": skips, "balanced": not balance, "unusable": self.unusable,
                              "faulty": self.faulty}))
            return not balance
        for name in ["inputs", "records", "pages", "documents", "blocks", "other_records", "faults"]:
            print(f"{name.replace('_', ' '):<24}{self.sums[name]:>18,}")
            if name == "documents":
                for reason, count in sorted(self.skips.items()):
                    print(f"{'  skipped: ' + reason:<24}{count:>18,}")
        for name in ["bytes_read", "bytes_damaged", "text_bytes", "bytes_written"]:
            print(f"{name.replace('_', ' '):<24}{self.sums[name]:>18,}")
        print(f"{'balance':<24}{'no' if balance else 'yes':>18}", *balance, sep="\n")
        return not balance


def imbalances(counts):
    """What does not add up in a row, or in the sums of all."""
    equal = [("bytes_of_inputs", ["bytes_read"]), ("bytes_read", ["bytes_of_members", "bytes_damaged"]),
             ("records", ["pages", "other_records"]), ("pages", ["documents", "skips"]),
             ("documents", ["rows_written"])]
    return [f"{total} {counts[total]}, but {' + '.join(parts)} {sum(counts[p] for p in parts)}"
            for total, parts in equal if counts[total] != sum(counts[p] for p in parts)]


def sweep(out):
    """Removes the temporary files of writers that ended. The file of a running writer is locked, and stays."""
    import fcntl
    removed, end = 0, time.monotonic() + PATIENCE
    while True:
        locked = []
        for folder, _, names in os.walk(out):
            for path in [os.path.join(folder, n) for n in names if TEMPORARY_NAME.fullmatch(n)]:
                try:
                    with open(path, "r+b") as file:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(path)
                        removed += 1
                except FileNotFoundError:
                    pass
                except OSError as error:
                    locked.append(f"{path}: {error.strerror}")
        if not locked or time.monotonic() > end:
            return removed, locked
        time.sleep(1)


def run_clean(arguments):
    arguments.out = absolute(arguments.out)
    report = open_report(arguments.report)
    spark, ours = session("warcsieve clean") if arguments.engine == "spark" else (None, False)
    try:
        with report:
            results = run_tasks(arguments, spark)
            for result in sorted(results, key=lambda r: r["input"]):
                print(json.dumps(result), file=report)
        found = look(arguments, results)
    finally:
        if ours:
            # Attempts that lost end with the executors, so they end before the sweep. Shipped files are removed, too.
            spark.stop()
    if not is_url(arguments.out):
        removed, locked = sweep(arguments.out)
        if removed:
            say(f"{removed} temporary files of killed attempts removed")
        for line in locked:
            say(f"not removed: {line}")
    balanced = found.ledger.show(arguments.json)
    code = verdict(results, found, balanced)
    return DONE if code == FAULTY and found.sealed and arguments.faults_ok else code


def open_report(path):
    try:
        return open(path or os.devnull, "w", encoding="utf-8")
    except OSError as error:
        say(f"--report: {error}")
        raise Stop(USAGE) from None


# The state of the folder when all tasks have ended, and the exit code of the command that seals it.
Found = collections.namedtuple("Found", "left ledger sealed code")


def look(arguments, results):
    binary = program(arguments.binary)
    try:
        left = [json.loads(line) for line in status(binary, arguments, todo_options(arguments))]
        ledger = Ledger(json.loads(line) for line in status(binary, arguments, ["--json"], ALL))
        report, code = all_of(status(binary, arguments, ["--seal"], ALL))
    except Stop:
        for result in results:
            if result["outcome"] != "done":
                say(f"{result['input']}: {result['outcome']}: {result['log']}")
        say("the folder is not sealed: `warcsieve status` failed, see above")
        raise
    return Found(left, ledger, re.search(r"^_SUCCESS +yes$", "".join(report), re.MULTILINE) is not None, code)


def all_of(generator):
    """The values that a generator yields, and the value that it returns."""
    items = []
    while True:
        try:
            items.append(next(generator))
        except StopIteration as end:
            return items, end.value


def todo_options(arguments):
    return ["--todo", "--json", "--pipeline", shipped(arguments.pipeline) or arguments.pipeline]


def run_tasks(arguments, spark):
    binary = program(arguments.binary)
    if binary is None:
        say(f"there is no {arguments.binary} on the driver; give its path as --binary")
        raise Stop(USAGE)
    items = [json.loads(line) for line in status(binary, arguments, todo_options(arguments))]
    say(f"{len(items)} inputs to clean")
    if not items:
        return []
    threads = arguments.threads
    if spark and not threads:
        threads = int(spark.sparkContext.getConf().get("spark.task.cpus", "1"))
    # The program knows the base folder of the names in this list. Only names that are not UTF-8 differ from paths.
    same = [item for item in items if item["path"].endswith("/" + item["input"])]
    if not same:
        say("no name is UTF-8: rename the files")
        raise Stop(USAGE)
    base = same[0]["path"][:-len(same[0]["input"]) - 1] or "/"
    if "\ufffd" in base and not is_url(base) and not os.path.exists(base):
        say(f"{base}: its path is not UTF-8; mount or link it under another name")
        raise Stop(USAGE)

    def anywhere(name):
        return absolute(name) if os.path.isfile(name) else name

    job = Job(binary if os.sep in arguments.binary else arguments.binary, arguments.out, None, base,
              anywhere(arguments.pipeline), [anywhere(index) for index in arguments.select],
              threads or 1, arguments.task_timeout, arguments.redo)
    job = job._replace(recipe=claim(job, binary, arguments))
    if spark:
        return run_in_spark(spark, job, items)
    workers = arguments.workers or max(1, (os.cpu_count() or 1) // job.threads)
    return run_locally(job, items, workers, arguments.attempts)


def claim(job, binary, arguments):
    """Lets the program make the folder, claim it, and list all inputs there. An error in the folder, the pipeline or the
    options shows here once for all tasks. Returns the recipe that tasks must find in the folder; `None` in a store."""
    code, _, log = Children().run(claim_command(job, binary, arguments), None, "")
    if code != DONE:
        say(log or f"the program ended with {code}")
        raise Stop(code if code in (USAGE, INTEGRITY) else TEMPORARY)
    if is_url(job.out):
        return None
    recipe = read_recipe(job.out)
    if recipe is None:
        say(f"{job.out}/_recipe.json cannot be read")
        raise Stop(TEMPORARY)
    return recipe


def verdict(results, found, balanced):
    """Names everything that is not right; returns the exit code."""
    left, ledger = found.left, found.ledger
    outcomes = {r["input"]: r for r in results}
    if results and all(r["code"] == USAGE for r in results) and any(i["input"] not in outcomes for i in left):
        say(f"stopped: {results[0]['log']}")
        return USAGE
    fates = collections.Counter()
    for item in left:
        result = outcomes.get(item["input"])
        fate, why = fate_of(item, result) if result else ("failed", "no attempt ended")
        fates[fate] += 1
        text = {"unreadable": "cannot be read", "refused": f"refused, exit code {result and result['code']}"}
        say(f"{item['input']}: {text.get(fate, 'not done')}{' on ' + result['host'] if result else ''}: {why}")
    for name in ledger.unusable:
        say(f"{name}: neither WARC nor ARC")
    for name in ledger.faulty:
        say(f"{name}: faults, or pages not processed; its manifest row lists them")
    say(f"{ledger.sums['inputs']} inputs done, {len(left)} not; {'sealed' if found.sealed else 'not sealed'}")
    if not balanced:
        return INTEGRITY
    gained = any(r["outcome"] in ("done", "unusable") for r in results)
    if fates["crashed"] and not fates["failed"] and not gained:
        say("the same again would gain nothing: those inputs crash the program or take too long; "
            "give it more memory or --task-timeout, or leave them out of the list")
    elif fates["crashed"] or fates["failed"]:
        return TEMPORARY
    if fates["refused"]:
        return min(r["code"] for r in results if r["outcome"] == "refused")
    if not left and not found.sealed:
        return found.code if found.code in (INTEGRITY, USAGE, UNUSABLE) else TEMPORARY
    if len(ledger.unusable) + fates["unreadable"] == ledger.sums["inputs"] + len(left):
        return UNUSABLE
    return FAULTY if left or ledger.unusable or ledger.faulty else DONE


def fate_of(item, result):
    """The outcome of an input that is not done, as the driver sees it, and the reason."""
    if result["outcome"] in ("done", "unusable"):
        return "failed", "its manifest row is not to be seen from the driver: do all machines share --out?"
    if result["outcome"] == "unreadable" and not is_url(item["path"]) and os.path.exists(item["path"]):
        return "failed", f"the driver sees it: is its folder mounted there? {result['log']}"
    return result["outcome"], result["log"] or f"exit code {result['code']}"


def session(name):
    """A session, and whether it was created here."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        say("pyspark is missing: run this with spark-submit, or `pip install pyspark` (it needs Java 17)")
        raise Stop(USAGE) from None
    ours = SparkSession.getActiveSession() is None
    return SparkSession.builder.appName(name).getOrCreate(), ours


def literal(path):
    """A path for Spark's readers, which take it for a pattern."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", path)


def hadoop_folder(spark, path):
    """The path and the file system of a folder, as Spark's machines reach it."""
    path = spark._jvm.org.apache.hadoop.fs.Path(path if is_url(path) else "file://" + os.path.abspath(path))
    return path, path.getFileSystem(spark._jsc.hadoopConfiguration())


def table(spark, out, name):
    """The shards of a table as a DataFrame with the schema of the first one, and two more columns: `shard`, the name of
    the input, and `folder`, its folder. Control files, whose names begin with `_` or `.`, are not shards."""
    from pyspark.sql import functions as f
    folder, files = hadoop_folder(spark, out.rstrip("/") + "/" + name)
    if not files.exists(folder):
        return None
    listed = files.listFiles(folder, True)
    first = None
    while first is None and listed.hasNext():
        path = listed.next().getPath()
        if path.getName().endswith(".parquet") and path.getName()[0] not in "._":
            first = path.toString()
    if first is None:
        return None
    schema = spark.read.parquet(literal(first)).schema
    frame = spark.read.schema(schema).option("recursiveFileLookup", "true").parquet(literal(folder.toString()))
    # Two spellings of a path may differ, but they have the same number of parts.
    scheme = "^[^:/]+:/*"
    depth = len(re.sub(scheme, "", files.makeQualified(folder).toString()).split("/"))
    # Spark returns the path as a URI, in which a blank is %20 and a + is a +.
    path = f.url_decode(f.regexp_replace(f.col("_metadata.file_path"), r"\+", "%2B"))
    parts = f.split(f.regexp_replace(path, scheme, ""), "/")
    shard = f.regexp_replace(f.array_join(f.slice(parts, f.lit(depth + 1), f.size(parts)), "/"), r"\.parquet$", "")
    return frame.withColumn("shard", shard).withColumn("folder", f.regexp_replace("shard", "/?[^/]*$", ""))


def run_read(arguments):
    spark, ours = session("warcsieve read")
    from pyspark.errors import AnalysisException
    try:
        seal, files = hadoop_folder(spark, arguments.out.rstrip("/") + "/_SUCCESS")
        if not files.exists(seal):
            say(f"{arguments.out} has no _SUCCESS: inputs are missing, or being cleaned")
        for name in ["documents", "blocks"]:
            frame = table(spark, arguments.out, name)
            if frame is not None:
                frame.createOrReplaceTempView(name)
                if arguments.schema:
                    print(name)
                    frame.printSchema()
            elif name == "documents":
                say(f"{arguments.out} holds no shards of documents")
                raise Stop(USAGE)
        if not arguments.schema:
            frame = spark.sql(arguments.query).limit(arguments.rows)
            if arguments.json:
                print("\n".join(frame.toJSON().collect()))
            else:
                frame.show(arguments.rows, truncate=100)
    except AnalysisException as error:
        say((str(error).splitlines() or ["the query cannot be understood"])[0])
        return USAGE
    finally:
        if ours:
            spark.stop()
    return DONE


def parser():
    whole = argparse.ArgumentParser(
        prog="spark_clean.py", description=__doc__, epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = whole.add_subparsers(dest="mode", required=True)
    clean = modes.add_parser("clean", help="clean inputs, a task each", epilog=EXIT_CODES,
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    add = clean.add_argument
    add("inputs", nargs="*", metavar="INPUT", help="what `warcsieve clean` takes: files, folders, quoted patterns, @LIST")
    add("--out", required=True, metavar="DIR", help="output folder; all machines must see it under this name")
    add("--base", metavar="DIR", help="folder that the names of outputs start from (default: as `warcsieve clean`)")
    add("--root", metavar="DIR", help="folder or address that relative paths in @LIST are below")
    add("--select", action="append", default=[], metavar="INDEX",
        help="read only the records that an index names, as `warcsieve clean` does; ship it with --files")
    add("--partial", action="store_true", help="with --select: the inputs are a part of what the index names")
    add("--pipeline", default="default", metavar="FILE",
        help="pipeline file, or the name of one that ships; ship a file and its models with --files")
    add("--redo", action="store_true", help="clean inputs again that were cleaned otherwise before")
    add("--binary", default="warcsieve", metavar="FILE",
        help="the program: a path, or a name that is looked up among the shipped --files, then in PATH (default: warcsieve)")
    add("--threads", type=int, metavar="N", help="threads a task (default: spark.task.cpus; 1 with --engine local)")
    add("--task-timeout", type=float, default=3 * 3600, metavar="S",
        help="seconds after which an attempt is killed, 0 for never (default: 10800)")
    add("--engine", choices=["spark", "local"], default="spark", help="where tasks run (default: spark)")
    add("--workers", type=int, metavar="N", help="tasks at once with --engine local (default: cores / threads)")
    add("--attempts", type=int, default=4, metavar="N", help="attempts a task with --engine local (default: 4)")
    add("--report", metavar="FILE", help="write what came of each task as JSON lines")
    add("--faults-ok", action="store_true",
        help="end with 0 in place of 10 if the folder is sealed, for schedulers that know one code for success")
    add("--json", action="store_true", help="print the ledger as one JSON line")
    read = modes.add_parser("read", help="query what was cleaned", formatter_class=argparse.RawDescriptionHelpFormatter,
                            description="Queries the views `documents` and `blocks`. Both have the columns `shard` "
                            "and `folder`\nbeside those of docs/output.md. Without --query:\n\n" + HOSTS)
    add = read.add_argument
    add("out", metavar="OUT", help="output folder, or its address as Spark reads it (s3a://…)")
    add("--query", default=HOSTS, metavar="SQL", help="a query over the views (default: documents and kept share of each host)")
    add("--rows", type=int, default=20, metavar="N", help="rows to print (default: 20)")
    add("--json", action="store_true", help="print rows as JSON lines")
    add("--schema", action="store_true", help="print the columns of both views, and no rows")
    return whole


def main():
    # This counts as a temporary failure; what is done is kept.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TEMPORARY))
    whole = parser()
    arguments = whole.parse_args()
    if arguments.mode == "clean" and not arguments.inputs and not arguments.select:
        whole.error("clean needs INPUT or --select")
    try:
        return run_clean(arguments) if arguments.mode == "clean" else run_read(arguments)
    except Stop as stop:
        return stop.code
    except KeyboardInterrupt:
        return TEMPORARY
    except Exception:
        # Python's own code for this, 1, would mean that the counts do not add up.
        traceback.print_exc()
        return TEMPORARY


if __name__ == "__main__":
    sys.exit(main())
