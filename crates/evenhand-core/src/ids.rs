/// Dense index of a server (bin, queue, backend) in `0..n` with `n <= 2^32`.
///
/// A live membership maps its names to these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ServerId(pub u32);

impl ServerId {
    /// The index as a `usize`, for slices.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
