//! Uniform servers, with and without replacement.

use evenhand_core::{Candidates, Index, IndexPair, Rng, Sampler, ServerId};

/// `D` independent uniform servers; the number is known to the compiler.
#[derive(Clone, Debug)]
pub struct Uniform<const D: usize> {
    pair: IndexPair,
    single: Index,
}

impl<const D: usize> Uniform<D> {
    /// Draws from `servers` servers, 1 to 2^32.
    pub fn new(servers: u64) -> Self {
        Self { pair: IndexPair::new(servers, servers), single: Index::new(servers) }
    }
}

impl<const D: usize, A> Sampler<A> for Uniform<D> {
    type Set = [ServerId; D];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; D] {
        let mut set = [ServerId(0); D];
        let (pairs, rest) = set.as_chunks_mut::<2>();
        for [a, b] in pairs {
            let (i, j) = self.pair.draw(rng);
            (*a, *b) = (ServerId(i), ServerId(j));
        }
        for a in rest {
            *a = ServerId(self.single.draw(rng) as u32);
        }
        set
    }
}

/// Any number of independent uniform servers.
#[derive(Clone, Debug)]
pub struct UniformMany {
    index: Index,
    d: u32,
}

impl UniformMany {
    /// Draws `d` of `servers` servers, with replacement.
    pub fn new(servers: u64, d: u32) -> Self {
        Self { index: Index::new(servers), d }
    }
}

impl<A> Sampler<A> for UniformMany {
    type Set = Candidates;

    #[inline]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        Candidates::from_fn(self.d as usize, || ServerId(self.index.draw(rng) as u32))
    }
}

/// Two distinct uniform servers.
#[derive(Clone, Debug)]
pub struct DistinctPair {
    pair: IndexPair,
}

impl DistinctPair {
    /// Draws from `servers` servers, at least 2.
    pub fn new(servers: u64) -> Self {
        Self { pair: IndexPair::new(servers, servers - 1) }
    }
}

impl<A> Sampler<A> for DistinctPair {
    type Set = [ServerId; 2];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        let (i, j) = self.pair.draw(rng);
        // The second index counts the servers other than the first.
        [ServerId(i), ServerId(j + u32::from(j >= i))]
    }
}

/// Any number of distinct uniform servers, one drawn after the other: a server that was drawn
/// before is drawn again.
#[derive(Clone, Debug)]
pub struct Distinct {
    index: Index,
    d: u32,
}

impl Distinct {
    /// Draws `d` of `servers` servers without replacement; `d` is at most `servers`.
    pub fn new(servers: u64, d: u32) -> Self {
        Self { index: Index::new(servers), d }
    }
}

impl<A> Sampler<A> for Distinct {
    type Set = Candidates;

    #[inline]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        draw_distinct(self.d, || ServerId(self.index.draw(rng) as u32))
    }
}

/// Draws until `d` distinct servers are found. The caller guarantees that there are `d`.
pub(crate) fn draw_distinct(d: u32, mut draw: impl FnMut() -> ServerId) -> Candidates {
    let mut set = Candidates::new();
    for _ in 0..d {
        let server = loop {
            let server = draw();
            if !set.contains(server) {
                break server;
            }
        };
        set.push(server);
    }
    set
}
