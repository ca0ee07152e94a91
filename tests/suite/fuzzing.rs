//! The bodies of the fuzz targets on their seeds and on mutations of them: a short, repeatable turn of what
//! `tests/fuzz` does for long.

#[expect(unreachable_pub, reason = "the same files are a library for the fuzzer")]
#[path = "../fuzz/src/lib.rs"]
mod bodies;

use camelot_core::position::mix;

/// Mutations of a target's seeds.
const MUTATIONS: u64 = 4_000;

/// A seed with a few bytes changed, removed, repeated or taken from another seed.
pub(crate) fn mutated(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut state = number;
    let mut draw = |below: usize| {
        state = mix(state);
        state as usize % below.max(1)
    };
    let mut data = seeds[draw(seeds.len())].clone();
    for _ in 0..=draw(4) {
        let at = draw(data.len());
        let until = (at + draw(8)).min(data.len());
        let other = &seeds[draw(seeds.len())];
        match draw(5) {
            0 if at < data.len() => data[at] = draw(256) as u8,
            1 if at < data.len() => data[at] ^= 1 << draw(8),
            2 => drop(data.drain(at..until)),
            3 => data = [&data[..until], &data[at..]].concat(),
            _ => {
                let from = draw(other.len());
                data.splice(at..until, other[from..(from + draw(16)).min(other.len())].iter().copied());
            }
        }
    }
    data
}

fn run(target: &str) {
    let (_, body, seeds) = bodies::TARGETS.into_iter().find(|(name, ..)| *name == target).unwrap();
    let seeds = seeds();
    for seed in &seeds {
        body(seed);
    }
    for number in 0..MUTATIONS {
        body(&mutated(&seeds, number));
    }
}

#[test]
fn positions_keep_their_promises() {
    run("position");
}

#[test]
fn moves_keep_their_promises() {
    run("action");
}

#[test]
fn games_as_text_keep_their_promises() {
    run("pgn");
}

#[test]
fn shards_keep_their_promises() {
    run("shard");
}
