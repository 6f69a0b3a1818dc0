-- Computes the clusters of `warcsieve dedup --tables` with DuckDB: the same join on bands.parquet and shingles.parquet.
--
--   duckdb -c "SET VARIABLE folder = 'DIR'; SET VARIABLE jaccard = 0.75" -f duplicates.sql
--
-- It finds only near duplicates, so run `dedup` without --exact. `page` is the number of a page in the order of folders,
-- inputs and rows. The result has the columns of clusters.parquet, except `rule`.

-- The pages of a key are compared with its 32 lowest page numbers, as in `dedup`.
CREATE TEMP TABLE ranked AS
SELECT page, key, row_number() OVER (PARTITION BY key ORDER BY page) AS n
FROM read_parquet(getvariable('folder') || '/bands.parquet');

CREATE TEMP TABLE duplicates AS
WITH candidates AS (
  SELECT DISTINCT a.page AS a, b.page AS b
  FROM ranked a JOIN ranked b USING (key)
  WHERE a.n <= 32 AND a.page < b.page
), compared AS (
  SELECT a, b, len(list_intersect(x.shingles, y.shingles)) AS shared,
    len(x.shingles) + len(y.shingles) AS sizes
  FROM candidates
  JOIN read_parquet(getvariable('folder') || '/shingles.parquet') x ON x.page = a
  JOIN read_parquet(getvariable('folder') || '/shingles.parquet') y ON y.page = b
)
SELECT a, b FROM compared WHERE shared / (sizes - shared) >= getvariable('jaccard');

-- Each page takes the lowest page number that any of its neighbours has, until nothing changes.
CREATE TEMP TABLE clusters AS
WITH RECURSIVE edges AS (
  SELECT a, b FROM duplicates UNION SELECT b, a FROM duplicates
), reach(page, root) AS (
  SELECT a, a FROM edges UNION SELECT edges.b, reach.root FROM reach JOIN edges ON edges.a = reach.page
    WHERE reach.root < edges.b
)
SELECT page, min(root) AS cluster FROM reach GROUP BY page;

SELECT x.id, y.id AS kept_id, cluster, count(*) OVER (PARTITION BY cluster) AS cluster_size,
  len(list_intersect(x.shingles, y.shingles))
    / (len(x.shingles) + len(y.shingles) - len(list_intersect(x.shingles, y.shingles))) AS jaccard
FROM clusters
JOIN read_parquet(getvariable('folder') || '/shingles.parquet') x USING (page)
JOIN read_parquet(getvariable('folder') || '/shingles.parquet') y ON y.page = cluster
ORDER BY page;
