"""Reads a crawl on two executors of which one is killed; writes how often inputs were begun, and all rows, as JSON.

usage: spark_cluster.py CRAWL FOLDER OUT.json; FOLDER is made, for notes of the tasks
"""

import json
import os
import signal
import sys
import uuid

from pyspark.sql import SparkSession

from warcsieve.integrations.spark import WarcsieveDataSource, WarcsieveReader


def parent(process: int) -> int:
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


class KillingReader(WarcsieveReader):
    """Kills the executor of the first task that has sent a batch."""

    def read(self, partition):
        begun = os.path.join(self.notes, f"begun-{uuid.uuid4()}")
        os.close(os.open(begun, os.O_CREAT))
        batches = super().read(partition)
        yield next(batches)
        try:
            os.close(os.open(os.path.join(self.notes, "killed"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
            return
        # Above the worker and its daemon; the worker goes, too, or it would hold what it inherited.
        os.kill(parent(os.getppid()), signal.SIGKILL)
        os._exit(1)


class KillingSource(WarcsieveDataSource):
    def reader(self, schema):
        reader = KillingReader(self.options, self._table(), self._pipeline(), schema)
        reader.notes = self.options["notes"]
        return reader


def main() -> None:
    crawl, notes, out = sys.argv[1:]
    os.mkdir(notes)
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "1g")
        .getOrCreate()
    )
    spark.dataSource.register(KillingSource)
    frame = spark.read.format("warcsieve").option("columns", "id,text").option("notes", notes).load(crawl)
    rows = [[row.id, row.text] for row in frame.collect()]
    begun = sum(name.startswith("begun-") for name in os.listdir(notes))
    killed = os.path.exists(os.path.join(notes, "killed"))
    with open(out, "w") as file:
        json.dump({"begun": begun, "killed": killed, "rows": rows}, file)
    spark.stop()


if __name__ == "__main__":
    main()
