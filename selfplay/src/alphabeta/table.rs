//! The transposition table: what earlier visits of a position found, in a fixed number of entries.
//!
//! An entry holds the full key, so that two positions are taken for one only if their keys agree in all 64
//! bits. Every search starts a new generation and sees no entry of an older one: what a search finds does not
//! depend on what was searched before it.

/// What the score of an entry says about the position's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the position's.
    Exact,
    /// The position's is at least that.
    Lower,
    /// The position's is at most that.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    key: u64,
    /// 0 in an entry that was never written.
    generation: u16,
    /// The score for the team to move; wins count plies from this position.
    pub(super) score: i16,
    /// Where the best action stands among the legal ones, in the order of their generator.
    pub(super) best: u16,
    /// The plies searched below the position.
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

const EMPTY: Entry = Entry { key: 0, generation: 0, score: 0, best: 0, depth: 0, bound: Bound::Upper };

/// What a search says of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) score: i16,
    pub(super) best: u16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// Two entries for each remainder of a key: one that prefers depth, one that takes the latest.
type Bucket = [Entry; 2];

/// The table. Its memory is taken when the first search starts.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    size: usize,
    generation: u16,
}

impl Table {
    /// A table of `entries` entries, rounded down to a power of two; of none if that is below 2.
    pub(super) fn new(entries: usize) -> Self {
        let size = if entries < 2 { 0 } else { 1 << (entries / 2).ilog2() };
        Self { buckets: Vec::new(), size, generation: 0 }
    }

    /// Forgets everything.
    pub(super) fn start(&mut self) {
        if self.generation == u16::MAX || self.buckets.len() != self.size {
            self.buckets.clear();
            self.buckets.resize(self.size, [EMPTY; 2]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// The bucket of a key; keys are well mixed, so their low bits will do.
    fn place(&self, key: u64) -> usize {
        key as usize & self.size.wrapping_sub(1)
    }

    /// What is known of the position with this key.
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    /// Keeps a finding.
    pub(super) fn store(&mut self, key: u64, finding: Finding) {
        let (place, generation) = (self.place(key), self.generation);
        let Some([deep, latest]) = self.buckets.get_mut(place) else { return };
        let Finding { score, best, depth, bound } = finding;
        let entry = Entry { key, generation, score, best, depth, bound };
        if deep.generation != generation || deep.key == key || deep.depth <= depth {
            if deep.key != key {
                *latest = *deep;
            }
            *deep = entry;
        } else {
            *latest = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(score: i16, depth: i8) -> Finding {
        Finding { score, best: 3, depth, bound: Bound::Exact }
    }

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<Entry>(), 16);
    }

    #[test]
    fn what_is_stored_is_found_until_the_next_search() {
        let mut table = Table::new(16);
        table.start();
        table.store(5, finding(7, 2));
        assert_eq!(table.find(5).map(|entry| (entry.score, entry.best, entry.depth)), Some((7, 3, 2)));
        assert_eq!(table.find(5 + 8), None, "the same bucket, another position");
        table.start();
        assert_eq!(table.find(5), None);
    }

    #[test]
    fn depth_is_kept_and_the_latest_too() {
        let mut table = Table::new(16);
        table.start();
        for (key, depth) in [(1, 5), (9, 2), (17, 3)] {
            table.store(key, finding(0, depth));
        }
        assert!(table.find(1).is_some() && table.find(9).is_none() && table.find(17).is_some());
        table.store(25, finding(0, 6));
        assert!(table.find(25).is_some() && table.find(1).is_some() && table.find(17).is_none());
        table.store(25, finding(1, 1));
        assert_eq!(
            table.find(25).map(|entry| entry.score),
            Some(1),
            "the same position is brought up to date"
        );
    }

    #[test]
    fn generations_that_run_out_start_afresh() {
        let mut table = Table::new(4);
        table.start();
        table.store(1, finding(0, 9));
        for _ in 0..usize::from(u16::MAX) {
            table.start();
        }
        assert_eq!((table.generation, table.find(1)), (1, None));
    }

    #[test]
    fn a_table_of_nothing_knows_nothing() {
        let mut table = Table::new(0);
        table.start();
        table.store(1, finding(0, 9));
        assert_eq!(table.find(1), None);
    }
}
