package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// named are the vectors of testdata/vectors.json.
type named struct {
	Dip map[string]struct {
		X   []float64
		Dip float64
		P   float64 `json:"p_table"`
	}
	Trim struct {
		X        []float64
		Mean10   float64 `json:"trim_mean_0.1"`
		Mean20   float64 `json:"trim_mean_0.2"`
		Median   float64
		X5Median float64 `json:"x5_like_median"`
		X5Trim20 float64 `json:"x5_like_trim20"`
	}
	TheilSen struct {
		X, Y         []float64
		Slope        float64
		Separate     float64 `json:"intercept_separate"`
		Joint        float64 `json:"intercept_joint"`
		Lo, Hi       float64
		OLS          float64 `json:"ols_slope"`
		OLSIntercept float64 `json:"ols_intercept"`
		R2           float64 `json:"ols_r2"`
		RateTheilSen float64 `json:"ts_rate_GBps"`
		RateOLS      float64 `json:"ols_rate_GBps"`
	} `json:"theilsen"`
	JS struct {
		P, Q []float64
		Nats float64 `json:"divergence_nat"`
	} `json:"js"`
	MWU struct {
		A, B []float64
		U    float64
		P    float64 `json:"p_exact"`
	} `json:"mwu"`
	Ties struct {
		A, B []float64
		U    float64
		P    float64 `json:"p_asymp_cc"`
	} `json:"mwu_ties"`
	CPD struct {
		Signal []float64
		Pen    float64 `json:"pen_3s2logn"`
		Sigma  float64 `json:"sigma_mad_diff"`
		Pelt   []int   `json:"pelt_l2"`
		Cost   float64 `json:"cost_opt2"`
	} `json:"cpd"`
	MedianCI map[string][]float64 `json:"median_ci"`
	GMM      struct {
		LogX5 []float64 `json:"log_x5"`
		K1    gmm
		K2    gmm
	}
}

func vectors(t *testing.T) named {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v named
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestNamedLocations(t *testing.T) {
	v := vectors(t)
	x5 := v.Dip["x5_like"].X
	Check(t, "trimmed 10 %", TrimmedMean(v.Trim.X, 0.1), v.Trim.Mean10, 1e-12)
	Check(t, "trimmed 20 %", TrimmedMean(v.Trim.X, 0.2), v.Trim.Mean20, 1e-12)
	Check(t, "median", Median(v.Trim.X), v.Trim.Median, 0)
	Check(t, "x5 median", Median(x5), v.Trim.X5Median, 1e-15)
	Check(t, "x5 trimmed", TrimmedMean(x5, DefaultTrim), v.Trim.X5Trim20, 1e-12)
	for name, want := range v.MedianCI {
		n, err := strconv.Atoi(name)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i + 1)
		}
		got := MedianCI(x, 0.95)
		if want == nil {
			if got.Known() {
				t.Errorf("n=%d: %v, want none", n, got)
			}
			continue
		}
		if got.Low != want[0] || got.High != want[1] {
			t.Errorf("n=%d: ranks %g and %g, want %g and %g", n, got.Low, got.High, want[0], want[1])
		}
		Check(t, fmt.Sprintf("n=%d coverage", n), got.Level, want[2], 1e-12)
	}
}

func TestNamedLines(t *testing.T) {
	v := vectors(t).TheilSen
	ts := TheilSen(v.X, v.Y, 0.95)
	Check(t, "slope", ts.Slope.Value, v.Slope, 1e-14)
	Check(t, "low", ts.Slope.Low, v.Lo, 1e-14)
	Check(t, "high", ts.Slope.High, v.Hi, 1e-14)
	Check(t, "separate intercept", ts.Intercept.Value, v.Separate, 1e-14)
	Check(t, "joint intercept", ts.Joint, v.Joint, 1e-14)
	Check(t, "rate", 1/ts.Slope.Value, v.RateTheilSen, 1e-12)
	ols := OLS(v.X, v.Y, 0.95)
	Check(t, "OLS slope", ols.Slope.Value, v.OLS, 1e-12)
	Check(t, "OLS intercept", ols.Intercept.Value, v.OLSIntercept, 1e-12)
	Check(t, "OLS R2", ols.R2, v.R2, 1e-12)
	Check(t, "OLS rate", 1/ols.Slope.Value, v.RateOLS, 1e-12)
}

func TestNamedComparisons(t *testing.T) {
	v := vectors(t)
	Check(t, "JS", JensenShannon(v.JS.P, v.JS.Q), v.JS.Nats, 1e-14)

	u := MannWhitney(v.MWU.A, v.MWU.B)
	Check(t, "U", u.U, v.MWU.U, 0)
	Check(t, "U P", u.P, v.MWU.P, 1e-14)
	u = MannWhitney(v.Ties.A, v.Ties.B)
	Check(t, "U with ties", u.U, v.Ties.U, 0)
	Check(t, "U P with ties", u.P, v.Ties.P, 1e-12)
}

func TestNamedChangePoints(t *testing.T) {
	v := vectors(t).CPD
	best := segment(v.Signal, v.Pen, 2)
	if want := v.Pelt[:len(v.Pelt)-1]; !slices.Equal(best, want) {
		t.Errorf("cuts %v, want %v", best, want)
	}
	Check(t, "cost", squaresCost(v.Signal, best, 0), v.Cost, 1e-9)
	if got := cuts(ChangePoints(v.Signal, ChangeOptions{})); !slices.Equal(got, []int{40, 100}) {
		t.Errorf("change points %v, want [40 100]", got)
	}
	// Series with known answers from published tests of another method (t-test
	// split and merge, Apache Otava).
	jumps := []float64{.3, 2.4, 1.5, -.9, -.5, 99.7, 98.3, 99.1, 149, 149.7, 149.5, 149.1, 148.8, 150}
	if got := segment(jumps, 5*1.5*1.5*math.Log(14), 3); !slices.Equal(got, []int{5, 8}) {
		t.Errorf("jumps at %v, want [5 8]", got)
	}
	clean := make([]float64, 20)
	for i := range clean {
		clean[i] = 1
		if i >= 10 {
			clean[i] = 0.5
		}
	}
	if got := cuts(ChangePoints(clean, ChangeOptions{})); !slices.Equal(got, []int{10}) {
		t.Errorf("clean step at %v, want [10]", got)
	}
}

// TestTrimmedMeanCI: of 1, …, 9, 100 the winsorized variance is 42.5/9, five
// degrees of freedom give t = 2.570582, the half width is
// 2.570582·√(42.5/9)/(0.6·√10).
func TestTrimmedMeanCI(t *testing.T) {
	i := TrimmedMeanCI([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}, 0.2, 0.95)
	Check(t, "low", i.Low, 5.5-2.944106, 1e-6)
	Check(t, "high", i.High, 5.5+2.944106, 1e-6)
	if TrimmedMeanCI([]float64{1, 2}, 0.2, 0.95).Known() || TrimmedMeanCI([]float64{1, 2, 3}, 0.7, 0.95).Known() {
		t.Error("an interval from nothing")
	}
}
