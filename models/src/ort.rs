//! The residual network in ONNX Runtime, whose shared library is found at run time: an independent
//! implementation to compare with, and an engine for processors that it knows better.
//!
//! The environment variable `ORT_DYLIB_PATH` names the library.

use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;

use ort::environment::Environment;
use ort::session::Session;
use ort::value::TensorRef;
use pulp::Arch;

use crate::encoding::{Encode, Encoded, Grid, Mirror};
use crate::evaluator::{Evaluation, Evaluator, Request, Wdl, batch_of_one};
use crate::onnx::{Masks, export_for_engine};
use crate::residual::{Maps, score};
use crate::weights::Weights;

/// The environment variable that names the shared library.
pub const LIBRARY: &str = "ORT_DYLIB_PATH";

/// Positions that are best judged at a time.
const BATCH: usize = 32;

/// Evaluates positions of `G` with ONNX Runtime on one thread.
pub struct OrtEvaluator<G> {
    session: Session,
    weights: Weights,
    grid: &'static Grid,
    encoded: Vec<Encoded>,
    /// `[positions, planes, rows, columns]`.
    planes: Vec<f32>,
    /// `[positions, scalars]`.
    scalars: Vec<f32>,
    game: PhantomData<fn(G)>,
}

impl<G> fmt::Debug for OrtEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrtEvaluator").field("shape", &self.weights.shape).finish_non_exhaustive()
    }
}

impl<G: Encode> OrtEvaluator<G> {
    /// An evaluator of a residual network whose dimensions are those of `G`.
    ///
    /// # Errors
    ///
    /// One line: that the library is missing, and where it is looked for, or what it says of the model.
    pub fn new(weights: &Weights, masks: Masks) -> Result<Self, String> {
        let sizes = G::sizes();
        let model = export_for_engine(weights, sizes, masks)?;
        let grid = sizes.grid.ok_or("a residual network needs a board, and the game has none")?;
        let session = Session::builder(environment()?)
            .and_then(|builder| Ok(builder.with_intra_threads(1)?.with_inter_threads(1)?))
            .and_then(|mut builder| builder.commit_from_memory(&model))
            .map_err(|error| format!("ONNX Runtime refuses the network: {}", one_line(&error)))?;
        Ok(Self {
            session,
            weights: weights.clone(),
            grid,
            encoded: Vec::new(),
            planes: Vec::new(),
            scalars: Vec::new(),
            game: PhantomData,
        })
    }

    fn encode(&mut self, index: usize, position: &G, actions: &[G::Action]) {
        if self.encoded.len() <= index {
            self.encoded.push(Encoded::default());
        }
        let encoded = &mut self.encoded[index];
        position.encode(Mirror::Straight, actions, encoded);
        let grid = self.grid;
        let cells = grid.rows * grid.columns;
        let squares = grid.squares();
        let planes = self.planes.len();
        self.planes.resize(planes + grid.planes * cells, 0.0);
        let scalars = self.scalars.len();
        self.scalars.resize(scalars + G::sizes().inputs - grid.square_features(), 0.0);
        for feature in encoded.features.iter().map(|&feature| usize::from(feature)) {
            if let Some(scalar) = feature.checked_sub(grid.square_features()) {
                self.scalars[scalars + scalar] = 1.0;
            } else {
                let cell = usize::from(grid.cells()[feature % squares]);
                self.planes[planes + feature / squares * cells + cell] = 1.0;
            }
        }
    }

    fn run(&mut self, answers: &mut [Evaluation]) -> Result<(), ort::Error> {
        let count = answers.len();
        let Self { session, weights, grid, encoded, planes, scalars, .. } = self;
        let scalar_count = scalars.len() / count;
        let inputs = ort::inputs![
            "planes" => TensorRef::from_array_view(([count, grid.planes, grid.rows, grid.columns], &planes[..]))?,
            "scalars" => TensorRef::from_array_view(([count, scalar_count], &scalars[..]))?,
        ];
        let outputs = session.run(inputs)?;
        let (_, values) = outputs["value"].try_extract_tensor::<f32>()?;
        let (_, maps) = outputs["maps"].try_extract_tensor::<f32>()?;
        let (_, everywhere) = outputs["everywhere"].try_extract_tensor::<f32>()?;
        let maps =
            maps.chunks_exact(maps.len() / count).zip(everywhere.chunks_exact(everywhere.len() / count));
        for (((answer, value), (squares, everywhere)), encoded) in
            answers.iter_mut().zip(values.as_chunks::<3>().0).zip(maps).zip(&*encoded)
        {
            answer.wdl = Wdl::from_logits(*value);
            answer.logits.clear();
            answer.logits.resize(encoded.actions.len(), 0.0);
            let logits = &mut answer.logits;
            Arch::new().dispatch(|| score(weights, encoded, Maps { squares, everywhere }, logits));
        }
        Ok(())
    }
}

impl<G: Encode> Evaluator<G> for OrtEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        batch_of_one(self, Request { position, actions }, logits)
    }

    fn batch_size(&self) -> usize {
        BATCH
    }

    /// # Panics
    ///
    /// If ONNX Runtime fails in the middle of its work.
    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        if requests.is_empty() {
            return;
        }
        self.planes.clear();
        self.scalars.clear();
        for (index, request) in requests.iter().enumerate() {
            self.encode(index, request.position, request.actions);
        }
        self.run(&mut answers[..requests.len()]).expect("a model that was accepted runs");
    }
}

/// The library's environment, of which there may be one a process.
fn environment() -> Result<&'static Environment, String> {
    static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();
    ENVIRONMENT.get_or_init(load).as_ref().map_err(Clone::clone)
}

/// Loads the library.
fn load() -> Result<Environment, String> {
    let path = std::env::var_os(LIBRARY).ok_or_else(|| {
        format!("ONNX Runtime is not at hand: set {LIBRARY} to its shared library, such as libonnxruntime.so")
    })?;
    let refusal = |why: String| {
        let path = std::path::Path::new(&path).display();
        format!("{LIBRARY} is {path}: expected ONNX Runtime's shared library: {why}")
    };
    let builder = ort::init_from(&path).map_err(|error| refusal(one_line(&error)))?;
    builder.build().map_err(|error| refusal(one_line(&error)))
}

fn one_line(error: &impl fmt::Display) -> String {
    error.to_string().lines().collect::<Vec<_>>().join(" ")
}
