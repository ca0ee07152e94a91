//! Where networks run: on the processor, with code of our own and burn's `flex`, or through burn on a
//! graphics card. The latter is chosen when the program is built, by the features `wgpu` and `cuda`.

use std::marker::PhantomData;

use burn::tensor::{Device, Tensor};

use crate::encoding::{Encode, Encoded, Mirror};
use crate::evaluator::{Evaluation, Evaluator, Request, Wdl, batch_of_one};
use crate::network::{Batch, Network};
use crate::weights::Weights;

/// Where networks run.
#[derive(Clone, Debug, Default)]
pub enum Compute {
    /// On the processor.
    #[default]
    Cpu,
    /// On a graphics card.
    Gpu(Device),
}

/// Whether the program was built for graphics cards.
pub const BUILT_FOR_GPU: bool = cfg!(any(feature = "wgpu", feature = "cuda"));

/// The instructions that evaluation, search and move generation choose here.
#[must_use]
pub fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if pulp::x86::V4::try_new().is_some() {
            return "AVX-512";
        }
        if pulp::x86::V3::try_new().is_some() {
            return "AVX2";
        }
    }
    "plain instructions"
}

impl Compute {
    /// The first graphics card.
    ///
    /// # Errors
    ///
    /// One line, if there is none or the program was built without.
    pub fn gpu() -> Result<Self, String> {
        if !BUILT_FOR_GPU {
            return Err("this program was built for the processor alone: build it with --features wgpu or \
                        --features cuda"
                .into());
        }
        first_card().map(Self::Gpu).ok_or_else(|| "no graphics card was found".into())
    }

    /// The device for burn.
    #[must_use]
    pub fn device(&self) -> Device {
        match self {
            Self::Cpu => Device::flex(),
            Self::Gpu(device) => device.clone(),
        }
    }
}

#[cfg(feature = "cuda")]
fn first_card() -> Option<Device> {
    Device::enumerate(burn::tensor::DeviceType::Cuda).into_vec().into_iter().next()
}

#[cfg(all(feature = "wgpu", not(feature = "cuda")))]
fn first_card() -> Option<Device> {
    let found = Device::enumerate(burn::tensor::DeviceType::Wgpu).into_vec();
    // Of several, the default is the most powerful one.
    (!found.is_empty()).then(|| Device::wgpu(burn::tensor::DeviceKind::DefaultDevice))
}

#[cfg(not(any(feature = "wgpu", feature = "cuda")))]
fn first_card() -> Option<Device> {
    None
}

/// Positions that are best judged at a time: a card is worth its overhead only when it is kept busy.
const BATCH: usize = 256;

/// Evaluates positions of `G` in batches through burn. One a thread.
#[derive(Clone, Debug)]
pub struct DeviceEvaluator<G> {
    network: Network,
    encoded: Encoded,
    batch: Batch,
    mirror: Mirror,
    game: PhantomData<fn(G)>,
}

impl<G: Encode> DeviceEvaluator<G> {
    /// An evaluator of weights whose dimensions must be those of `G` ([`Weights::check`]).
    #[must_use]
    pub fn new(weights: &Weights, device: &Device) -> Self {
        Self {
            network: Network::new(weights, G::sizes(), device),
            encoded: Encoded::default(),
            batch: Batch::default(),
            mirror: Mirror::Straight,
            game: PhantomData,
        }
    }

    /// The same, looking at the mirror image of every position where there is one ([`Mirror`]).
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.mirror = Mirror::Mirrored;
        self
    }
}

impl<G: Encode> Evaluator<G> for DeviceEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        batch_of_one(self, Request { position, actions }, logits)
    }

    fn batch_size(&self) -> usize {
        BATCH
    }

    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        for (requests, answers) in requests.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
            self.batch.clear();
            for request in requests {
                request.position.encode(self.mirror, request.actions, &mut self.encoded);
                self.batch.push(&self.encoded);
            }
            let output = self.network.forward(&self.batch);
            let (logits, wdl) = (to_host(output.logits), to_host(output.log_wdl));
            let rows = logits.chunks_exact(self.batch.width()).zip(wdl.as_chunks::<3>().0);
            for ((request, answer), (row, &wdl)) in requests.iter().zip(answers).zip(rows) {
                answer.wdl = Wdl::from_logits(wdl);
                answer.logits.clear();
                answer.logits.extend_from_slice(&row[..request.actions.len()]);
            }
        }
    }
}

/// The numbers of a tensor, row by row.
fn to_host(tensor: Tensor<2>) -> Vec<f32> {
    tensor.try_into_vec_as().expect("a tensor of f32 can be read")
}
