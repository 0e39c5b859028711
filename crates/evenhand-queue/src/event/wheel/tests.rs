//! The wheel against a search of all servers.

use proptest::prelude::*;

use super::*;

const SERVERS: usize = 20;

/// What happens next: a server's time is set some time after now, it is removed, or all
/// departures up to some time after now are taken out.
#[derive(Clone, Copy, Debug)]
enum Step {
    Set(u32, f64),
    Remove(u32),
    Depart(f64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let server = 0..SERVERS as u32;
    // Whole and far times make ties and empty turns.
    let time = || {
        prop_oneof![
            4 => 0.0..5.0_f64,
            4 => (0..4_u8).prop_map(f64::from),
            1 => 0.0..1e9_f64,
        ]
    };
    let step = prop_oneof![
        4 => (server.clone(), time()).prop_map(|(server, time)| Step::Set(server, time)),
        1 => server.prop_map(Step::Remove),
        2 => time().prop_map(Step::Depart),
    ];
    prop::collection::vec(step, 0..300)
}

proptest! {
    #[test]
    fn departures_come_in_order(steps in steps(), gap in 1e-3..1e3_f64, adapts in any::<bool>()) {
        let mut wheel = Wheel::new(SERVERS, gap);
        if adapts {
            wheel.pace.every = 5;
        }
        let mut times = [f64::INFINITY; SERVERS];
        let mut now = 0.0;
        for step in steps.into_iter().chain([Step::Depart(1e12)]) {
            match step {
                Step::Set(server, later) => {
                    times[server as usize] = now + later;
                    wheel.set(server, now + later);
                }
                Step::Remove(server) => {
                    times[server as usize] = f64::INFINITY;
                    wheel.remove(server);
                }
                Step::Depart(later) => {
                    now += later;
                    loop {
                        let all = times.iter().copied().zip(0..);
                        let least = all.min_by(order).expect("servers");
                        let expected = Some(least).filter(|&(time, _)| time <= now);
                        prop_assert_eq!(wheel.earliest_until(now, |_, _| {}), expected);
                        let Some((_, server)) = expected else { break };
                        times[server as usize] = f64::INFINITY;
                        wheel.remove(server);
                    }
                }
            }
        }
        prop_assert_eq!(wheel.len, 0);
    }
}
