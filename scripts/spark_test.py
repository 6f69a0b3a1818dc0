"""Cleans 12 WARC files by Spark while attempts fail, an executor is killed and a task straggles, and compares with one machine.

usage: spark_test.py BINARY SYNTHETIC_CRAWL

Needs pyspark, Java 17 or newer, and Linux. Prints a line a claim; ends with 1 if one does not hold.
"""
import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pyspark

HERE = os.path.dirname(os.path.abspath(__file__))
DRIVER = os.path.join(HERE, "..", "integrations", "spark_clean.py")
SPARK = os.path.dirname(pyspark.__file__)
LOCAL_CLUSTER = "local-cluster[2,1,1024]"
ENVIRONMENT = {**os.environ, "SPARK_HOME": SPARK, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
FAILED = []

# No part takes so long. What hangs does so longer than a submit may take, and is not over when one asks for it.
LIMIT, FOREVER = 240, 1800

# Takes the place of the program. Each fault happens once, at the first attempt at its input; `exec` keeps the process
# that Spark's task knows. The driver's own calls are not counted.
FAULTS = """#!/bin/sh
case "$*" in status*|clean*' --shard '*) exec {real} "$@" ;; esac
input=$(cat /dev/stdin)
echo "$input $$" >>{state}/starts
once() {{ mkdir "{state}/$1" 2>/dev/null; }}
parent() {{ sed 's/.*) . \\([0-9]*\\) .*/\\1/' "/proc/$1/stat"; }}
case $input in
{cases}
esac
exec {real} "$@"
"""
# The limit of the size of files kills it in the middle of its temporary file, which `left` then names.
HALF_WRITTEN = """if once half; then
  (ulimit -f 64; {real} "$@"); find {out} -name '.02.warc.gz.*.tmp' >{state}/left; kill -9 $$
fi"""
# Over the Python worker and its daemon stands the executor.
KILL_EXECUTOR = 'once executor && touch {state}/killed && kill -9 "$(parent "$(parent $PPID)")" && exec sleep %d' % FOREVER
STRAGGLE = "once slow && sleep 15"
STALL = f"once stalled && exec sleep {FOREVER}"
REFUSE = "sleep 1; exit 2"

# Run with the driver as a module, shipped by --py-files.
COMPARE = '''
import sys
import spark_clean
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
HOSTS = """
SELECT regexp_extract(url, '//([^/]+)', 1) AS host, count(*) AS documents,
       round(sum(n_content_blocks) / nullif(sum(n_blocks), 0), 3) AS kept
FROM documents GROUP BY host ORDER BY documents DESC, host"""
ids = []
for out in sys.argv[1:]:
    documents = spark_clean.table(spark, out, "documents")
    documents.createOrReplaceTempView("documents")
    ids.append({(row.shard, row.id) for row in documents.collect()})
host = spark.sql(HOSTS).first()
print(f"{'same' if ids[0] == ids[1] else 'other'} set of {len(ids[0])} ids; {host.documents} documents of {host.host}, "
      f"of whose blocks {host.kept} are kept")
spark.stop()
'''


def claim(holds, text):
    print(f"{'ok  ' if holds else 'FAIL'} {text}", flush=True)
    if not holds:
        FAILED.append(text)


def check_java():
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    try:
        said = subprocess.run([java, "-version"], stderr=subprocess.PIPE, check=True, encoding="utf-8").stderr
    except (OSError, subprocess.CalledProcessError):
        said = ""
    version = re.search(r'version "(\d+)', said)
    if not version or int(version.group(1)) < 17:
        sys.exit("Spark needs Java 17: apt-get install openjdk-17-jre-headless, or set JAVA_HOME")


def make_crawl(synthetic, folder):
    """Twelve files of different sizes in two folders, of which one is damaged."""
    for n in range(12):
        path = os.path.join(folder, f"en{n % 2:04}", f"{n:02}.warc.gz")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        layout = "stream" if n == 7 else "members"
        subprocess.run([synthetic, path, str(1 + n % 3), layout], check=True, stdout=subprocess.DEVNULL)
        if n == 4:
            with open(path, "r+b") as file:
                file.seek(400_000)
                file.write(bytes(300))
                file.truncate(900_000)


def write_faults(path, real, state, cases):
    os.makedirs(state)
    cases = "\n".join(f"*{name}) {what} ;;" for name, what in cases.items())
    with open(path, "w") as file:
        file.write(FAULTS.format(real=real, state=state, cases=cases))
    os.chmod(path, 0o755)
    return path


def starts(state, name):
    """Process ids of the attempts at an input."""
    with open(os.path.join(state, "starts")) as file:
        return [int(line.split()[1]) for line in file if line.split()[0].endswith("/" + name)]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def vanish(pids):
    """Whether all processes have ended within some seconds."""
    end = time.monotonic() + 10
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.2)
    return not any(map(is_alive, pids))


