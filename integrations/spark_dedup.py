#!/usr/bin/env python3
"""Computes the clusters of `warcsieve dedup --tables` with Spark: the same join on bands.parquet and shingles.parquet.

  spark-submit spark_dedup.py DIR... --jaccard 0.75 --out clusters.parquet

Each DIR is the --out folder of a `dedup --tables` run. The pages of all folders are numbered together: those of a later
folder come after those of an earlier one. It finds only near duplicates, so run `dedup` without --exact. The result has
the columns of clusters.parquet, except `rule`. It needs pyspark.
"""
import argparse

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

# The pages of a key are compared with its 32 lowest page numbers, as in `dedup`.
PIVOTS = 32


def read(spark, folders, table):
    """A table of all folders, with pages numbered through."""
    parts, begin = [], 0
    for folder in folders:
        part = spark.read.parquet(f"{folder}/{table}.parquet")
        parts.append(part.withColumn("page", f.col("page") + f.lit(begin)))
        begin += spark.read.parquet(f"{folder}/shingles.parquet").count()
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.unionByName(part)
    return whole


def similarity(x, y):
    both = f.size(f.array_intersect(x, y))
    return both / (f.size(x) + f.size(y) - both)


def duplicates(bands, shingles, jaccard):
    """Pairs that share a key and are as alike, the lesser page first."""
    ranked = bands.withColumn("n", f.row_number().over(Window.partitionBy("key").orderBy("page")))
    a = ranked.filter(f.col("n") <= PIVOTS).select("key", f.col("page").alias("a"))
    b = ranked.select("key", f.col("page").alias("b"))
    candidates = a.join(b, "key").filter("a < b").select("a", "b").distinct()
    x = shingles.select(f.col("page").alias("a"), f.col("shingles").alias("x"))
    y = shingles.select(f.col("page").alias("b"), f.col("shingles").alias("y"))
    compared = candidates.join(x, "a").join(y, "b")
    return compared.filter(similarity(f.col("x"), f.col("y")) >= jaccard).select("a", "b")


def components(edges):
    """The least page of each page's cluster: everybody takes the least that any neighbour knows, until none changes."""
    both = edges.union(edges.select("b", "a")).distinct().cache()
    known = both.select(f.col("a").alias("page")).distinct().withColumn("cluster", f.col("page"))
    while True:
        heard = both.join(known, both.b == known.page).groupBy("a").agg(f.min("cluster").alias("heard"))
        next_known = known.join(heard, known.page == heard.a)
        next_known = next_known.select("page", f.least("cluster", "heard").alias("cluster")).localCheckpoint()
        changed = next_known.join(known.withColumnRenamed("cluster", "before"), "page").filter("cluster < before").count()
        known = next_known
        if changed == 0:
            return known


def clusters(spark, folders, jaccard):
    bands, shingles = read(spark, folders, "bands"), read(spark, folders, "shingles").cache()
    known = components(duplicates(bands, shingles, jaccard))
    sizes = known.groupBy("cluster").agg(f.count("*").alias("cluster_size"))
    own = shingles.select("page", "id", f.col("shingles").alias("x"))
    kept = shingles.select(f.col("page").alias("cluster"), f.col("id").alias("kept_id"), f.col("shingles").alias("y"))
    rows = known.join(sizes, "cluster").join(own, "page").join(kept, "cluster")
    rows = rows.withColumn("jaccard", similarity(f.col("x"), f.col("y")))
    return rows.orderBy("page").select("id", "kept_id", "cluster", "cluster_size", "jaccard")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--jaccard", type=float, default=0.75, help="least similarity of duplicates")
    parser.add_argument("--out", required=True, help="folder of the table")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("warcsieve-dedup").getOrCreate()
    clusters(spark, arguments.folders, arguments.jaccard).write.parquet(arguments.out)


if __name__ == "__main__":
    main()
