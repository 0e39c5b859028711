//! Queues with general service as the number of servers grows.
