use evenhand_core::{ServerId, Stream};

use super::shuffle::shuffle_front;

/// Deals shuffled decks of all servers, `k` to each dispatcher.
///
/// A dispatcher who gets the end of one deck takes what is missing from the next, which is
/// uniform among the decks whose top it can take: without a server that it already has. So every
/// deck is dealt to its end before the next is begun, and no hand has a server twice.
pub(super) fn draw(
    dispatchers: usize,
    mut deck: Vec<ServerId>,
    k: usize,
    stream: &mut Stream,
) -> Vec<Vec<ServerId>> {
    let mut dealt = deck.len();
    let mut hands = Vec::with_capacity(dispatchers);
    for _ in 0..dispatchers {
        let mut hand = deck[dealt..deck.len().min(dealt + k)].to_vec();
        dealt += hand.len();
        if hand.len() < k {
            // The hand is the end of the old deck, so the servers before it are the others.
            let (others, missing) = (deck.len() - hand.len(), k - hand.len());
            shuffle_front(&mut deck[..others], missing, stream);
            hand.extend_from_slice(&deck[..missing]);
            let left = deck.len() - missing;
            shuffle_front(&mut deck[missing..], left, stream);
            dealt = missing;
        }
        hands.push(hand);
    }
    hands
}
