"""Reads a crawl on two executors of which one is killed; prints the ids and texts as JSON.

usage: spark_cluster.py CRAWL MARKER
"""

import json
import os
import signal
import sys
import time

from pyspark.sql import SparkSession

from warcsieve.integrations.spark import WarcsieveDataSource, WarcsieveReader


def parent(process: int) -> int:
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


class KillingReader(WarcsieveReader):
    """Kills the executor of the first task that comes to its second batch."""

    def read(self, partition):
        batches = super().read(partition)
        yield next(batches)
        try:
            os.close(os.open(sys.argv[2] if len(sys.argv) > 2 else self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
            return
        # Above the worker and its daemon.
        os.kill(parent(os.getppid()), signal.SIGKILL)
        time.sleep(600)


class KillingSource(WarcsieveDataSource):
    def reader(self, schema):
        reader = KillingReader(self.options, self._table(), self._pipeline(), schema.fieldNames())
        reader.marker = self.options["marker"]
        return reader


def main() -> None:
    crawl, marker = sys.argv[1:3]
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "1g")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    spark.dataSource.register(KillingSource)
    frame = spark.read.format("warcsieve").option("columns", "id,text").option("marker", marker).load(crawl)
    rows = [[row.id, row.text] for row in frame.collect()]
    killed = os.path.exists(marker)
    spark.stop()
    print(json.dumps({"rows": rows, "killed": killed}))


if __name__ == "__main__":
    main()
