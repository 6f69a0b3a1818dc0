//! Long runs, killed runs, broken disks, stores and clusters.

use crate::task::{Key, NETWORK, PROGRAM, SYNTHETIC, Step, Task, Theme};

const SCALE: Key = Key {
    name: "SCALE",
    help: "a share of the sizes, such as SCALE=0.1",
};

const WRITERS: Key = Key {
    name: "WRITERS",
    help: "some of the commands, such as WRITERS=clean,cdx",
};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Memory, faults and scale",
    tasks: &[
        Task {
            name: "failures",
            does: "Runs each command that writes again and again, and lets another call to the system fail each \
                   time: the command must say so, what is there must be true, and the next run must write the rest. \
                   The same with crashes that lose what was not synced.",
            needs: &["glibc", "a C compiler"],
            takes: "1 hour",
            keys: &[
                Key {
                    name: "CALLS",
                    help: "how many calls of a kind fail, one a run: 200 if not given",
                },
                WRITERS,
            ],
            steps: &[Step::Run(
                "WARCSIEVE_FAILURES={CALLS:200} [WARCSIEVE_WRITERS={WRITERS}] cargo test --features {all} --test it -- \
                 disturbed::failures disturbed::crashes --nocapture",
            )],
        },
        Task {
            name: "forecast-check",
            does: "Compares what `plan` predicts from 1 % of a synthetic crawl with what `clean` takes. It uses \
                   real pages, too, if the labelled corpora are there.",
            needs: &[],
            takes: "2 minutes",
            keys: &[Key {
                name: "MEGABYTES",
                help: "the size of the crawl: 2000 if not given",
            }],
            steps: &[
                PROGRAM,
                SYNTHETIC,
                Step::Run(
                    "python3 scripts/forecast_check.py {bin} {synthetic} {MEGABYTES:2000} {shared}",
                ),
            ],
        },
        Task {
            name: "kill",
            does: "Kills a run with SIGKILL at random moments, runs it again, and compares every output.",
            needs: &[],
            takes: "5 minutes",
            keys: &[Key {
                name: "KILLS",
                help: "how many times: 50 if not given",
            }],
            steps: &[PROGRAM, Step::Run("sh scripts/kill.sh {bin} [{KILLS}]")],
        },
        Task {
            name: "kill-inside",
            does: "Kills a run on one large file at many moments in a row, then compares every output.",
            needs: &[],
            takes: "10 minutes",
            keys: &[
                Key {
                    name: "GB",
                    help: "the size of the file in gigabytes: 2 if not given",
                },
                Key {
                    name: "KILLS",
                    help: "how many times: 50 if not given",
                },
            ],
            steps: &[
                PROGRAM,
                SYNTHETIC,
                Step::Run("python3 scripts/kill_inside.py {bin} {synthetic} {GB:2} {KILLS:50}"),
            ],
        },
        Task {
            name: "races",
            does: "Runs each command that writes in three processes at once on one place: each must end with 0 or \
                   75, and what is there must be what one of them writes.",
            needs: &["Linux"],
            takes: "20 minutes",
            keys: &[
                Key {
                    name: "ROUNDS",
                    help: "how many times: 200 if not given",
                },
                WRITERS,
            ],
            steps: &[Step::Run(
                "WARCSIEVE_RACES={ROUNDS:200} [WARCSIEVE_WRITERS={WRITERS}] cargo test --features {all} --test it -- \
                 disturbed::races --nocapture",
            )],
        },
        Task {
            name: "soak",
            does: "Measures the peak of memory on single-stream files of 2 GB and 1 GB.",
            needs: &[],
            takes: "6 minutes",
            keys: &[
                Key {
                    name: "PART",
                    help: "another part: files, tiny, empty, large, threads, pages, hostile, skips, pair or nesting",
                },
                SCALE,
            ],
            steps: &[
                PROGRAM,
                Step::Run("BIN={bin} [SCALE={SCALE}] sh scripts/soak.sh {PART:stream}"),
            ],
        },
        Task {
            name: "soak-hour",
            does: "Runs all parts of the soak: 1,000 and 20,000 files, 10 million records, 3 GB in one record, \
                   and killed processes.",
            needs: &["8 GB of disk"],
            takes: "1 hour",
            keys: &[SCALE],
            steps: &[
                PROGRAM,
                Step::Run("BIN={bin} [SCALE={SCALE}] sh scripts/soak.sh all"),
            ],
        },
        Task {
            name: "spark-test",
            does: "Compares the output of Spark under faults with that of one machine: retries, a killed \
                   executor, speculation, shipping.",
            needs: &["Java 17", NETWORK],
            takes: "5 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                SYNTHETIC,
                Step::Python {
                    modules: "pyspark",
                    packages: "pyspark==4.*",
                    run: "scripts/spark_test.py {bin} {synthetic}",
                },
            ],
        },
        Task {
            name: "store-test",
            does: "Compares runs from and to an independent S3 server (moto) with runs on files.",
            needs: &[NETWORK],
            takes: "1 minute",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "moto.server,boto3",
                    packages: "moto[s3,server] boto3",
                    run: "scripts/stores.py {bin}",
                },
            ],
        },
    ],
};
