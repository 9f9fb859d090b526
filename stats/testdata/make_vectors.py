"""Makes the reference vectors of this folder with independent implementations.

    python3 -m venv V && V/bin/pip install numpy==2.4.6 scipy==1.17.1 ruptures==1.1.10 diptest==0.12.0 scikit-learn==1.9.1
    V/bin/python make_vectors.py

It is not needed to build or test anything: the vectors are committed. Each
line of a .jsonl file is one random case, its inputs rounded to a few digits so
that the file says exactly what was computed with.
"""
import itertools, json, os, warnings
import numpy as np, scipy.stats as st, ruptures, diptest
from scipy.optimize import linprog
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = 320


def write(name, cases):
    def plain(v):
        if isinstance(v, dict):
            return {k: plain(w) for k, w in v.items()}
        if isinstance(v, (list, tuple, np.ndarray)):
            return [plain(w) for w in v]
        if isinstance(v, (bool, np.bool_)):
            return bool(v)
        if isinstance(v, (int, np.integer)):
            return int(v)
        return None if v is None else float(v)

    with open(os.path.join(HERE, name), "w") as f:
        for c in cases:
            f.write(json.dumps(plain(c), separators=(",", ":")) + "\n")


def sample(rng, kind, n, shift=0.0):
    """n positive values of one of six kinds."""
    if kind == 0:
        x = rng.normal(10 + shift, 2, n)
    elif kind == 1:
        x = rng.lognormal(1 + shift / 5, 0.7, n)
    elif kind == 2:
        x = rng.uniform(1, 9 + shift, n)
    elif kind == 3:
        x = np.concatenate([rng.normal(5, 0.3, n // 2), rng.normal(12 + shift, 0.5, n - n // 2)])
    elif kind == 4:
        x = rng.integers(1, 9 + int(shift), n).astype(float)
    else:
        x = 20 + shift + rng.standard_t(2, n)
    return np.round(np.maximum(x, 0.05), 4)


def dip_lp(x):
    """Hartigans' dip as linear programs over its definition, one for each possible mode.

    Variables: the distance D, the branch up to the mode, the branch from the mode on."""
    x = np.sort(x)
    n = len(x)
    z, c = np.unique(x, return_counts=True)
    k = len(z)
    b = np.cumsum(c) / n
    a = b - c / n
    best = np.inf
    for m in range(k):
        left = lambda j: 1 + j
        right = lambda j: 1 + (m + 1) + (j - m)
        nv = 1 + (m + 1) + (k - m)
        A, B = [], []

        def le(terms, rhs):
            row = np.zeros(nv)
            for i, v in terms:
                row[i] += v
            A.append(row)
            B.append(rhs)

        for j in range(k):
            if j == m:
                continue
            var = left(j) if j < m else right(j)
            le([(var, -1), (0, -1)], -b[j])
            le([(var, 1), (0, -1)], a[j])
        for var, v in ((left(m), a[m]), (right(m), b[m])):
            le([(var, 1), (0, -1)], v)
            le([(var, -1), (0, -1)], -v)
        le([(left(m), 1), (right(m), -1)], 0)
        for j in range(m):
            le([(left(j), 1), (left(j + 1), -1)], 0)
        for j in range(m, k - 1):
            le([(right(j), 1), (right(j + 1), -1)], 0)
        for j in range(m - 1):
            h, i = z[j + 1] - z[j], z[j + 2] - z[j + 1]
            le([(left(j + 1), 1 / h + 1 / i), (left(j), -1 / h), (left(j + 2), -1 / i)], 0)
        for j in range(m, k - 2):
            h, i = z[j + 1] - z[j], z[j + 2] - z[j + 1]
            le([(right(j + 1), -1 / h - 1 / i), (right(j), 1 / h), (right(j + 2), 1 / i)], 0)
        r = linprog([1] + [0] * (nv - 1), A_ub=np.array(A), b_ub=np.array(B),
                    bounds=[(0, None)] + [(0, 1)] * (nv - 1), method="highs")
        if r.status == 0:
            best = min(best, r.fun)
    return best


def samples():
    rng = np.random.default_rng(11)
    for t in range(CASES):
        x = sample(rng, t % 6, int(rng.integers(4, 60)))
        n = len(x)
        c = {"x": x, "quantiles": np.quantile(x, [0, 0.1, 0.25, 0.5, 0.9, 0.99, 1]),
             "trim10": st.trim_mean(x, 0.1), "trim20": st.trim_mean(x, 0.2),
             "winsor20": np.mean(st.mstats.winsorize(x, (0.2, 0.2))),
             "mad": st.median_abs_deviation(x)}
        # The definition gives 1/(2n) and more; diptest may report 0 for convex and concave data.
        c["dip"] = dip_lp(x) if n <= 25 else max(diptest.dipstat(x, allow_zero=True), 1 / (2 * n))
        c["dip_by_lp"] = n <= 25
        y = np.log(x).reshape(-1, 1)
        c["gmm"] = []
        for k in (1, 2):
            if n >= 12 and t % 6 != 4:
                g = GaussianMixture(k, random_state=0, n_init=20, tol=1e-10, max_iter=5000, reg_covar=1e-12).fit(y)
                c["gmm"].append({"bic": g.bic(y), "means": np.sort(g.means_[:, 0]), "sd": np.sqrt(g.covariances_[:, 0, 0].min()),
                                 "weight": g.weights_.min()})
        yield c


def pairs():
    rng = np.random.default_rng(12)
    for t in range(CASES):
        n, m = int(rng.integers(3, 26)), int(rng.integers(3, 26))
        if t % 4 == 0:
            n, m = int(rng.integers(3, 6)), int(rng.integers(3, 6))
        a, b = sample(rng, t % 6, n), sample(rng, t % 6, m, float(rng.integers(0, 5)))
        ties = len(np.unique(np.concatenate([a, b]))) < n + m
        u = st.mannwhitneyu(a, b, alternative="two-sided", method="asymptotic" if ties else "exact")
        w = st.ttest_ind(a, b, equal_var=False)
        ci = w.confidence_interval(0.95)
        ks = st.ks_2samp(a, b, method="exact")
        d = np.subtract.outer(a, b)
        c = {"a": a, "b": b, "u": u.statistic, "u_p": u.pvalue, "u_exact": not ties,
             "t": w.statistic, "df": w.df, "t_p": w.pvalue, "t_ci": [ci.low, ci.high],
             "ks": ks.statistic, "ks_p": ks.pvalue, "w1": st.wasserstein_distance(a, b),
             "hl": np.median(d), "a12": np.mean((d > 0) + 0.5 * (d == 0))}
        if n + m <= 10:
            both = np.concatenate([a, b])
            diff = lambda x, y, axis=-1: np.abs(np.mean(x, axis=axis) - np.mean(y, axis=axis))
            c["perm_p"] = st.permutation_test((a, b), diff, alternative="greater", vectorized=True, n_resamples=np.inf).pvalue
            assert len(both) == n + m
        if n >= 6 and m >= 6:
            ratio = lambda x, y, axis=-1: np.median(x, axis=axis) / np.median(y, axis=axis)
            for method in ("BCa", "percentile"):
                r = st.bootstrap((a, b), ratio, vectorized=True, method=method, n_resamples=20000, rng=np.random.default_rng(t))
                c["ratio_" + method.lower()] = [r.confidence_interval.low, r.confidence_interval.high]
            for method in ("BCa", "percentile"):
                r = st.bootstrap((a,), np.mean, vectorized=True, method=method, n_resamples=20000, rng=np.random.default_rng(t))
                c["mean_" + method.lower()] = [r.confidence_interval.low, r.confidence_interval.high]
        yield c


def lines():
    rng = np.random.default_rng(13)
    for t in range(CASES):
        n = int(rng.integers(3, 40))
        x = [rng.uniform(0, 10, n), rng.integers(0, 8, n).astype(float), rng.lognormal(0, 1.5, n)][t % 3]
        y = 1 + 0.4 * x + [rng.normal(0, 0.3, n), rng.standard_t(2, n), np.round(rng.normal(0, 1, n))][t // 3 % 3]
        x, y = np.round(x, 3), np.round(y, 3)
        if len(np.unique(x)) < 2:
            x[0] += 1
        o = st.linregress(x, y)
        q = st.t.ppf(0.975, n - 2)
        s, j = st.theilslopes(y, x, 0.95, method="separate"), st.theilslopes(y, x, 0.95, method="joint")
        g = st.siegelslopes(y, x, method="hierarchical")
        yield {"x": x, "y": y, "ols": [o.slope, o.intercept], "r2": o.rvalue ** 2,
               "slope_ci": [o.slope - q * o.stderr, o.slope + q * o.stderr],
               "intercept_ci": [o.intercept - q * o.intercept_stderr, o.intercept + q * o.intercept_stderr],
               "theil_sen": [s.slope, s.intercept, j.intercept], "sen_ci": [s.low_slope, s.high_slope],
               "siegel": [g.slope, g.intercept]}


def series():
    rng = np.random.default_rng(14)
    for t in range(CASES):
        n = int(rng.integers(20, 120))
        cuts = np.sort(rng.choice(np.arange(1, n), int(rng.integers(0, 4)), replace=False))
        y = rng.normal(0, 1, n)
        for c in cuts:
            y[c:] += rng.normal(0, 4)
        y = np.round(y, 3)
        size = [1, 2, 5, 10][t % 4]
        pen = float(np.round([1.0, 3.0, 5.0, 12.0][t // 4 % 4] * np.log(n), 4))
        bkps = ruptures.Pelt(model="l2", min_size=size, jump=1).fit(y).predict(pen=pen)
        cost = ruptures.costs.CostL2().fit(y).sum_of_costs(bkps) + pen * (len(bkps) - 1)
        yield {"y": y, "min": size, "penalty": pen, "cuts": bkps[:-1], "cost": cost}


if __name__ == "__main__":
    write("samples.jsonl", samples())
    write("pairs.jsonl", pairs())
    write("lines.jsonl", lines())
    write("series.jsonl", series())
