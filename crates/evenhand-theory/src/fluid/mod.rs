//! Balls into bins as the number of bins grows.
