//! Evaluations that are remembered: transpositions, and positions that the search of the next move meets
//! again.
//!
//! An evaluation depends on the encoded position alone, so a cache changes the speed of a search and never its
//! result.

use camelot_models::{Encode, Evaluation, Evaluator, Request, Wdl};

/// An evaluator with a memory of fixed size in front of it.
#[derive(Clone, Debug)]
pub struct Cached<E> {
    evaluator: E,
    /// By the low bits of the key.
    entries: Vec<Entry>,
    /// The logits of the last evaluations, in a ring.
    logits: Vec<f32>,
    /// Logits written so far.
    written: u64,
    /// Requests of a batch that are not remembered.
    missing: Vec<usize>,
    answers: Vec<Evaluation>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Where its logits begin, counted from the first ever written.
    start: u64,
    count: u32,
    wdl: Wdl,
}

/// Logits kept for each entry, on average.
const LOGITS_AN_ENTRY: usize = 32;

impl<E> Cached<E> {
    /// Remembers about `1 << size` evaluations: 164 bytes each.
    #[must_use]
    pub fn new(evaluator: E, size: u32) -> Self {
        let empty = Entry { key: 0, start: 0, count: 0, wdl: Wdl::EVEN };
        Self {
            evaluator,
            entries: vec![empty; 1 << size],
            logits: vec![0.0; LOGITS_AN_ENTRY << size],
            written: 0,
            missing: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// The remembered evaluation, its logits written to `logits`.
    fn find(&self, key: u64, actions: usize, logits: &mut Vec<f32>) -> Option<Wdl> {
        let entry = &self.entries[self.place(key)];
        let overwritten = self.written - entry.start > self.logits.len() as u64;
        if entry.key != key || entry.count as usize != actions || overwritten {
            return None;
        }
        let start = entry.start as usize & (self.logits.len() - 1);
        logits.clear();
        logits.extend_from_slice(&self.logits[start..start + actions]);
        Some(entry.wdl)
    }

    fn store(&mut self, key: u64, wdl: Wdl, logits: &[f32]) {
        let size = self.logits.len();
        if logits.len() > size {
            return;
        }
        // Logits lie together: what does not fit before the end of the ring begins at its start.
        let left = size - (self.written as usize & (size - 1));
        if logits.len() > left {
            self.written += left as u64;
        }
        let start = self.written as usize & (size - 1);
        self.logits[start..start + logits.len()].copy_from_slice(logits);
        let place = self.place(key);
        self.entries[place] = Entry { key, start: self.written, count: logits.len() as u32, wdl };
        self.written += logits.len() as u64;
    }
}

impl<G: Encode, E: Evaluator<G>> Evaluator<G> for Cached<E> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        let key = position.encoding_key();
        if let Some(wdl) = self.find(key, actions.len(), logits) {
            return wdl;
        }
        let wdl = self.evaluator.evaluate(position, actions, logits);
        self.store(key, wdl, logits);
        wdl
    }

    fn batch_size(&self) -> usize {
        self.evaluator.batch_size()
    }

    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        self.missing.clear();
        for (i, (request, answer)) in requests.iter().zip(answers.iter_mut()).enumerate() {
            let key = request.position.encoding_key();
            match self.find(key, request.actions.len(), &mut answer.logits) {
                Some(wdl) => answer.wdl = wdl,
                None => self.missing.push(i),
            }
        }
        if let [missing] = self.missing[..] {
            let Request { position, actions } = requests[missing];
            answers[missing].wdl = self.evaluate(position, actions, &mut answers[missing].logits);
            return;
        }
        let asked: Vec<Request<'_, G>> = self.missing.iter().map(|&i| Request { ..requests[i] }).collect();
        let mut found = std::mem::take(&mut self.answers);
        found.resize_with(asked.len().max(found.len()), Evaluation::default);
        self.evaluator.evaluate_batch(&asked, &mut found[..asked.len()]);
        for (place, &i) in self.missing.clone().iter().enumerate() {
            std::mem::swap(&mut answers[i], &mut found[place]);
            self.store(requests[i].position.encoding_key(), answers[i].wdl, &answers[i].logits);
        }
        self.answers = found;
    }
}
