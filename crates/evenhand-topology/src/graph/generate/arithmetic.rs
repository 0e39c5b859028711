//! A little number theory, for moduli below 2^32.

/// Whether `number` is prime, by trial division.
pub(in crate::graph) fn is_prime(number: u32) -> bool {
    number >= 2 && (2..=number.isqrt()).all(|divisor| !number.is_multiple_of(divisor))
}

/// `base` to the power of `exponent`, modulo `modulus`.
pub(super) fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1, base % modulus, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        rest >>= 1;
    }
    result
}

/// Whether `number` is a nonzero square modulo the odd prime `prime` (Euler's criterion).
pub(super) fn is_residue(number: u64, prime: u64) -> bool {
    power(number, (prime - 1) / 2, prime) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_and_residues() {
        let primes: Vec<u32> = (0..30).filter(|&n| is_prime(n)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
        let residues: Vec<u64> = (0..13).filter(|&n| is_residue(n, 13)).collect();
        assert_eq!(residues, [1, 3, 4, 9, 10, 12]);
        assert_eq!(power(4_294_967_290, 4_294_967_290, 4_294_967_291), 1);
    }
}
