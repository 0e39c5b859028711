//! Queues with exponential service as the number of servers grows.
