use crate::ServerId;

/// A load that rules can compare: a number of jobs, an amount of work, load over speed.
pub trait Load: PartialOrd + Copy {
    /// The load as a real number, for rules that compare with an average or add noise.
    fn as_f64(self) -> f64;
}

impl Load for u32 {
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self.into()
    }
}

impl Load for f64 {
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }
}

/// The shared view of load that a rule is shown.
///
/// All methods take `&self`, so arrays, atomic counters and stale copies look alike.
pub trait Signal {
    /// What a load is.
    type Load: Load;

    /// The load of `server` as seen through this signal.
    fn load(&self, server: ServerId) -> Self::Load;

    /// The average load over all servers, where the signal knows it. Thinning, twinning and
    /// packing need it.
    #[inline(always)]
    fn average(&self) -> Option<f64> {
        None
    }

    /// False if `server` must not be chosen: unhealthy, or excluded after a failed try.
    #[inline(always)]
    fn eligible(&self, _server: ServerId) -> bool {
        true
    }

    /// Asks the memory system for the load of `server`, which will be read soon.
    #[inline(always)]
    fn prefetch(&self, _server: ServerId) {}

    /// A least-loaded server of all, where the signal keeps an index; `word` holds 64 uniform
    /// bits that pick one among equals. `None` means that there is no index and the caller scans.
    #[inline]
    fn least_loaded(&self, _word: u64) -> Option<ServerId> {
        None
    }
}
