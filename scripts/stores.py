"""Cleans the crawl in testdata/ from and to an S3 server that is not ours (moto), and compares every output
with a run on files. usage: stores.py BINARY"""

import hashlib
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

import boto3
from moto.server import ThreadedMotoServer

binary = os.path.abspath(sys.argv[1])
crawl = pathlib.Path("testdata/crawl")


def run(*arguments, **environment):
    """The exit code of a command and what it printed."""
    done = subprocess.run(
        [binary, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def content(name, data):
    """What must be equal: of a manifest row all but what the input was like."""
    if name.startswith("_manifest/"):
        row = json.loads(data)
        row["stamp"] = {"size": row["stamp"]["size"]}
        data = json.dumps(row, sort_keys=True).encode()
    return hashlib.sha256(data).hexdigest()


logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(port=0)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"
keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
store = {**keys, "AWS_ENDPOINT": endpoint, "AWS_ALLOW_HTTP": "true"}
s3 = boto3.client(
    "s3",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
)
s3.create_bucket(Bucket="bucket")
with tempfile.TemporaryDirectory() as folder:
    big = pathlib.Path(folder) / "big.warc.gz"
    # Large enough for outputs in several parts.
    big.write_bytes(b"".join(p.read_bytes() for p in sorted(crawl.rglob("*.warc.gz"))) * 1500)
    files = {str(p.relative_to(crawl)): p for p in sorted(crawl.rglob("*.warc.gz"))}
    files["big.warc.gz"] = big
    listing = pathlib.Path(folder) / "crawl"
    for name, path in files.items():
        s3.upload_file(str(path), "bucket", f"crawl/{name}")
        (listing / name).parent.mkdir(parents=True, exist_ok=True)
        (listing / name).write_bytes(path.read_bytes())
    out = pathlib.Path(folder) / "out"
    local = run("clean", str(listing), "--out", str(out), "--quiet")
    remote = run("clean", "s3://bucket/crawl/", "--out", "s3://bucket/out", "--quiet", **store)
    # The crawl holds a damaged file.
    assert local[0] == remote[0] == 10, (local, remote)
    expected = {
        str(p.relative_to(out)): content(str(p.relative_to(out)), p.read_bytes())
        for p in out.rglob("*")
        if p.is_file()
    }
    got, parts = {}, 0
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix="out/"):
        for found in page["Contents"]:
            name = found["Key"].removeprefix("out/")
            got[name] = content(name, s3.get_object(Bucket="bucket", Key=found["Key"])["Body"].read())
            # The ETag of an object in parts ends in their number.
            parts = max(parts, int(found["ETag"].strip('"').partition("-")[2] or 1))
    different = sorted(n for n in expected.keys() | got.keys() if expected.get(n) != got.get(n))
    assert not different, different
    assert parts > 1, "no output was large enough for parts"
    assert not s3.list_multipart_uploads(Bucket="bucket").get("Uploads"), "unfinished uploads"
    verified = run("status", "s3://bucket/out", "--inputs", "s3://bucket/crawl/", "--verify", **store)
    assert verified[0] == 10 and "not those that were written" not in verified[1], verified
    todo = run("status", "s3://bucket/out", "--inputs", "s3://bucket/crawl/", "--todo", **store)
    assert todo == (0, ""), todo
server.stop()
print(f"{len(got)} outputs in S3 as on a disk, one of them in {parts} parts; verified, sealed, nothing left to do")