def submit(master, log, arguments, conf=(), files=(), cwd=None):
    command = [os.path.join(SPARK, "bin", "spark-submit"), "--master", master]
    for setting in ("spark.ui.enabled=false", "spark.executor.memory=1g") + tuple(conf):
        command += ["--conf", setting]
    start = time.monotonic()
    with open(log, "w") as file:
        done = subprocess.run(command + list(files) + arguments, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=file,
                              encoding="utf-8", timeout=LIMIT, cwd=cwd)
    return done.returncode, done.stdout, time.monotonic() - start


SPECULATION = ("spark.speculation=true", "spark.speculation.interval=200ms", "spark.speculation.quantile=0.5",
               "spark.speculation.multiplier=2", "spark.speculation.minTaskRuntime=1s")


def contents(folder):
    """sha256 of every file, control files and temporary ones included."""
    sums = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                sums[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return sums


def clean(tmp, name, master, binary, conf=(), files=(), more=(), cwd=None):
    """A submit of the whole list: exit code, ledger, rows of tasks, log, seconds."""
    report, log = os.path.join(tmp, f"{name}.jsonl"), os.path.join(tmp, f"{name}.log")
    with contextlib.suppress(FileNotFoundError):
        os.remove(report)
    code, out, seconds = submit(master, log, [
        DRIVER, "clean", "@" + os.path.join(tmp, "list"), "--out", os.path.join(tmp, name), "--binary", binary,
        "--report", report, "--json", *more], conf, files, cwd)
    rows = []
    if os.path.exists(report):
        with open(report) as file:
            rows = [json.loads(line) for line in file]
    # spark-submit hands on as standard output what the driver says on either stream.
    ledger = next((json.loads(line) for line in out.splitlines() if line.startswith("{")), {})
    with open(log, "a+") as file:
        file.write(out)
        file.seek(0)
        return code, ledger, rows, file.read(), seconds


def under_faults(tmp, real, whole):
    state = os.path.join(tmp, "state")
    binary = write_faults(os.path.join(tmp, "faults"), real, state, {
        "02.warc.gz": HALF_WRITTEN.format(real=real, state=state, out=os.path.join(tmp, "spark")),
        "05.warc.gz": KILL_EXECUTOR.format(state=state), "09.warc.gz": STRAGGLE})
    code, ledger, rows, log, seconds = clean(tmp, "spark", LOCAL_CLUSTER, binary, SPECULATION)
    print(f"     {LOCAL_CLUSTER}: {seconds:.0f} s, exit code {code}")
    claim(code == 10 and "en0000/04.warc.gz: faults" in log, "it ends with 10, and names the damaged file")
    # The replacement of the executor that was killed makes a third.
    killed = os.path.getmtime(os.path.join(state, "killed"))
    executors = {row["executor"] for row in rows if row["ended"] < killed}
    claim(len(rows) == 12 and len(executors) >= 2,
          f"{len(rows)} task rows, of {len(executors)} executors before one was killed")
    by_input = {os.path.basename(row["input"]): row for row in rows}
    with open(os.path.join(state, "left")) as file:
        left = len(file.readlines())
    claim(by_input["02.warc.gz"]["attempt"] > 0 and "killed by SIGKILL" in log and left > 0,
          f"an attempt was killed and left {left} temporary files, and was made up for")
    claim(by_input["05.warc.gz"]["attempt"] > 0 and "ExecutorLostFailure" in log,
          "an executor was killed, and its input done by another")
    claim(vanish(starts(state, "05.warc.gz")), "the child of the killed executor is gone")
    copies = len(starts(state, "09.warc.gz")) - 1
    marked = " as speculatable" in log
    print(f"     the straggler took {by_input['09.warc.gz']['seconds']} s; it was "
          f"{'marked' if marked else 'not marked'} as speculatable; {copies} speculative copies ran "
          "(Spark starts none on the host of the first, and here all have one)")
    claim(contents(os.path.join(tmp, "spark")) == whole,
          f"all {len(whole)} files have the sha256 of a run on one machine; no temporary file is left")
    claim(ledger["balanced"] and ledger["inputs"] == 12 and ledger["pages"] == ledger["documents"] > 0,
          f"the ledger balances: {ledger['documents']} documents, {ledger['faults']} faults")

    with open(os.path.join(state, "starts")) as file:
        before = file.read()
    # Nobody comes by at an input that is done, but the sweep.
    with open(os.path.join(tmp, "spark", "documents", "en0000", ".00.warc.gz.parquet.0123456789abcdef.tmp"), "w") as file:
        file.write("of a writer that is gone")
    code, again, rows, log, seconds = clean(tmp, "spark", LOCAL_CLUSTER, binary, SPECULATION)
    print(f"     again: {seconds:.0f} s, exit code {code}")
    with open(os.path.join(state, "starts")) as file:
        idle = file.read() == before
    claim(code == 10 and idle and not rows and again == ledger and contents(os.path.join(tmp, "spark")) == whole,
          "a second submit does no work")
    claim("1 temporary files of killed attempts removed" in log, "and removes a temporary file that an attempt left")


def read_back(tmp):
    compare = os.path.join(tmp, "compare.py")
    with open(compare, "w") as file:
        file.write(COMPARE)
    code, out, seconds = submit("local[2]", os.path.join(tmp, "read.log"), [
        compare, os.path.join(tmp, "spark"), os.path.join(tmp, "whole")], files=["--py-files", DRIVER])
    claim(code == 0 and out.startswith("same"), f"read as DataFrames: {out.strip()} ({seconds:.0f} s)")


def refusal(tmp, real):
    """Wrong usage of one input, and of all but one that hangs."""
    state = os.path.join(tmp, "state1")
    binary = write_faults(os.path.join(tmp, "refuses-one"), real, state, {"01.warc.gz": REFUSE})
    code, ledger, rows, log, _ = clean(tmp, "refused-one", LOCAL_CLUSTER, binary)
    claim(code == 2 and "01.warc.gz: refused, exit code 2" in log and ledger["inputs"] == 11 and len(rows) == 12,
          "an input that is refused is named, and the others are done")
    claim(len(starts(state, "01.warc.gz")) == 1, "it is not tried again")

    state = os.path.join(tmp, "state2")
    binary = write_faults(os.path.join(tmp, "refuses"), real, state, {"00.warc.gz": STALL, "*": REFUSE})
    code, _, _, log, seconds = clean(tmp, "refused", LOCAL_CLUSTER, binary)
    claim(code == 2 and "spark_clean: stopped" in log and seconds < 120,
          f"wrong usage of all inputs stops the job, though one hangs ({seconds:.0f} s)")
    pids = starts(state, "00.warc.gz")
    claim(len(pids) == 1 and vanish(pids), "the child of the task that was cancelled is gone")


def shipping(tmp, real):
    """The program and a pipeline with its model, which stand in no folder that tasks or the driver look into."""
    folder = os.path.join(tmp, "ship")
    os.makedirs(folder)
    shutil.copy(real, os.path.join(folder, "warcsieve-shipped"))
    shutil.copy(os.path.join(HERE, "..", "models", "blocks.crf"), os.path.join(folder, "mine.crf"))
    with open(os.path.join(folder, "mine.toml"), "w") as file:
        file.write('[[step]]\nmethod = "crf"\nmodel = "mine.crf"\n')
    done = subprocess.run([real, "clean", "@" + os.path.join(tmp, "list"), "--out", os.path.join(tmp, "whole-mine"),
                           "--pipeline", os.path.join(folder, "mine.toml"), "--quiet"], stderr=subprocess.DEVNULL)
    files = ["--files", ",".join(os.path.join(folder, name) for name in os.listdir(folder))]
    code, _, rows, _, seconds = clean(tmp, "shipped", LOCAL_CLUSTER, "warcsieve-shipped", files=files,
                                      more=["--pipeline", "mine.toml"], cwd=tmp)
    claim(done.returncode == code == 10 and len(rows) == 12
          and contents(os.path.join(tmp, "shipped")) == contents(os.path.join(tmp, "whole-mine")),
          f"shipped by --files: program, pipeline and model ({seconds:.0f} s)")


@contextlib.contextmanager
def cluster(tmp, hosts):
    """A master, and a worker at each address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    spark_class = os.path.join(SPARK, "bin", "spark-class")
    master = f"spark://127.0.0.1:{port}"
    started = []

    def start(host, arguments):
        with open(os.path.join(tmp, f"node-{len(started)}.log"), "w") as log:
            started.append(subprocess.Popen(
                [spark_class] + arguments, env={**ENVIRONMENT, "SPARK_LOCAL_IP": host}, stdout=log, stderr=log))
    try:
        start("127.0.0.1", ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port),
                            "--webui-port", "0"])
        for host in hosts:
            start(host, ["org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "1", "--memory", "1g",
                         "--webui-port", "0", "--work-dir", os.path.join(tmp, "work"), master])
        yield master
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def speculation(tmp, real, whole):
    """Two hosts, so that the copy does run; the first attempt would take longer than a submit may."""
    state = os.path.join(tmp, "state3")
    binary = write_faults(os.path.join(tmp, "stalls"), real, state, {"03.warc.gz": STALL})
    with cluster(tmp, ["127.0.0.1", "127.0.0.2"]) as master:
        code, ledger, rows, log, seconds = clean(tmp, "speculated", master, binary, SPECULATION)
    print(f"     two hosts: {seconds:.0f} s, exit code {code}")
    pids = starts(state, "03.warc.gz")
    won = [row for row in rows if row["input"].endswith("03.warc.gz")]
    claim(code == 10 and len(pids) == 2 and seconds < 120 and " as speculatable" in log
          and len({row["executor"] for row in rows}) == 2 and won[0]["attempt"] == 1 and won[0]["seconds"] < 60,
          "the speculative copy of a task that hangs ran, and won")
    claim(vanish(pids), "the child of the attempt that lost is gone")
    claim(ledger.get("balanced") and contents(os.path.join(tmp, "speculated")) == whole,
          "all files have the sha256 of a run on one machine; no temporary file is left")


def main():
    check_java()
    real, synthetic = map(os.path.abspath, sys.argv[1:3])
    tmp = tempfile.mkdtemp(prefix="spark.", dir=os.environ.get("TMPDIR"))
    start = time.monotonic()
    try:
        crawl = os.path.join(tmp, "crawl")
        make_crawl(synthetic, crawl)
        with open(os.path.join(tmp, "list"), "w") as file:
            for base, _, names in os.walk(crawl):
                file.writelines(os.path.join(base, name) + "\n" for name in names)
        done = subprocess.run([real, "clean", "@" + os.path.join(tmp, "list"), "--out", os.path.join(tmp, "whole"),
                               "--quiet"], stderr=subprocess.DEVNULL)
        whole = contents(os.path.join(tmp, "whole"))
        print(f"     Spark {pyspark.__version__}; one machine: exit code {done.returncode}, {len(whole)} files")
        under_faults(tmp, real, whole)
        claim(done.returncode == 10 and len(whole) > 2 * 12, "one machine is done, with faults")
        read_back(tmp)
        refusal(tmp, real)
        shipping(tmp, real)
        speculation(tmp, real, whole)
    except BaseException:
        FAILED.append("it came to no end")
        raise
    finally:
        print(f"     {time.monotonic() - start:.0f} s in all")
        if FAILED:
            print(f"     logs are in {tmp}")
        else:
            shutil.rmtree(tmp)
    sys.exit(bool(FAILED))


if __name__ == "__main__":
    main()
