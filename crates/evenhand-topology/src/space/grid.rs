//! Near-square grids.

use super::Error;

/// Rows and columns of the most square grid of exactly `count` places, no
/// narrower than 1:2, with rows at most columns.
pub(super) fn shape(count: usize) -> Result<(usize, usize), Error> {
    fitting(count).ok_or_else(|| Error::GridShape {
        count,
        below: (1..count).rev().find(|&n| fitting(n).is_some()).unwrap_or(1),
        above: (count + 1..).find(|&n| fitting(n).is_some()).unwrap_or(usize::MAX),
    })
}

fn fitting(count: usize) -> Option<(usize, usize)> {
    let square_root = count.isqrt();
    (1..=square_root)
        .rev()
        .take_while(|rows| 2 * rows * rows >= count)
        .find(|rows| count.is_multiple_of(*rows))
        .map(|rows| (rows, count / rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_square_as_can_be() {
        let shapes = [1, 2, 4, 6, 8, 9, 12, 15, 100, 200, 1_000_000];
        let shapes = shapes.map(|n| shape(n).unwrap());
        let expected = [
            (1, 1),
            (1, 2),
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 3),
            (3, 4),
            (3, 5),
            (10, 10),
            (10, 20),
            (1000, 1000),
        ];
        assert_eq!(shapes, expected);
    }

    #[test]
    fn narrow_counts_name_their_neighbours() {
        for (count, expected) in [(3, (2, 4)), (10, (9, 12)), (101, (100, 104))] {
            let Err(Error::GridShape { below, above, .. }) = shape(count) else {
                panic!("{count} fits");
            };
            assert_eq!((below, above), expected);
        }
        assert!(shape(4_294_967_291).is_err()); // the largest 32-bit prime
    }
}
