use evenhand_core::Stream;

use crate::service::Service;

/// The share of the arrivals that each of `dispatchers` dispatchers gets: independent draws of
/// `law`, over their sum (`--dispatcher-shares`).
///
/// Where all draws are 0, which samples of a file allow, they are drawn anew.
///
/// ```
/// use evenhand_core::Stream;
/// use evenhand_sim::{Service, draw_shares};
/// let law = Service::parse("deterministic").unwrap();
/// assert_eq!(draw_shares(&law, 4, &mut Stream::from_seed(1)), [0.25; 4]);
/// ```
pub fn draw_shares(law: &Service, dispatchers: usize, stream: &mut Stream) -> Vec<f64> {
    if dispatchers == 0 {
        return Vec::new();
    }
    loop {
        let draws: Vec<f64> = (0..dispatchers).map(|_| law.sample(stream)).collect();
        let total: f64 = draws.iter().sum();
        if total > 0.0 {
            return draws.iter().map(|draw| draw / total).collect();
        }
    }
}
