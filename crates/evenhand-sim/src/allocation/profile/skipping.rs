//! About sqrt(n) balls at once.
//!
//! A ball lands by one uniform number u and a ladder of thresholds `1 > t_0 >= t_1 >= ...`: on the
//! rung that equals the number of thresholds above u. Thresholds are increasing functions of
//! counts that a ball raises by at most one. So over a *horizon* of B balls threshold k stays
//! within `[t_k(s), t_k(s + B)]`, whatever happens:
//!
//! - u outside of all these zones is *definite*: its rung does not depend on the other balls;
//! - u inside a zone is *ambiguous*: it is compared with the counts of that moment.
//!
//! Balls are independent, so the number of definite balls before the next ambiguous one is
//! geometric, and they spread over the rungs multinomially. The zones have total width of order
//! B/n; with B of order sqrt(n) a horizon holds about one ambiguous ball, and m balls cost
//! m/sqrt(n) horizons. No step approximates: the law of the counts is that of throwing the balls
//! one by one, up to the rounding of u and the thresholds to 53 bits.
//!
//! The idea of counting steps that cannot interact is that of batched simulators of population
//! protocols (Berenbrink, Hammer, Kaaser, Meyer, Penschuck, Tran 2020).

use evenhand_core::{Stream, unit_f64};

use super::Profile;
use super::binomial::binomial;

/// A process whose balls land by thresholds.
pub(crate) trait Ladder {
    /// All thresholds that are above 0 and the first that is 0: as they are (`low`), and as they
    /// would be if every count were `extra` greater, but at most full (`high`).
    fn thresholds(&self, extra: u64, low: &mut Vec<f64>, high: &mut Vec<f64>);

    /// Threshold `rung` above level `bottom`, now.
    fn threshold(&self, bottom: usize, rung: usize) -> f64;

    /// Puts balls on `rung` above level `bottom`.
    fn land(&mut self, bottom: usize, rung: usize, balls: u64);

    /// The level of rung 0.
    fn bottom(&self) -> usize;

    /// Number of bins with load at least `i`.
    fn at_least(&self) -> Vec<u64>;

    /// Loads read per ball, in expectation.
    fn probes_per_ball(&self) -> f64;
}

/// Ambiguous balls wanted per horizon. Fewer make horizons short, more make them slow; from 0.5
/// to 1.5 the speed hardly differs.
const AMBIGUOUS_PER_HORIZON: f64 = 0.8;

/// The skipping form of a ladder.
#[derive(Debug)]
pub(crate) struct Skipping<L> {
    ladder: L,
    stream: Stream,
    /// Balls in the next horizon; chosen from the past, so it cannot bias the future.
    horizon: f64,
    bins: u64,
    thrown: u64,
    zones: Zones,
}

impl<L: Ladder> Skipping<L> {
    /// An empty process on `bins` bins.
    pub(crate) fn new(ladder: L, bins: u64, stream: Stream) -> Self {
        let horizon = (bins as f64).sqrt();
        Self { ladder, stream, horizon, bins, thrown: 0, zones: Zones::default() }
    }

    fn throw_horizon(&mut self, balls: u64) {
        let bottom = self.ladder.bottom();
        self.zones.build(&self.ladder, balls);
        let definite_log = (-self.zones.ambiguous.min(1.0)).ln_1p();
        let mut left = balls;
        while left > 0 {
            // 1 - u lies in (0, 1], so the logarithm is finite.
            let skipped = (1.0 - unit_f64(&mut self.stream)).ln() / definite_log;
            let definite = if skipped < left as f64 { skipped as u64 } else { left };
            self.spread(bottom, definite);
            left -= definite;
            if left > 0 {
                self.land_ambiguous(bottom);
                left -= 1;
            }
        }
    }

    /// Spreads definite balls over their rungs: a multinomial, as a chain of binomials from the
    /// likeliest rung down.
    fn spread(&mut self, bottom: usize, balls: u64) {
        let mut left = balls;
        for class in &self.zones.classes {
            if left == 0 {
                break;
            }
            let here = binomial(left, class.share_of_rest, &mut self.stream);
            self.ladder.land(bottom, class.rung, here);
            left -= here;
        }
    }

