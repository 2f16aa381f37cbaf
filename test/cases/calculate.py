#!/usr/bin/env python3
"""Computes the expected answers of the cases from their raw files, with nothing of perfkeep: see README.md. Python 3, standard library only."""
import math
import re
import statistics
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"


def write(case, name, text):
    path = HERE / case / "expected" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def shown(value):
    """As Python 2 prints it: floats have twelve digits and look like floats."""
    if value is None:
        return "None"
    if isinstance(value, float):
        text = "%.12g" % value
        return text if re.search(r"[.e]|nan|inf", text) else text + ".0"
    return str(value)


class Text:
    """The text of one output: heads are told only where they differ from the one before."""

    def __init__(self):
        self.lines, self.head = [], None

    def add(self, labels, columns, rows):
        head = (["# " + "".join(label + "  " for label in labels)] if labels else []) + ["# " + "".join(c + "\t" for c in columns)]
        if head != self.head:
            self.lines += head
        self.head = head
        self.lines += ["".join(shown(value) + " \t" for value in row) for row in rows]
        return self

    def __str__(self):
        return "".join(line + "\n" for line in self.lines)


def table(labels, columns, rows):
    return str(Text().add(labels, columns, rows))


def quantile(values, percent, upper=False):
    """Of n in order the ceil(n * percent / 100)th, from below or from above; never one between two."""
    ordered = sorted(values, reverse=upper)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


# ---------------------------------------------------------------------------------------------------------- latencies
PERFORMED = {1: 10, 2: 3, 3: 7, 4: 1, 5: 2, 6: 4, 7: 5, 8: 6, 9: 8, 10: 9}
NAMES = ["randread-4k-1", "randread-4k-2", "randread-4k-3", "randread-16k-1", "randread-16k-2"]
NAMES += ["randwrite-4k-1", "randwrite-4k-2", "randwrite-4k-3", "randwrite-16k-1", "randwrite-16k-2"]


def accesses():
    """Each access: run, mode, repetition, and from its line time, latency and size."""
    rows = []
    for run, name in enumerate(NAMES, 1):
        mode, _, repetition = name.split("-")
        for line in (HERE / "latencies/data" / (name + ".log")).read_text().splitlines():
            time, latency, _, size, _, _ = (int(cell) for cell in line.split(","))
            rows.append(dict(run=run, mode=mode, nth=int(repetition), at=time, lat=latency, size=size))
    return rows


