//! The job files in `integrations/jobs/`: what their schedulers would run is run here, and its exit
//! codes are held against them.
use crate::common::{assert_same, contents, warcsieve};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use yaml_rust2::{Yaml, YamlLoader};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for the search path, with the program, or what takes its place, and a `scontrol` that
/// writes down its arguments.
fn programs(folder: &Path, program: Option<&str>) -> String {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let real = format!("exec {} \"$@\"", env!("CARGO_BIN_EXE_warcsieve"));
    let scontrol = format!("echo \"$@\" >>{}/requeued", folder.display());
    for (name, script) in [
        ("warcsieve", program.unwrap_or(&real)),
        ("scontrol", &scontrol),
    ] {
        fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

/// The crawl in testdata as a list, and what one process makes of it.
fn whole(folder: &Path) -> (String, PathBuf) {
    let list = folder.join("warc.list");
    let names = [
        "damaged/02.warc.gz",
        "en0000/00.warc.gz",
        "en0000/01.warc.gz",
        "old/crawl.arc.gz",
        "zst/03.warc.zst",
    ];
    let crawl = repository().join("testdata/crawl");
    let lines = names.map(|name| crawl.join(name).display().to_string());
    fs::write(&list, lines.join("\n")).unwrap();
    let list = format!("@{}", list.display());
    let out = folder.join("whole");
    let (code, _, log) = warcsieve(&["clean", &list, "--out", out.to_str().unwrap(), "--quiet"]);
    assert_eq!(code, 10, "{log}");
    (list, out)
}

fn slurm(folder: &Path, path: &str, task: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command
        .current_dir(folder)
        .env("SLURM_SUBMIT_DIR", folder)
        .arg(repository().join("integrations/jobs/slurm.sh"))
        .args(arguments)
        .env("PATH", path)
        .env("SLURM_ARRAY_JOB_ID", "77")
        .env("SLURM_ARRAY_TASK_ID", task.to_string())
        .env("SLURM_ARRAY_TASK_MIN", "4")
        .env("SLURM_ARRAY_TASK_MAX", "8")
        .env("SLURM_ARRAY_TASK_COUNT", "3")
        .env("SLURM_ARRAY_TASK_STEP", "2")
        .env("SLURM_CPUS_PER_TASK", "2");
    command
}

#[test]
fn a_slurm_array_writes_what_one_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = whole(folder.path());
    let path = programs(folder.path(), None);
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let crawl = repository().join("testdata");
    let options = format!("--base {}", crawl.display());
    let mut whole = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
    whole.args(["clean", &list, "--quiet", "--base"]).arg(crawl);
    let based = folder.path().join("based");
    assert_eq!(
        whole
            .arg("--out")
            .arg(&based)
            .output()
            .unwrap()
            .status
            .code(),
        Some(10)
    );
    for task in [8, 4, 6] {
        let done = slurm(folder.path(), &path, task, &[&list, out, "--quiet"])
            .env("OPTIONS", &options)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        assert!(!Path::new(out).join("_SUCCESS").exists());
    }
    let script = fs::read_to_string(repository().join("integrations/jobs/slurm.sh")).unwrap();
    let docs = fs::read_to_string(repository().join("docs/scale/arrays.md")).unwrap();
    let seal = |text: &str| {
        let line = text.lines().find(|l| l.contains("--wrap")).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    assert_eq!(seal(&script), seal(&docs));
    let line = seal(&script)
        .replace("/scratch/corpus", out)
        .replace("@warc.list", &list);
    let sealed = Command::new("sh")
        .args(["-c", &line])
        .env("PATH", &path)
        .env("OPTIONS", &options)
        .output()
        .unwrap();
    assert_eq!(sealed.status.code(), Some(10), "{sealed:?}");
    assert_same(&contents(&based), &contents(Path::new(out)), "slurm");
    assert!(!folder.path().join("requeued").exists());
}

#[test]
fn a_part_of_a_slurm_array_takes_the_shares_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = programs(folder.path(), Some("echo \"$@\""));
    let share = |variables: &[(&str, &str)], task| {
        let done = slurm(folder.path(), &path, task, &["@list", "out"])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        let mut words = said.split(' ').skip_while(|w| *w != "--shard").skip(1);
        (done.status.code(), words.next().map(str::to_owned))
    };
    let gaps = ("SLURM_ARRAY_TASK_MAX", "40");
    assert_eq!(share(&[], 6), (Some(0), Some("2/3".to_owned())));
    assert_eq!(share(&[gaps], 6), (Some(2), None));
    let part = share(&[gaps, ("SHARES", "64")], 40);
    assert_eq!(part, (Some(0), Some("41/64".to_owned())));
    let part = share(&[gaps, ("SHARES", "64"), ("OFFSET", "1")], 40);
    assert_eq!(part, (Some(0), Some("40/64".to_owned())));
}

/// The exit code of the task, and what it asked Slurm for, after so many failures before.
fn outcome(program: &str, failures: usize) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = programs(folder.path(), Some(program));
    let requeued = folder.path().join("requeued");
    for _ in 0..failures {
        let fails = programs(folder.path(), Some("exit 75"));
        slurm(folder.path(), &fails, 6, &["@list", "out"])
            .output()
            .unwrap();
        assert!(requeued.exists());
        fs::remove_file(&requeued).unwrap();
    }
    programs(folder.path(), Some(program));
    let done = slurm(folder.path(), &path, 6, &["@list", "out"])
        // Preempted again and again, which is no failure.
        .env("SLURM_RESTART_COUNT", "99")
        .output()
        .unwrap();
    let requeued = fs::read_to_string(requeued).unwrap_or_default();
    if requeued.is_empty() {
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "only the programs are left");
    }
    (done.status.code(), requeued)
}

