use crate::ServerId;

/// The ordered candidates of one arrival.
///
/// Hot samplers return arrays, whose length the compiler knows; samplers whose length is known
/// late return [`Candidates`].
pub trait CandidateSet {
    /// The candidates in the order in which they were drawn. Repeats are allowed.
    fn as_slice(&self) -> &[ServerId];
}

impl<const D: usize> CandidateSet for [ServerId; D] {
    #[inline(always)]
    fn as_slice(&self) -> &[ServerId] {
        self
    }
}

/// How many candidates fit without an allocation: one cache line of ids.
const INLINE: usize = 16;

/// A candidate list of any length; up to 16 live inline.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    len: u32,
    inline: [ServerId; INLINE],
    spill: Vec<ServerId>,
}

impl Candidates {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// A list of `len` candidates, each from `draw`, in order.
    #[inline]
    pub fn from_fn(len: usize, mut draw: impl FnMut() -> ServerId) -> Self {
        let mut list = Self::new();
        if len <= INLINE {
            list.inline[..len].iter_mut().for_each(|server| *server = draw());
        } else {
            list.spill.extend((0..len).map(|_| draw()));
        }
        list.len = len as u32;
        list
    }

    /// Appends a candidate.
    #[inline]
    pub fn push(&mut self, server: ServerId) {
        let len = self.len as usize;
        if len < INLINE {
            self.inline[len] = server;
        } else {
            self.push_spilled(server);
        }
        self.len += 1;
    }

    #[cold]
    fn push_spilled(&mut self, server: ServerId) {
        if self.spill.is_empty() {
            self.spill.extend_from_slice(&self.inline);
        }
        self.spill.push(server);
    }

    /// True if `server` is in the list. Linear in the length.
    #[inline]
    pub fn contains(&self, server: ServerId) -> bool {
        self.as_slice().contains(&server)
    }
}

impl CandidateSet for Candidates {
    #[inline(always)]
    fn as_slice(&self) -> &[ServerId] {
        if self.len as usize <= INLINE { &self.inline[..self.len as usize] } else { &self.spill }
    }
}

impl FromIterator<ServerId> for Candidates {
    fn from_iter<I: IntoIterator<Item = ServerId>>(servers: I) -> Self {
        let mut list = Self::new();
        for server in servers {
            list.push(server);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_below_and_above_the_inline_length() {
        for len in [0, 1, 15, 16, 17, 100] {
            let list: Candidates = (0..len).map(ServerId).collect();
            let expected: Vec<_> = (0..len).map(ServerId).collect();
            assert_eq!(list.as_slice(), expected);
            let mut next = (0..).map(ServerId);
            let drawn = Candidates::from_fn(len as usize, || next.next().unwrap());
            assert_eq!(drawn.as_slice(), expected);
        }
    }
}