def latencies():
    rows = accesses()

    def lines(runs, keep, of=("at", "lat"), key="at"):
        return [tuple(r[name] for name in of) for run in runs for r in sorted((r for r in rows if r["run"] == run and keep(r)), key=lambda r: r[key])]

    # slice: the 4 KiB reads are runs 2, 3, 1 in order of time
    early = lambda r: r["at"] <= 3
    labels = ["mode = 'randread'", "S_block = 4096byte"]
    out = Text()
    out.add(labels, ["T_at[ms]", "slice(T_lat)[ns]"], lines([3, 1], early))
    out.add(labels, ["T_at[ms]", "oldest(T_lat)[ns]"], lines([2], early))
    out.add(labels, ["T_at[ms]", "latest(T_lat)[ns]"], lines([1], early))
    out.add(labels, ["T_at[ms]", "latest(T_lat)[ns]"], lines([3], early))
    every = table(labels, ["T_at[ms]", "slice(T_lat)[ns]"], lines([2, 3, 1], early))
    write("latencies", "slice.txt", str(out) + every + table(labels, ["T_at[ms]", "slice(T_lat)[ns]"], []))

    # groups of mode and size: the mode changes fastest
    groups = [(mode, size) for size in (4096, 16384) for mode in ("randread", "randwrite")]
    of = {group: [r for r in rows if (r["mode"], r["size"]) == group] for group in groups}
    least = {group: min(of[group], key=lambda r: r["lat"]) for group in groups}
    most = {group: max(of[group], key=lambda r: r["lat"]) for group in groups}
    when = lambda r: "2026-11-21 18:35:%02d" % PERFORMED[r["run"]]
    heads = ["mode|which[]", "S_block|which[byte]", "runindex(min(T_lat))|which[]", "repetition|nth[]", "mode|mode[]", "performed|when[]"]
    which = [(*g, least[g]["run"], least[g]["nth"], least[g]["mode"], when(least[g])) for g in groups]
    out = Text().add([], ["mode[]", "S_block[byte]", "performed[]"], [(*g, when(most[g])) for g in groups])
    out.add([], ["mode[]", "S_block[byte]", "runindex(avg(T_lat))[]"], [(*g, -1) for g in groups])
    write("latencies", "runs.txt", table([], heads, which) + str(out))

    out = Text()
    for name, percent, upper in [("median", 50, False), ("median", 50, True), ("quantile", 90, False), ("quantile", 0, False),
                                 ("quantile", 100, False), ("quantile", 37.5, True)]:
        cells = [(*g, quantile([r["lat"] for r in of[g]], percent, upper)) for g in groups]
        out.add([], ["mode[]", "S_block[byte]", name + "(T_lat)[ns]"], cells)
    reads = [r["lat"] for r in rows if r["mode"] == "randread"]
    by_run = [[r["lat"] for r in rows if r["run"] == run] for run in range(1, 6)]
    label = ["mode = 'randread'"]
    second = Text().add(label, ["quantile(T_lat,T_lat<200000 )[ns]"], [(quantile([x for x in reads if x < 200000], 25),)])
    second.add(label, ["quantile(T_lat)[ns]"], [(quantile(run, 25),) for run in by_run])
    second.add(label, ["median(T_lat)[ns]"], [(quantile(run, 50, True),) for run in by_run])
    write("latencies", "quantiles.txt", str(out) + str(second))

    def frequency(times, width):
        first, count = min(times), [0] * ((max(times) - min(times)) // width + 1)
        for time in times:
            count[(time - first) // width] += 1
        edges = [first + at * width for at in range(len(count))]
        end = edges[-1] + width
        rates = [each / width for each in count]
        return [(float(x), y) for x, y in [(first, 0.0), *zip(edges, rates), (end, rates[-1]), (end + width, 0.0)]]

    out = Text().add(["mode = 'randwrite'"], ["T_at[ms]", "freq(T_lat)[KHz]"], frequency([r["at"] for r in rows if r["mode"] == "randwrite"], 5))
    out.add([], ["T_at[ms]", "freq(T_lat)[KHz]"], frequency([r["at"] for r in rows if r["run"] == 6], 1))
    write("latencies", "frequency.txt", str(out))

    def bins(values, start, width):
        """What lies on an edge is in the bin below it."""
        number = max(1, math.ceil(round((max(values) - start) / width, 9)))
        count = [0] * number
        for value in values:
            count[max(0, math.ceil(round((value - start) / width, 9)) - 1)] += 1
        return [(start + at * width, each) for at, each in enumerate(count)]

    label = "mode = 'randwrite'"
    some = [r["lat"] for r in rows if r["mode"] == "randwrite" and r["lat"] <= 20000]
    found = bins(some, min(some) // 2500 * 2500, 2500)
    edge = "T_lat,T_lat<=20000 [ns]"
    out = Text().add([label, "N_samples = %d" % len(some)], [edge, "samples(T_lat)[]"], [(float(x), n) for x, n in found])
    out.add([label], [edge, "samples(T_lat)[%]"], [(float(x), 100 * n / len(some)) for x, n in found])
    sums = [sum(n for _, n in found[: at + 1]) for at in range(len(found))]
    out.add([label], [edge, "samples(T_lat)[%]"], [(float(x), 100 * total / len(some)) for (x, _), total in zip(found, sums)])
    fine = bins(some, float(min(some)), (max(some) - min(some)) / 100)
    second = table([label], [edge, "samples(T_lat)[]"], fine)
    times = [r["at"] for r in rows if r["mode"] == "randwrite"]
    third = Text().add([label], ["T_at[ms]", "samples(T_at)[]"], [(time, times.count(time)) for time in sorted(set(times))])
    third.add([label], ["T_at[ms]", "samples(T_at)[]"], [(float(x), n) for x, n in bins(times, 0, 2)])
    write("latencies", "distrib.txt", str(out) + second + str(third))

    fourth = [r for r in rows if r["run"] == 4]
    out = Text()
    for keep, words in [(lambda r: r["lat"] < 150000, "T_lat<150000 "), (lambda r: r["at"] >= 20, "T_at>=20 ")]:
        heads = ["T_at[ms]", "T_lat," + words + "[ns]", "S_block," + words + "[byte]"]
        out.add([], heads, [(r["at"], r["lat"], r["size"]) for r in fourth if keep(r)])
    heads = ["T_at[ms]", "T_lat,S_block!=16384 [ns]", "S_block,S_block!=16384 [byte]"]
    none = table([], heads, [])
    last = Text()
    for keep, words in [(lambda x: x > 100000, ">100000"), (lambda x: x <= 49440, "<=49440"), (lambda x: x == 63300, "=63300")]:
        cells = [(r["at"], r["lat"] - 250000) for r in fourth if keep(abs(r["lat"] - 250000))]
        last.add([], ["T_at[ms]", "T_lat+-250000.0,|T_lat|%s [ns]" % words], cells)
    write("latencies", "limits.txt", str(out) + none + str(last))

    pairs = [(r["run"], r["at"], r["lat"]) for r in rows if r["run"] in (6, 7) and r["at"] <= 4]
    start = {run: next(lat for r, _, lat in pairs if r == run) for run in (6, 7)}
    half_up = lambda x: math.floor(x + 0.5)
    column = lambda of: [(at, of(run, lat)) for run, at, lat in pairs]
    out = Text()
    out.add([], ["T_at[ms]", "T_lat*0.001[us]"], column(lambda _, x: x / 1000))
    out.add([], ["T_at[ms]", "round(T_lat*0.001)[us]"], column(lambda _, x: half_up(x / 100) / 10))
    out.add([], ["T_at[ms]", "round(T_lat)[ns]"], column(lambda _, x: half_up(x / 10) * 10))
    out.add([], ["T_at[ms]", "T_lat*0.001[ns]"], column(lambda _, x: x // 1000))
    out.add([], ["T_at[ms]", "T_lat*0.5[ns]"], column(lambda _, x: x / 2))
    out.add([], ["T_at[ms]", "T_lat%1000.0[ns]"], column(lambda _, x: x % 1000))
    out.add([], ["T_at[ms]", "T_lat+0.5[ns]"], column(lambda _, x: x + 0.5))
    second = Text()
    second.add([], ["T_at[ms]", "T_lat normalized to 1.0[ns]"], column(lambda _, x: x / start[6]))
    second.add([], ["T_at[ms]", "T_lat normalized to 1.0[ns]"], column(lambda run, x: x / start[run]))
    second.add([], ["T_at[ms]", "T_lat normalized to 100.0[ns]"], column(lambda run, x: 100 * x / start[run]))
    second.add([], ["T_at[ms]", "T_lat shifted to 0.0[ns]"], column(lambda _, x: x - start[6]))
    second.add([], ["T_at[ms]", "T_lat shifted to 10.0[ns]"], column(lambda run, x: x - start[run] + 10))
    write("latencies", "numbers.txt", str(out) + str(second))

    def series(name, at, keep):
        """The rows of runs 6 and 7, each run with a column that begins anew."""
        lists = [[r for r in rows if r["run"] == run and keep(r)] for run in (6, 7)]
        return [(at(i), r) for each in lists for i, r in enumerate(each)]

    first = lambda r: r["at"] <= 5
    out = Text()
    out.add([], ["T_at[ms]", "number[]", "T_lat[ns]"], [(r["at"], n, r["lat"]) for n, r in series("number", lambda i: i + 1, first)])
    out.add([], ["T_at[ms]", "ten[]", "T_lat[ns]"], [(r["at"], n, r["lat"]) for n, r in series("ten", lambda i: 10 * (i + 1), first)])
    powers = [(n, r["lat"]) for n, r in series("power", lambda i: 2**i, lambda _: True) if n <= 8]
    out.add([], ["power[]", "T_lat,power<=8 [ns]"], powers)
    write("latencies", "series.txt", str(out))


# ------------------------------------------------------------------------------------------------------------ ciphers
ALGORITHMS = ["AES-128-GCM", "AES-256-GCM", "sha256"]
SIZES = [16, 64, 256, 1024, 8192, 16384]


def blocks():
    """Blocks done and seconds taken, five of each, by algorithm and size."""
    found = {}
    for path in sorted((SAMPLES / "openssl-speed").glob("*.txt")):
        for line in path.read_text().splitlines():
            hit = re.match(r"Doing (\S+) (?:ops )?for 1s on (\d+) size blocks: (\d+) .* in ([\d.]+)s", line)
            if hit:
                found.setdefault((hit[1], int(hit[2])), []).append((int(hit[3]), float(hit[4])))
    assert all(len(found[a, s]) == 5 for a in ALGORITHMS for s in SIZES), found
    return found


def ods(rows):
    return "".join("\t".join("" if cell is None else shown(cell) for cell in row) + "\n" for row in rows)


def ciphers():
    found = blocks()
    done = {key: [number for number, _ in each] for key, each in found.items()}
    mean = {key: statistics.fmean(each) for key, each in done.items()}
    label = lambda algorithm: "algorithm = '%s'" % algorithm

    a, b = ({size: mean[name, size] for size in SIZES} for name in ("AES-128-GCM", "AES-256-GCM"))
    both = "avg(N_block)", "avg(N_block)"
    out = Text()
    out.add([], ["S_block[byte]", "[%s %% of %s][%%]" % both], [(s, 100 * a[s] / b[s]) for s in SIZES])
    out.add([], ["S_block[byte]", "[%s %% more than %s][%%]" % both], [(s, 100 * a[s] / b[s] - 100) for s in SIZES])
    out.add([], ["S_block[byte]", "[%s %% less than %s][%%]" % both], [(s, 100 - 100 * b[s] / a[s]) for s in SIZES])
    out.add([], ["S_block[byte]", "%s/%s[]" % both], [(s, a[s] / b[s]) for s in SIZES])
    out.add([], ["S_block[byte]", "%s-%s[op]" % both], [(s, a[s] - b[s]) for s in SIZES])
    clear = [(s, 100 * a[s] / b[s] - 100) for s in SIZES]
    out.add([], ["S_block[byte]", "[%s %% more than %s],|N_block|>20 [%%]" % both], [(s, x) for s, x in clear if abs(x) > 20])
    last = [s for s in SIZES if b[s] < 700000]
    against = [(s, a[s] / b[last[at % len(last)]]) for at, s in enumerate(SIZES)]
    out.add([], ["S_block[byte]", "avg(N_block)/avg(N_block),N_block<700000 []"], against)
    write("ciphers", "compare.txt", str(out))

    most = {algorithm: [max(done[algorithm, s]) for s in SIZES] for algorithm in ALGORITHMS}
    out = Text()
    for algorithm in ALGORITHMS:
        out.add([label(algorithm)], ["S_block[byte]", "max(N_block)[op]"], zip(SIZES, most[algorithm]))
    second = Text()
    large = [8192, 16384]
    second.add([label("sha256")], ["S_block[byte]", "avg(N_block)[op]"], [(s, mean["sha256", s]) for s in large])
    ciphers = [(s, statistics.fmean(done["AES-128-GCM", s] + done["AES-256-GCM", s])) for s in large]
    second.add(["algorithm LIKE 'AES%'"], ["S_block[byte]", "avg(N_block)[op]"], ciphers)
    heads = ["S_block|most~p.each~0[byte]"] + ["max(N_block)|most~p.each~%d[op]" % at for at in range(3)]
    third = table([label(algorithm) for algorithm in ALGORITHMS], heads, [(s, *(most[x][i] for x in ALGORITHMS)) for i, s in enumerate(SIZES)])
    write("ciphers", "sweep.txt", str(out) + str(second) + third)

    small = [(s, done["sha256", s]) for s in SIZES if s < 1024]
    top = [(s, max(done["sha256", s])) for s in SIZES if s >= 1024]
    sha = [label("sha256")]
    low, high = "min(N_block)|low[op]", "max(N_block)|high[op]"
    side = [(s, min(x), max(x), statistics.fmean(x)) for s, x in small]
    text = table(sha, ["S_block|low[byte]", low, high, "avg(N_block)|mean[op]"], side)
    text += table(sha, [low, high], [(min(x), max(x)) for _, x in small])
    text += table(sha, ["S_block|low[byte]", "S_block|high[byte]", low, high], [(s, s, min(x), max(x)) for s, x in small])
    text += table(sha, [low, high], [(min(x), max(x)) for _, x in small])
    text += table(sha, ["S_block|low[byte]", low, high], [(s, min(x), max(x)) for s, x in small])
    below = [(s, max(x)) for s, x in small] + top
    out = Text().add(sha, ["S_block[byte]", "max(N_block)[op]"], below)
    out.add(sha, ["S_block[byte]", "max(N_block)[op]"], sorted(below, key=lambda row: -row[1]))
    write("ciphers", "combine.txt", text + str(out))

    cells = [(x, s, max(done[x, s]) / max(t for _, t in found[x, s])) for s in (1024, 16384) for x in ALGORITHMS]
    name = "rate(N_block,T_run)"
    out = Text().add([], ["algorithm[]", "S_block[byte]", name + "[op/s]"], cells)
    out.add([], ["algorithm[]", "S_block[byte]", name + "*0.001[Kop/s]"], [(x, s, y / 1000) for x, s, y in cells])
    tens = [(x, s, math.floor(y / 10000 + 0.5) * 10.0) for x, s, y in cells]
    out.add([], ["algorithm[]", "S_block[byte]", "round(%s*0.001)[Kop/s]" % name], tens)
    write("ciphers", "rate.txt", str(out))

    cells = [(x, s, mean[x, s], statistics.stdev(done[x, s])) for s in large for x in ALGORITHMS]
    heads = [("algorithm|mean", "", "string"), ("S_block|mean", "Byte", "integer"), ("avg(N_block)|mean", "OP", "float"), ("stddev(N_block)|spread", "OP", "float")]
    lower = {"Byte": "byte", "OP": "op", "": ""}
    with_unit = lambda names: [name + (" [%s]" % names(unit) if unit else "") for name, unit, _ in heads]
    write("ciphers", "both.ods.txt", ods([with_unit(lower.get), *cells]))
    typed = "\t".join("%s %s" % (name, kind) for name, _, kind in heads) + "\n"
    write("ciphers", "both.parquet.txt", typed + ods(cells))
    write("ciphers", "both.arrow.txt", typed + ods(cells))
    value = lambda head, cell: '      <value name="%s"%s>%s</value>' % (head[0], ' unit="%s"' % lower[head[1]] if head[1] else "", shown(cell))
    sets = ["\n".join(["    <dataset>", *map(value, heads, row), "    </dataset>"]) for row in cells]
    write("ciphers", "both.xml", "\n".join(["<output>", "  <data>", *sets, "  </data>", "</output>", ""]))


# ------------------------------------------------------------------------------------------------------------- memory
def throughputs():
    names = ["1K-1-threads-1", "1K-1-threads-2", "1K-2-threads-1", "1K-2-threads-2", "16K-1-threads-1", "16K-1-threads-2", "16K-2-threads-1"]
    names += ["256K-1-threads-1", "256K-1-threads-2", "256K-2-threads-1", "256K-2-threads-2"]
    found = []
    for name in names:
        text = (SAMPLES / "sysbench" / ("memory-%s.txt" % name)).read_text()
        threads, size = re.search(r"Number of threads: (\d+)", text)[1], re.search(r"block size: (\d+)KiB", text)[1]
        rate, longest = re.search(r"\(([\d.]+) MiB/sec\)", text)[1], re.search(r"max: +([\d.]+)", text)[1]
        found.append((int(threads), int(size) * 1024, float(rate), float(longest)))
    return found


def memory():
    found = throughputs()
    sizes, threads = [1024, 16384, 262144], [1, 2]
    of = lambda t, s: [rate for a, b, rate, _ in found if (a, b) == (t, s)]
    data = "\n\n".join("\n".join("%d %d %s " % (t, s, shown(max(of(t, s)))) for s in sizes) for t in threads)
    script = ["set terminal x11 enhanced persist font 'Helvetica,12'", "set encoding utf8", "set title 'sysbench memory'", "set xlabel 'threads'",
              "set ylabel 'size of the blocks read or written [Byte]'", "set zlabel 'throughput over all threads [MiByte/s]' rotate by 90",
              "set xyplane 0", "set xtics (1,2)", "set ytics (1024,16384,262144)",
              "splot '-' using 1:2:3 title '' with linespoints lw 2 ps 2"]
    write("memory", "surface.gp", "\n".join(script) + "\n" + data + "\ne\n")

    text = Text()
    for size in (1024, 262144):
        text.add(["S_block = %dbyte" % size], ["min(B_mem)[Mibyte/s]"], [(min(of(t, size)),) for t in threads])
    both = [(t, s) for s in (1024, 262144) for t in threads]
    clones = ["~p.threads~%d~p.size~%d[Mibyte/s]" % (t, s) for s in range(2) for t in range(2)]
    heads = ["%s(B_mem)|%s%s" % (of_all, name, clone) for of_all, name in (("min", "least"), ("max", "most")) for clone in clones]
    labels = ["N_thread = 1", "S_block = 1024byte", "N_thread = 2", "S_block = 262144byte"]
    beside = table(labels, heads, [[min(of(*each)) for each in both] + [max(of(*each)) for each in both]])
    write("memory", "groups.txt", str(text) + beside)

    short = lambda t, s: [rate for a, b, rate, longest in found if (a, b) == (t, s) and longest < 3]
    groups = [(t, s) for s in sizes for t in threads]
    used = [(t, s) for t, s in groups if t in {a for a, _, _, m in found if m < 3} and s in {b for _, b, _, m in found if m < 3}]
    label = ["L_max < 3ms"]
    heads = ["N_thread[]", "S_block[byte]"]
    mean = lambda values: statistics.fmean(values) if values else None
    out = Text()
    out.add(label, heads + ["avg(B_mem)[Mibyte/s]"], [(*g, mean(short(*g))) for g in used])
    out.add(label, heads + ["count(B_mem)[]"], [(*g, len(short(*g))) for g in used])
    spread = [(*g, statistics.variance(short(*g)) if len(short(*g)) > 1 else None) for g in used]
    out.add(label, heads + ["variance(B_mem)[Mibyte^2/s^2]"], spread)
    out.add(label, heads + ["sum(count(B_mem))[]"], [(None, None, sum(len(short(*g)) for g in used))])
    kibi = [(*g, None if not short(*g) else mean(short(*g)) * 1024) for g in used]
    out.add(label, heads + ["avg(B_mem)*1024.0[Kibyte/s]"], kibi)
    nothing = Text().add([], ["count(B_mem)[]"], [(0,)]).add(label, ["count(B_mem,B_mem<0 )[]"], [(0,)])
    write("memory", "missing.txt", str(out) + str(nothing))


latencies()
ciphers()
memory()
