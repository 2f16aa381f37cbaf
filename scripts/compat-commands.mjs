/**
 * Perun's and perfbase's commands with their options, and what becomes of them here. `npm run compat` writes the tables
 * of docs/perun.md and docs/perfbase.md from them; test/cli/compat-tables.test.ts runs every example.
 *
 * A command has `options` that work, each as its spellings separated by blanks, `examples` in which each of them occurs,
 * and `refused` options, each with the reason that the program prints and an example. `needs`: tools without which its
 * examples fail.
 */

const lookup = ["-m --minor"];
const named = ["-ot --output-filename-template"];
const keys = ["-per --per-key", "-of --of-key"];

/** Options of chart views after their own. */
const look = ["-f --filename", "-xl --x-axis-label", "-yl --y-axis-label", "-gt --graph-title", "-v --view-in-browser"];
const drawn = "-f out.html -xl X -yl=Y -gt Title -v";

const noOptimization = "earlier profiles do not limit tracing";
const noCallGraph = "no call graph limits tracing";
const unused = "there are no temporary files";
const systemTap = "it observes SystemTap, which is not used";

export const perun = [
  {
    command: "perun",
    options: ["-d --dev-mode", "--no-pager", "-nc --no-color", "-y --say-yes", "-v --verbose", "--version"],
    examples: ["-d --no-pager -nc -y -v status", "--dev-mode --no-color --say-yes --verbose status", "--version"],
    refused: [["-m --metrics", "perfkeep records no metrics of itself", "-m file.json id status"]],
  },
  {
    command: "init",
    options: ["--vcs-type", "--vcs-path", "--vcs-param", "--vcs-flag", "-c --configure", "-t --config-template"],
    examples: [
      "init --vcs-type git --vcs-path new -t developer new",
      "init --vcs-type git --vcs-param initial-branch main --vcs-flag quiet --config-template user other",
      "init -c edited",
    ],
  },
  {
    command: "config",
    options: ["-l --local", "-h --shared", "-n --nearest"],
    examples: ["config -n get vcs.type", "config -l get vcs.type", "config -h set general.paging never"],
  },
  { command: "config get", options: [], examples: ["config -l get vcs.type", "config --nearest get general.paging"] },
  {
    command: "config set",
    options: [],
    examples: ["config --shared set general.paging never", "config -h set general.editor true"],
  },
  { command: "config edit", options: [], examples: ["config --local edit"] },
  { command: "config reset", options: [], examples: ["config reset developer"] },
  {
    command: "add",
    options: [...lookup, "--keep-profile", "-f --force"],
    examples: ["add --keep-profile -m HEAD mixed.perf", "add --minor HEAD~1 -f --keep-profile mixed.perf"],
  },
  { command: "rm", options: lookup, examples: ["rm -m HEAD one.perf"] },
  { command: "status", options: ["-s --short", "-sb --sort-by"], examples: ["status -s", "status --short -sb source"] },
  { command: "log", options: ["-s --short"], examples: ["log -s HEAD~1", "log --short"] },
  { command: "show", options: lookup, examples: ["show -m HEAD one.perf tableof -ts resources"] },
  {
    command: "show bars",
    options: ["-o --of", "-p --per", "-b --by", "-s --stacked", "-g --grouped", ...look],
    examples: [
      `show mixed.perf bars sum -o amount -p uid -b subtype -s ${drawn}`,
      "show mixed.perf bars mean --of amount --per uid --by subtype --grouped",
    ],
  },
  {
    command: "show flow",
    options: ["-o --of", "-t --through", "-b --by", "-s --stacked", "--accumulate", "--no-accumulate", ...look],
    examples: [
      `show mixed.perf flow sum -o amount -t structure-unit-size -b uid -s --accumulate ${drawn}`,
      "show mixed.perf flow sum -o amount -t structure-unit-size --no-accumulate",
    ],
  },
  {
    command: "show scatter",
    options: ["-o --of", "-p --per", ...look],
    examples: [`show mixed.perf scatter -o amount -p structure-unit-size ${drawn}`],
  },
  {
    command: "show flamegraph",
    options: ["-f --filename", "-h --graph-height"],
    examples: ["show memory.perf flamegraph -f flames.svg -h 25"],
  },
  {
    command: "show tableof",
    options: ["-tf --to-file", "-ts --to-stdout", "-of --output-file", "-f --format"],
    examples: ["show mixed.perf tableof -tf -of table.md -f github resources", "show mixed.perf tableof -ts resources"],
  },
  {
    command: "show tableof resources",
    options: ["-h --headers", "-s --sort-by", "-f --filter-by"],
    examples: ["show mixed.perf tableof -ts resources -h amount -s amount -f uid f"],
  },
  {
    command: "show tableof models",
    options: ["-h --headers", "-s --sort-by", "-f --filter-by"],
    examples: ["show mixed.perf tableof -ts models -h uid -s r_square -f model linear"],
  },
  { command: "showdiff", options: lookup, examples: ["showdiff -m HEAD memory.perf memory2.perf table"] },
  {
    command: "showdiff table",
    options: ["-n --top-n", "-f --filter", "-g --group-by"],
    examples: ["showdiff memory.perf memory2.perf table -n 5 -g origin -f type memory"],
  },
  {
    command: "showdiff report",
    options: ["-o --output-file"],
    examples: ["showdiff memory.perf memory2.perf report -o report.html"],
  },
  {
    command: "showdiff flamegraph",
    options: ["-w --width", "-h --height", "-o --output-file"],
    examples: ["showdiff memory.perf memory2.perf flamegraph -w 700 -h 15 -o flames.html"],
  },
  {
    command: "postprocessby",
    options: [...named, ...lookup],
    examples: ["postprocessby -ot derived -m HEAD one.perf regressogram -per order"],
  },
  {
    command: "postprocessby regression-analysis",
    options: ["-m --method", "-r --regression_models", "-s --steps", "-dp --depending-on", "-o --of"],
    examples: [
      "postprocessby mixed.perf regression-analysis -m interval -r linear -s 2 -dp structure-unit-size -o amount",
      "postprocessby mixed.perf regression_analysis --method=full --regression_models all --of amount",
    ],
  },
  {
    command: "postprocessby regressogram",
    options: ["-bn --bucket_number", "-bm --bucket_method", "-sf --statistic_function", ...keys],
    examples: [
      "postprocessby mixed.perf regressogram -bn 3 -sf median -per structure-unit-size -of amount",
      "postprocessby mixed.perf regressogram -bm=doane --statistic_function mean",
    ],
  },
  {
    command: "postprocessby moving-average",
    options: ["-mp --min_periods", ...keys],
    examples: ["postprocessby mixed.perf moving-average -mp 1 -per structure-unit-size -of amount"],
  },
  {
    command: "postprocessby moving-average sma",
    options: ["-ww --window_width", "--center", "--no-center", "-wt --window_type"],
    examples: [
      "postprocessby mixed.perf moving-average sma -ww 3 --center -wt hamming",
      "postprocessby mixed.perf moving-average sma --window_width 3 --no-center",
    ],
  },
  {
    command: "postprocessby moving-average smm",
    options: ["-ww --window_width", "--center", "--no-center"],
    examples: [
      "postprocessby mixed.perf moving-average smm -ww 3 --center",
      "postprocessby mixed.perf moving-average smm --no-center",
    ],
  },
  {
    command: "postprocessby moving-average ema",
    options: ["-d --decay"],
    examples: ["postprocessby mixed.perf moving-average ema -d span 3", "postprocessby mixed.perf moving-average ema"],
  },
  {
    command: "postprocessby kernel-regression",
    options: keys,
    examples: ["postprocessby mixed.perf kernel-regression -per structure-unit-size -of amount"],
  },
  {
    command: "postprocessby kernel-regression estimator-settings",
    options: [
      "-rt --reg-type",
      "-bw --bandwidth-method",
      "--efficient",
      "--uniformly",
      "--randomize",
      "--no-randomize",
      "-ns --n-sub-samples",
      "-nr --n-re-samples",
      "--return-median",
      "--return-mean",
    ],
    examples: [
      "postprocessby mixed.perf kernel-regression estimator-settings -rt lc -bw aic --uniformly --no-randomize",
      "postprocessby mixed.perf kernel-regression estimator-settings --bandwidth-method cv_ls --efficient --randomize " +
        "-ns 10 -nr 5 --return-median",
      "postprocessby mixed.perf kernel-regression estimator-settings -rt ll --return-mean",
    ],
  },
  {
    command: "postprocessby kernel-regression user-selection",
    options: ["-rt --reg-type", "-bv --bandwidth-value"],
    examples: ["postprocessby mixed.perf kernel-regression user-selection -rt ll -bv 2"],
  },
  {
    command: "postprocessby kernel-regression method-selection",
    options: ["-rt --reg-type", "-bm --bandwidth-method"],
    examples: ["postprocessby mixed.perf kernel-regression method-selection -rt lc --bandwidth-method silverman"],
  },
  {
    command: "postprocessby kernel-regression kernel-smoothing",
    options: [
      "-kt --kernel-type",
      "-sm --smoothing-method",
      "-bm --bandwidth-method",
      "-bv --bandwidth-value",
      "-q --polynomial-order",
    ],
    examples: [
      "postprocessby mixed.perf kernel-regression kernel-smoothing -kt tricube -sm local-polynomial -bm scott -q 2",
      "postprocessby mixed.perf kernel-regression kernel-smoothing -bv 2",
    ],
  },
  {
    command: "postprocessby kernel-regression kernel-ridge",
    options: ["-gr --gamma-range", "-gs --gamma-step"],
    examples: ["postprocessby mixed.perf kernel-regression kernel-ridge -gr 1e-5 1e-4 -gs 1e-5"],
  },
  {
    command: "collect",
    options: [
      "-pn --profile-name",
      "-m --minor-version",
      "-cp --crawl-parents",
      "-c --cmd",
      "-w --workload",
      "-p --params",
      ...named,
    ],
    examples: [
      "collect -pn mine -c true -w x -p '{repeat: 1}' time",
      "collect -ot=%collector% -m HEAD -cp -c true time",
    ],
    refused: [
      ["-a --args", "a command has no arguments except its workload", "collect -c true -a x time"],
      ["-op --optimization-pipeline", noOptimization, "collect -c true -op full time"],
      ["-on --optimization-on", noOptimization, "collect -c true -on baseline-static time"],
      ["-off --optimization-off", noOptimization, "collect -c true -off baseline-static time"],
      ["-oa --optimization-args", noOptimization, "collect -c true -oa diff-keep-leaf true time"],
      ["--optimization-cache-off", noOptimization, "collect -c true --optimization-cache-off time"],
      ["--optimization-reset-cache", noOptimization, "collect -c true --optimization-reset-cache time"],
      ["-cg --use-cg-type", noOptimization, "collect -c true -cg static time"],
    ],
  },
  {
    command: "collect time",
    options: ["-w --warmup", "-r --repeat"],
    examples: ["collect -c true time -w 0 -r 1"],
  },
  {
    command: "collect memory",
    options: ["-s --sampling", "--no-source", "--no-func", "-a --all"],
    examples: ["collect -c true memory -s 0.1 --no-source x.c --no-func f -a"],
    needs: "a C compiler",
  },
  {
    command: "collect complexity",
    options: ["-t --target-dir", "-f --files", "-r --rules", "-id --internal-direct-output", "-s --sampling"],
    examples: ["collect -c ./none complexity -t built -f main.c -r main -id -s main 2"],
    needs: "GCC",
    refused: [
      ["-if --internal-data-filename", "the log is not kept", "collect -c true complexity -if x"],
      ["-is --internal-storage-size", "calls are not buffered in the program", "collect -c true complexity -is 5"],
    ],
  },
  {
    command: "collect kperf",
    options: ["-s --with-sudo", "-w --warmup", "-r --repeat"],
    examples: ["collect -c true kperf -s -w 0 -r 1"],
    needs: "perf",
  },
  {
    command: "collect bounds",
    options: [],
    examples: [],
    refused: [["", "it requires Loopus", "collect -c true bounds -s a.c -d ."]],
  },
  {
    command: "collect trace",
    options: [
      "-e --engine",
      "-s --strategy",
      "-f --func",
      "-u --usdt",
      "-g --global-sampling",
      "--with-usdt",
      "--no-usdt",
      "-b --binary",
      "-l --libs",
      "-t --timeout",
      "-q --quiet",
      "-o --output-handling",
      "-sc --stap-cache-off",
    ],
    examples: [
      "collect -c ./none trace -e ebpf -s custom -f main#2 -u probe -g 2 --with-usdt -b /bin/true -l libc.so.6",
      "collect -c ./none trace --no-usdt -t 5 -q -o suppress -sc",
    ],
    needs: "perf or GCC",
    refused: [
      ["-d --dynamic", "probes defined with perf have no names", "collect -c true trace -d main"],
      ["-z --zip-temps", unused, "collect -c true trace -z"],
      ["-k --keep-temps", unused, "collect -c true trace -k"],
      ["-vt --verbose-trace", "there is no verbose event log", "collect -c true trace -vt"],
      ["-w --watchdog", systemTap, "collect -c true trace -w"],
      ["-i --diagnostics", systemTap, "collect -c true trace -i"],
      ["-np --no-profile", "the result is always a profile", "collect -c true trace -np"],
      ["-mcg --extract-mixed-cg", noCallGraph, "collect -c true trace -mcg"],
      ["-cg --only-extract-cg", noCallGraph, "collect -c true trace -cg"],
      ["-mt", "every thread is traced", "collect -c true trace -mt"],
      ["-nds", "sampling never changes in a run", "collect -c true trace -nds"],
    ],
  },
  {
    command: "run",
    options: [...named, "-m --minor-version", "-c --crawl-parents"],
    examples: ["run -ot named -m HEAD -c job -b true -c time"],
    refused: [["-f --force-dirty", "commits are measured in work trees of their own", "run -f matrix"]],
  },
  {
    command: "run matrix",
    options: ["-q --without-vcs-history"],
    examples: ["run matrix -q"],
  },
  {
    command: "run job",
    options: [
      "-b --cmd",
      "-c --collector",
      "-w --workload",
      "-cp --collector-params",
      "-p --postprocessor",
      "-pp --postprocessor-params",
    ],
    examples: [
      "run job -b true -c time -w x -cp time '{repeat: 1}' -p regressogram -pp regressogram '{per-key: order}'",
    ],
    refused: [["-a --args", "a command has no arguments except its workload", "run job -b true -c time -a x"]],
  },
  {
    command: "check",
    options: ["-f --force", "-c --compute-missing", "-m --models-type"],
    examples: ["check -f -m all-param profiles one.perf mixed.perf", "check -c head", "check -m best-model all"],
    refused: [
      ["-f --force with head or all", "only comparable profiles are compared", "check -f head"],
      ["-m with head or all, except best-model", "a history is compared by its best models", "check -m all-param all"],
    ],
  },
  { command: "check head", options: [], examples: ["check head HEAD~1"] },
  { command: "check all", options: [], examples: ["check all"] },
  {
    command: "check profiles",
    options: lookup,
    examples: ["check profiles memory.perf memory2.perf -m HEAD"],
    refused: [["-c --compute-missing with profiles", "both profiles are named", "check -c profiles one.perf one.perf"]],
  },
  {
    command: "fuzz",
    options: [
      "-b --cmd",
      "-w --input-sample",
      "-o --output-dir",
      "-c --collector",
      "-cp --collector-params",
      "-p --postprocessor",
      "-pp --postprocessor-params",
      "-m --minor-version",
      "-wf --workloads-filter",
      "--skip-coverage-testing",
      "-s --source-path",
      "-g --gcno-path",
      "-t --timeout",
      "-h --hang-timeout",
      "-N --max",
      "-mi --max-size-increase",
      "-mp --max-size-percentual",
      "-e --exec-limit",
      "-l --interesting-files-limit",
      "-cr --coverage-increase-rate",
      "-mpr --mutations-per-rule",
      "-r --regex-rules",
      "-np --no-plotting",
    ],
    examples: [
      "fuzz -b true -w sample.txt -o fuzzed -c time -cp time '{warmup: 0, repeat: 1}' -p regressogram " +
        "-pp regressogram '{per-key: order}' -m HEAD -wf txt --skip-coverage-testing -s . -g . -t 20 -h 2 -N 100 " +
        "-e 2 -l 1 -cr 1.5 -mpr unitary -r rules.yml -np --runs 2",
      "fuzz -b true -w sample.txt -o fuzzed2 -c time -t 20 -mi 100 -np --runs 1",
      "fuzz -b true -w sample.txt -o fuzzed3 -c time -t 20 -mp 2 -np --runs 1",
    ],
  },
  {
    command: "utils create",
    options: ["-nb --no-before-phase", "-na --no-after-phase", "-ne --no-edit"],
    examples: ["utils create collect mine -nb -na -ne", "utils create view drawn", "utils create check judged"],
    refused: [["-st --supported-type", "a skeleton reads profiles of every type", "utils create view x -st time"]],
  },
  {
    command: "utils temp list",
    options: [
      "-t --no-total-size",
      "-f --no-file-size",
      "-p --no-protection-level",
      "-s --sort-by",
      "-fp --filter-protection",
    ],
    examples: ["utils temp list -t -f -p -s size -fp unprotected", "utils temp list dir"],
  },
  {
    command: "utils temp delete",
    options: ["-w --warn", "-f --force", "-k --keep-directories"],
    examples: ["utils temp delete -w -f -k dir"],
  },
  { command: "utils temp sync", options: [], examples: ["utils temp sync"] },
  {
    command: "utils stats list-files",
    options: [
      "-N --top",
      "-m --from-minor",
      "-i --no-minor",
      "-f --no-file-size",
      "-t --no-total-size",
      "-s --sort-by-size",
    ],
    examples: ["utils stats list-files -N 0 -m HEAD -i -f -t -s"],
  },
  {
    command: "utils stats list-versions",
    options: [
      "-N --top",
      "-m --from-minor",
      "-d --no-dir-size",
      "-f --no-file-count",
      "-t --no-total-size",
      "-s --sort-by-size",
    ],
    examples: ["utils stats list-versions -N 5 -m HEAD -d -f -t -s"],
  },
  {
    command: "utils stats delete file",
    options: ["-m --in-minor", "-k --keep-directory"],
    examples: ["utils stats delete file -m HEAD -k first"],
  },
  {
    command: "utils stats delete minor",
    options: ["-k --keep-directory"],
    examples: ["utils stats delete minor -k HEAD"],
  },
  { command: "utils stats delete .", options: ["-k --keep-directory"], examples: ["utils stats delete . -k"] },
  {
    command: "utils stats clean",
    options: ["-c --keep-custom", "-e --keep-empty"],
    examples: ["utils stats clean -c -e"],
  },
  { command: "utils stats sync", options: [], examples: ["utils stats sync"] },
];
