//! From features to numbers on every square: the first convolution and the residual blocks.

use pulp::{Arch, Simd};

use super::kernel::{Layer, Source, TILE, add_rectified, store, store_rectified};
use crate::encoding::{Encoded, Grid, NEIGHBOURHOOD};
use crate::shape::ResidualShape;
use crate::weights::Weights;
use crate::weights::residual::{self, Part};

/// Positions worked on together: their numbers and a layer's weights stay in the second-level cache.
pub(super) const GROUP: usize = 4;

/// The layers that work on every square.
#[derive(Debug)]
pub(super) struct Trunk {
    blocks: Vec<[Layer; 2]>,
    maps: Layer,
    grid: &'static Grid,
    channels: usize,
}

/// The numbers of a group of positions.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    /// `[GROUP, rows + 2, columns + 2, channels]`; cells off the board and edges stay zero.
    trunk: Vec<f32>,
    hidden: Vec<f32>,
    /// One position's first convolution, edges included.
    sums: Vec<f32>,
    /// What scalars add on every square.
    everywhere: Vec<f32>,
    /// For each square of each position where its neighbourhood begins, and where it lies itself.
    corners: Vec<usize>,
    centres: Vec<usize>,
    /// `[GROUP, squares, 3 policy]`: origins, targets, captures.
    pub(super) maps: Vec<f32>,
}

impl Trunk {
    pub(super) fn new(arch: Arch, weights: &Weights, shape: ResidualShape, grid: &'static Grid) -> Self {
        let convolution = |block, weight, bias| {
            let [weight, bias] = [weight, bias].map(|layer| weights.get(Part::Block(block, layer)));
            Layer::new(arch, weight, bias.to_vec(), 3)
        };
        let block = |block| {
            use residual::Layer::{FirstBias, FirstWeight, SecondBias, SecondWeight};
            [convolution(block, FirstWeight, FirstBias), convolution(block, SecondWeight, SecondBias)]
        };
        let maps = super::joined_maps(weights, shape);
        Self {
            blocks: (0..shape.blocks).map(block).collect(),
            maps: Layer::new(arch, &maps, vec![0.0; 3 * shape.policy], 1),
            grid,
            channels: shape.channels,
        }
    }

    fn stride(&self) -> usize {
        (self.grid.columns + 2) * self.channels
    }

    /// Room for a group.
    pub(super) fn squares(&self, shape: ResidualShape) -> Squares {
        let (grid, channels, stride) = (self.grid, self.channels, self.stride());
        let one = (grid.rows + 2) * stride;
        let corner = |position: usize, &cell: &u16| {
            let (row, column) = (usize::from(cell) / grid.columns, usize::from(cell) % grid.columns);
            position * one + row * stride + column * channels
        };
        let mut corners: Vec<usize> = (0..GROUP)
            .flat_map(|position| grid.cells().iter().map(move |cell| corner(position, cell)))
            .collect();
        // The last tile may reach beyond the last square: what it computes there is not used.
        corners.resize(corners.len().next_multiple_of(TILE), corners[0]);
        Squares {
            trunk: vec![0.0; GROUP * one],
            hidden: vec![0.0; GROUP * one],
            sums: vec![0.0; one],
            everywhere: vec![0.0; channels],
            centres: corners.iter().map(|corner| corner + stride + channels).collect(),
            corners,
            maps: vec![0.0; GROUP * grid.squares() * 3 * shape.policy],
        }
    }

    /// Fills the trunk and the maps for some positions, at most [`GROUP`].
    #[inline(always)]
    pub(super) fn forward<S: Simd>(
        &self,
        simd: S,
        weights: &Weights,
        positions: &[Encoded],
        squares: &mut Squares,
    ) {
        for (index, position) in positions.iter().enumerate() {
            self.first_layer(weights, &position.features, index, squares);
        }
        let count = positions.len() * self.grid.squares();
        let Squares { trunk, hidden, corners, centres, maps, .. } = squares;
        let stride = self.stride();
        for [first, second] in &self.blocks {
            let source = Source { input: trunk, starts: corners, stride };
            first.apply(simd, &source, count, |square, output, sums| {
                store_rectified(simd, &mut hidden[centres[square] + output..], sums);
            });
            let source = Source { input: hidden, starts: corners, stride };
            second.apply(simd, &source, count, |square, output, sums| {
                add_rectified(simd, &mut trunk[centres[square] + output..], sums);
            });
        }
        let width = maps.len() / GROUP / self.grid.squares();
        let source = Source { input: trunk, starts: centres, stride };
        self.maps.apply(simd, &source, count, |square, output, sums| {
            store::<S>(&mut maps[square * width + output..], sums);
        });
    }

    /// The first convolution, by its few active inputs.
    #[inline(always)]
    fn first_layer(&self, weights: &Weights, features: &[u16], position: usize, squares: &mut Squares) {
        let (grid, channels, stride) = (self.grid, self.channels, self.stride());
        let (planes, scalars) = (weights.get(Part::Planes), weights.get(Part::Scalars));
        squares.sums.fill(0.0);
        squares.everywhere.fill(0.0);
        for feature in features.iter().map(|&feature| usize::from(feature)) {
            if let Some(scalar) = feature.checked_sub(grid.square_features()) {
                add(&mut squares.everywhere, &scalars[scalar * channels..]);
                continue;
            }
            let (plane, square) = (feature / grid.squares(), feature % grid.squares());
            for neighbour in 0..NEIGHBOURHOOD {
                // The cell that has this square as its neighbour.
                let cell = (2 - neighbour / 3) * stride + (2 - neighbour % 3) * channels;
                let out = &mut squares.sums[squares.corners[square] + cell..][..channels];
                add(out, &planes[(neighbour * grid.planes + plane) * channels..]);
            }
        }
        let places = weights.get(Part::Places).chunks_exact(channels);
        let first = position * grid.squares();
        for (square, place) in places.enumerate() {
            let sums = &squares.sums[squares.centres[square]..][..channels];
            let out = &mut squares.trunk[squares.centres[first + square]..][..channels];
            for (((out, sum), place), everywhere) in
                out.iter_mut().zip(sums).zip(place).zip(&squares.everywhere)
            {
                *out = (sum + place + everywhere).max(0.0);
            }
        }
    }

    /// Means over the squares of a position, then the largest numbers.
    #[inline(always)]
    pub(super) fn pool(&self, position: usize, squares: &Squares, pooled: &mut [f32]) {
        let count = self.grid.squares();
        let (mean, largest) = pooled.split_at_mut(self.channels);
        mean.fill(0.0);
        largest.fill(0.0);
        for &centre in &squares.centres[position * count..][..count] {
            let numbers = &squares.trunk[centre..][..self.channels];
            for ((mean, largest), &number) in mean.iter_mut().zip(&mut *largest).zip(numbers) {
                *mean += number;
                *largest = number.max(*largest);
            }
        }
        for mean in mean {
            *mean /= count as f32;
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32], row: &[f32]) {
    let row = &row[..sums.len()];
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}
