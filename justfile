# Short names for what CONTRIBUTING.md explains. Every recipe calls plain cargo.

# List the recipes.
default:
    @just --list

# Format, lint and document, without running anything.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --release -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --release

# All tests, in release: statistical tests are slow without optimisation.
test:
    cargo test --release --workspace

# Speed of the engines; a word picks rows, as in `just bench 2^20`.
bench row="":
    cargo bench -p evenhand-sim -- {{row}}

# The documentation of the crates, in a browser.
docs:
    cargo doc --workspace --no-deps --release --open

# Everything that continuous integration runs.
ci:
    .ci/run

# Fuzz `expression`, `places`, `graph_read` or `graph_write`; needs nightly Rust and cargo-fuzz.
fuzz target="expression" seconds="60":
    cargo +nightly fuzz run {{target}} -- -max_total_time={{seconds}}

# Draw the pictures of the documentation again.
images:
    cargo run --release -- allocate --bins 1e6 --policy one-choice --policy two-choice --policy 'left(2)' --plot docs/images/choices.svg
    cargo run --release -- allocate --bins 4096 --runs 100 --policy two-choice --policy 'walks(2, regular(4))' --policy 'walks(2, regular(4), step=simple)' --policy 'edges(regular(4))' --policy 'walks(2, torus)' --plot docs/images/graphs.svg
    cargo run --release -- allocate --bins 400 --runs 1 --policy 'walks(2, torus)' --policy 'walks(2, regular(4, seed=1))' --plot docs/images/walks.svg
    cargo run --release -- allocate --servers examples/cloud_regions.csv --users examples/cities.csv --user-weight population --balls 5_800 --runs 100 --policy 'nearest(1)' --policy 'nearest(2)' --policy 'decay(2, 10)' --policy two-choice --plot docs/images/places.svg
    cargo run --release -- queue --servers 100 --load 0.8 --service 'samples("examples/service_times.csv", column="service_ms")' --policy two-choice --policy 'choices(5)' --policy 'least-work(2)' --policy all --plot docs/images/fleet.svg
    cargo run --release -- queue --servers 600 --dispatchers 40 --load 0.75 --policy 'choices(2, distinct)' --signal local --subset 'balanced(15)' --subset 'balanced(30)' --subset 'balanced(120)' --subset all --plot docs/images/dispatchers.svg
    cargo run --release -- queue --servers 10000 --load 0.9 --service deterministic --service exponential --service 'lognormal(4)' --policy two-choice --plot docs/images/theory.svg
