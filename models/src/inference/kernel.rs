//! The dense layer's inner loop for each instruction set: products of pairs of 16-bit numbers, summed in
//! 32 bits. Sums of integers do not depend on their order, so every instruction set gives the same result.

#![expect(
    clippy::inline_always,
    reason = "a function takes part in the run-time choice of instructions only when inlined"
)]

use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use pulp::{
    cast,
    x86::{V3, V4},
};

/// Outputs that are computed side by side.
pub(super) const BLOCK: usize = 32;

/// Weights of one block for one pair of inputs: output after output, both inputs of the pair each.
pub(super) type PairRow = [i16; 2 * BLOCK];

/// How an instruction set multiplies.
pub(super) trait Multiply: Copy {
    /// The sums of one block.
    type Sums: Copy;

    /// Sums to begin with.
    fn load(self, start: &[i32; BLOCK]) -> Self::Sums;

    /// `sum[o] += pair[0] * row[2 o] + pair[1] * row[2 o + 1]` for each output `o` of the block.
    fn add_products(self, sums: Self::Sums, pair: [i16; 2], row: &PairRow) -> Self::Sums;

    /// The finished sums.
    fn store(self, sums: Self::Sums) -> [i32; BLOCK];
}

/// Plain code, for processors that have none of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Multiply for Plain {
    type Sums = [i32; BLOCK];

    #[inline(always)]
    fn load(self, start: &[i32; BLOCK]) -> Self::Sums {
        *start
    }

    #[inline(always)]
    fn add_products(self, mut sums: Self::Sums, pair: [i16; 2], row: &PairRow) -> Self::Sums {
        let [a, b] = pair.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<2>().0) {
            let product = a * i32::from(weights[0]) + b * i32::from(weights[1]);
            *sum = sum.wrapping_add(product);
        }
        sums
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums) -> [i32; BLOCK] {
        sums
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for V3 {
    type Sums = [pulp::i32x8; BLOCK / 8];

    #[inline(always)]
    fn load(self, start: &[i32; BLOCK]) -> Self::Sums {
        cast(*start)
    }

    #[inline(always)]
    fn add_products(self, mut sums: Self::Sums, pair: [i16; 2], row: &PairRow) -> Self::Sums {
        let pair = cast(self.splat_i32x8(cast(pair)));
        for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<16>().0) {
            let products = self.multiply_wrapping_add_adjacent_i16x16(pair, cast(*weights));
            *sum = self.wrapping_add_i32x8(*sum, products);
        }
        sums
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums) -> [i32; BLOCK] {
        cast(sums)
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for V4 {
    type Sums = [pulp::i32x16; BLOCK / 16];

    #[inline(always)]
    fn load(self, start: &[i32; BLOCK]) -> Self::Sums {
        cast(*start)
    }

    #[inline(always)]
    fn add_products(self, mut sums: Self::Sums, pair: [i16; 2], row: &PairRow) -> Self::Sums {
        let pair = cast(self.splat_i32x16(cast(pair)));
        for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<32>().0) {
            let products = self.multiply_wrapping_add_adjacent_i16x32(pair, cast(*weights));
            *sum = self.wrapping_add_i32x16(*sum, products);
        }
        sums
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums) -> [i32; BLOCK] {
        cast(sums)
    }
}

/// Work that is compiled once for each instruction set.
pub(super) trait Work {
    /// Does it.
    fn run(self, multiply: impl Multiply);
}

/// Does the work with the best instructions that the processor has.
pub(super) fn dispatch(arch: Arch, work: impl Work) {
    match arch {
        #[cfg(target_arch = "x86_64")]
        Arch::V4(simd) => simd.vectorize(On(simd, work)),
        #[cfg(target_arch = "x86_64")]
        Arch::V3(simd) => simd.vectorize(On(simd, work)),
        _ => work.run(Plain),
    }
}

/// Work together with the instructions to do it with.
struct On<M, W>(M, W);

impl<M: Multiply, W: Work> pulp::NullaryFnOnce for On<M, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.1.run(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    struct Rows<'a>(&'a [(PairRow, [i16; 2])], &'a mut [i32; BLOCK]);

    impl Work for Rows<'_> {
        #[inline(always)]
        fn run(self, multiply: impl Multiply) {
            let mut sums = multiply.load(self.1);
            for (row, pair) in self.0 {
                sums = multiply.add_products(sums, *pair, row);
            }
            *self.1 = multiply.store(sums);
        }
    }

    /// Every instruction set that this processor has gives what plain arithmetic in 64 bits gives.
    #[test]
    fn all_instruction_sets_agree() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..50 {
            let rows: Vec<(PairRow, [i16; 2])> = (0..100)
                .map(|_| {
                    let row = std::array::from_fn(|_| rng.random_range(-300..=300));
                    (row, std::array::from_fn(|_| rng.random_range(-32767..=32767)))
                })
                .collect();
            let start: [i32; BLOCK] = std::array::from_fn(|_| rng.random_range(-1000..1000));
            let expected: [i64; BLOCK] = std::array::from_fn(|output| {
                let product = |(row, pair): &(PairRow, [i16; 2])| -> i64 {
                    (0..2).map(|i| i64::from(pair[i]) * i64::from(row[2 * output + i])).sum()
                };
                i64::from(start[output]) + rows.iter().map(product).sum::<i64>()
            });
            let mut plain = start;
            Rows(&rows, &mut plain).run(Plain);
            assert_eq!(plain.map(i64::from), expected);
            let mut best = start;
            dispatch(Arch::new(), Rows(&rows, &mut best));
            assert_eq!(best, plain);
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V3::try_new() {
                let mut sums = start;
                simd.vectorize(On(simd, Rows(&rows, &mut sums)));
                assert_eq!(sums, plain);
            }
        }
    }
}
