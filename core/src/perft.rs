//! Counts of the game tree, the standard check of a move generator.

use crate::game::Game;

/// The number of action sequences of length `depth`; finished games are not continued.
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    count(position, &mut buffers)
}

/// One buffer of actions a remaining ply, so that counting allocates nothing once they have grown.
fn count<G: Game>(position: &G, buffers: &mut [Vec<G::Action>]) -> u64 {
    let Some((actions, deeper)) = buffers.split_first_mut() else { return 1 };
    if position.outcome().is_some() {
        return 0;
    }
    if deeper.is_empty() {
        return position.count_actions(actions) as u64;
    }
    actions.clear();
    position.legal_actions(actions);
    let mut nodes = 0;
    for &action in actions.iter() {
        let mut next = position.clone();
        next.play(action);
        nodes += count(&next, deeper);
    }
    nodes
}

/// [`perft`] of each legal action; their sum is the perft of the position. Empty at depth 0.
#[must_use]
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(G::Action, u64)> {
    if depth == 0 || position.outcome().is_some() {
        return Vec::new();
    }
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions
        .into_iter()
        .map(|action| {
            let mut next = position.clone();
            next.play(action);
            (action, perft(&next, depth - 1))
        })
        .collect()
}