    /// Lands one ball whose u lies in a zone, by the thresholds of this moment.
    fn land_ambiguous(&mut self, bottom: usize) {
        let mut offset = unit_f64(&mut self.stream) * self.zones.ambiguous;
        let (last, others) = self.zones.zones.split_last().expect("the empty level has a zone");
        let mut zone = last;
        for candidate in others {
            if offset < candidate.width {
                zone = candidate;
                break;
            }
            offset -= candidate.width;
        }
        let u = zone.low + offset.min(zone.width);
        let mut rung = zone.first_rung;
        while self.ladder.threshold(bottom, rung) > u {
            rung += 1;
        }
        self.ladder.land(bottom, rung, 1);
    }

    fn adapt(&mut self, balls: u64) {
        let expected = self.zones.ambiguous * balls as f64;
        let factor = (AMBIGUOUS_PER_HORIZON / expected).sqrt().clamp(0.5, 2.0);
        self.horizon = (balls as f64 * factor).min(self.bins as f64).max(16.0);
    }
}

impl<L: Ladder> Profile for Skipping<L> {
    fn throw(&mut self, balls: u64) {
        let mut left = balls;
        while left > 0 {
            let horizon = (self.horizon as u64).max(1);
            self.throw_horizon(horizon.min(left));
            if horizon <= left {
                self.adapt(horizon);
            }
            left -= horizon.min(left);
        }
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        self.ladder.at_least()
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.thrown as f64 * self.ladder.probes_per_ball()
    }
}

/// The zones of a horizon and the classes between them.
#[derive(Debug, Default)]
struct Zones {
    zones: Vec<Zone>,
    classes: Vec<Class>,
    /// Total width of the zones: the probability of an ambiguous ball.
    ambiguous: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// An interval of u in which the rung is open.
#[derive(Clone, Copy, Debug)]
struct Zone {
    low: f64,
    width: f64,
    /// All thresholds before this one are above the zone.
    first_rung: usize,
}

/// An interval of u in which the rung is known.
#[derive(Clone, Copy, Debug)]
struct Class {
    rung: usize,
    probability: f64,
    /// Probability of this class among this and the later ones of the chain.
    share_of_rest: f64,
}

impl Zones {
    fn build(&mut self, ladder: &impl Ladder, balls: u64) {
        self.low.clear();
        self.high.clear();
        ladder.thresholds(balls, &mut self.low, &mut self.high);
        self.zones.clear();
        self.classes.clear();
        // From u = 0 up, so from the last rung down. The last threshold is 0 now.
        let last = self.low.len() - 1;
        let mut zone_low = 0.0;
        let mut zone_high = self.high[last];
        let mut first_rung = last;
        for rung in (0..last).rev() {
            if self.low[rung] > zone_high {
                self.close(zone_low, zone_high, first_rung, self.low[rung]);
                zone_low = self.low[rung];
            }
            zone_high = zone_high.max(self.high[rung]);
            first_rung = rung;
        }
        self.close(zone_low, zone_high.min(1.0), first_rung, 1.0);
        self.ambiguous = self.zones.iter().map(|zone| zone.width).sum();
        self.order();
    }

    /// Ends a zone, and adds the class between it and the next threshold above.
    fn close(&mut self, low: f64, high: f64, first_rung: usize, next: f64) {
        self.zones.push(Zone { low, width: high - low, first_rung });
        if next > high {
            let probability = next - high;
            self.classes.push(Class { rung: first_rung, probability, share_of_rest: 1.0 });
        }
    }

    /// Likeliest class first: the chain of binomials then ends early.
    fn order(&mut self) {
        self.classes.sort_unstable_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut rest = 0.0;
        for class in self.classes.iter_mut().rev() {
            rest += class.probability;
            class.share_of_rest = class.probability / rest;
        }
    }
}