#[test]
fn slurm_tasks_are_queued_again_where_that_helps() {
    let again = || "requeue 77_6\n".to_owned();
    for failures in [0, 1] {
        assert_eq!(outcome("exit 0", failures), (Some(0), String::new()));
        assert_eq!(outcome("exit 10", failures), (Some(0), String::new()));
    }
    for code in [1, 2, 42] {
        let program = format!("exit {code}");
        assert_eq!(outcome(&program, 0), (Some(code), String::new()));
    }
    assert_eq!(outcome("exit 75", 4), (Some(75), again()));
    assert_eq!(outcome("exit 75", 5), (Some(75), String::new()));
    assert_eq!(outcome("kill -9 $$", 0), (Some(137), again()));
}

#[test]
fn a_slurm_task_that_is_cut_off_ends_its_child() {
    for (signal, code, asked) in [("USR1", 143, "requeue 77_4\n"), ("TERM", 143, "")] {
        let folder = tempfile::tempdir().unwrap();
        let begun = folder.path().join("begun");
        let program = format!(
            "echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600",
            begun.display()
        );
        let path = programs(folder.path(), Some(&program));
        let mut task = slurm(folder.path(), &path, 4, &["@list", "out"])
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !begun.exists() {
            assert!(start.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(10));
        }
        let kill = |signal: &str, pid: &str| {
            let done = Command::new("kill").args(["-s", signal, pid]).output();
            done.unwrap().status.success()
        };
        assert!(kill(signal, &task.id().to_string()));
        assert_eq!(task.wait().unwrap().code(), Some(code), "{signal}");
        let child = fs::read_to_string(&begun).unwrap();
        assert!(!kill("0", child.trim()), "the child has ended");
        let requeued = fs::read_to_string(folder.path().join("requeued")).unwrap_or_default();
        assert_eq!(requeued, asked, "{signal}");
    }
}

fn job(file: &str) -> Yaml {
    let text = fs::read_to_string(repository().join("integrations/jobs").join(file)).unwrap();
    let mut documents = YamlLoader::load_from_str(&text).unwrap();
    assert_eq!(documents.len(), 1);
    let job = documents.remove(0);
    assert_eq!(job["apiVersion"].as_str(), Some("batch/v1"));
    assert_eq!(job["kind"].as_str(), Some("Job"));
    job
}

/// Runs the container of a job as the kubelet would, with other values for some of its variables.
fn run_container(job: &Yaml, path: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let command: Vec<&str> = container["command"]
        .as_vec()
        .unwrap()
        .iter()
        .map(|part| part.as_str().unwrap())
        .collect();
    let declared = container["env"].as_vec().unwrap();
    for (name, _) in variables {
        let known = declared.iter().any(|v| v["name"].as_str() == Some(name));
        assert!(known || *name == "JOB_COMPLETION_INDEX", "{name}");
    }
    let done = Command::new(command[0])
        .args(&command[1..])
        .env("PATH", path)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    (done.status.code(), text)
}

#[test]
fn a_kubernetes_job_writes_what_one_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (list, whole) = whole(folder.path());
    let path = programs(folder.path(), None);
    let out = folder.path().join("out");
    let (share, seal) = (job("kubernetes.yaml"), job("kubernetes-seal.yaml"));
    let crawl = repository().join("testdata/crawl");
    let options = format!("--base {}", crawl.display());
    let places = [
        ("INPUTS", list.as_str()),
        ("OUT", out.to_str().unwrap()),
        ("OPTIONS", options.as_str()),
    ];
    for index in ["2", "0", "1"] {
        assert_eq!(run_container(&seal, &path, &places).0, Some(75), "not done");
        let counts = [
            ("SHARES", "3"),
            ("THREADS", "1"),
            ("JOB_COMPLETION_INDEX", index),
        ];
        let variables = [&places[..], &counts].concat();
        assert_eq!(run_container(&share, &path, &variables).0, Some(0));
    }
    let (code, report) = run_container(&seal, &path, &places);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("damaged/02.warc.gz: 1 fault,"), "{report}");
    assert_same(&contents(&whole), &contents(&out), "kubernetes");
}

#[test]
fn a_kubernetes_job_retries_what_may_pass() {
    let job = job("kubernetes.yaml");
    let spec = &job["spec"];
    let container = &spec["template"]["spec"]["containers"][0];
    let declared = container["env"].as_vec().unwrap();
    let shares = declared
        .iter()
        .find(|v| v["name"].as_str() == Some("SHARES"));
    let completions = spec["completions"].as_i64().unwrap().to_string();
    assert_eq!(shares.unwrap()["value"].as_str(), Some(&*completions));
    assert!(spec["backoffLimitPerIndex"].as_i64().unwrap() > 0);

    assert!(spec["template"]["spec"]["activeDeadlineSeconds"].as_i64() > Some(0));
    let rules = spec["podFailurePolicy"]["rules"].as_vec().unwrap();
    // A pod that is evicted ends with a code, too, so this rule must be the first.
    let disruption = &rules[0];
    assert_eq!(disruption["action"].as_str(), Some("Ignore"));
    let condition = &disruption["onPodConditions"][0]["type"];
    assert_eq!(condition.as_str(), Some("DisruptionTarget"));
    for rule in &rules[1..] {
        let codes = &rule["onExitCodes"];
        assert_eq!(codes["operator"].as_str(), Some("In"), "{rule:?}");
        assert_eq!(codes["containerName"], container["name"]);
    }
    // The first rule that fits decides.
    let action = |code: i64| {
        let fits = |rule: &&Yaml| {
            let values = rule["onExitCodes"]["values"].as_vec();
            values.is_some_and(|v| v.iter().any(|v| v.as_i64() == Some(code)))
        };
        let rule = rules.iter().find(fits);
        rule.map_or("Count", |rule| rule["action"].as_str().unwrap())
    };
    let variables = [
        ("INPUTS", "@list"),
        ("OUT", "out"),
        ("SHARES", "1"),
        ("THREADS", "1"),
        ("JOB_COMPLETION_INDEX", "0"),
    ];
    for (exit, code, what) in [
        (1, 1, "FailIndex"),
        (2, 2, "FailIndex"),
        (10, 0, "Count"),
        (42, 42, "FailIndex"),
        (75, 75, "Count"),
        (137, 137, "Count"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = programs(folder.path(), Some(&format!("exit {exit}")));
        assert_eq!(run_container(&job, &path, &variables).0, Some(code));
        assert_eq!(action(i64::from(code)), what, "{code}");
    }
}

#[test]
fn an_aws_batch_array_writes_what_one_process_writes() {
    let text = fs::read_to_string(repository().join("integrations/jobs/aws-batch.json")).unwrap();
    let job: serde_json::Value = serde_json::from_str(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (list, whole) = whole(folder.path());
    let path = programs(folder.path(), None);
    let out = folder.path().join("out");
    let command: Vec<&str> = job["containerProperties"]["command"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| match part.as_str().unwrap() {
            "Ref::inputs" => list.as_str(),
            "Ref::out" => out.to_str().unwrap(),
            other => other,
        })
        .collect();
    let run = |path: &str, index: &str| {
        let mut child = Command::new(command[0]);
        child.args(&command[1..]).env("PATH", path);
        child.env("AWS_BATCH_JOB_ARRAY_INDEX", index);
        child.env("AWS_BATCH_JOB_ARRAY_SIZE", "2");
        child.output().unwrap().status.code()
    };
    assert_eq!(run(&path, "1"), Some(0));
    assert_eq!(run(&path, "0"), Some(0));
    assert!(!out.join("_SUCCESS").exists());
    let sealed = Command::new(command[0])
        .args(&command[1..])
        .env("PATH", &path)
        .output()
        .unwrap();
    assert_eq!(sealed.status.code(), Some(0), "{sealed:?}");
    assert!(out.join("_SUCCESS").exists(), "without an array it seals");
    assert_same(&contents(&whole), &contents(&out), "batch");
    assert!(job["timeout"]["attemptDurationSeconds"].as_u64() > Some(0));

    // What no condition names is retried.
    let conditions = job["retryStrategy"]["evaluateOnExit"].as_array().unwrap();
    assert!(conditions.len() <= 5, "more than the service takes");
    for (code, retried) in [(1, false), (2, false), (42, false), (75, true), (137, true)] {
        let text = code.to_string();
        let exit = programs(folder.path(), Some(&format!("exit {code}")));
        assert_eq!(run(&exit, "0"), Some(code));
        let ends = |c: &&serde_json::Value| {
            c["onExitCode"].as_str() == Some(&text) && c["action"] == "EXIT"
        };
        assert_eq!(conditions.iter().find(ends).is_none(), retried, "{code}");
    }
}
