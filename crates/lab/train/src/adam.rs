//! Adam (Kingma, Ba 2015), with state that can be saved and restored.

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor, Var};

const BETA: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

/// The optimizer state of some parameters.
pub(crate) struct Adam {
    /// First and second moment of each parameter.
    pub moments: Vec<[Var; 2]>,
    /// Number of steps so far.
    pub steps: u32,
}

impl Adam {
    pub fn new(parameters: &[Var]) -> Result<Self> {
        let zero = |p: &Var| Var::zeros(p.shape(), p.dtype(), p.device());
        let moments = parameters.iter().map(|p| Ok([zero(p)?, zero(p)?]));
        Ok(Self {
            moments: moments.collect::<Result<_>>()?,
            steps: 0,
        })
    }

    /// Moves the parameters against their gradients.
    pub fn step(&mut self, parameters: &[Var], gradients: &GradStore, rate: f64) -> Result<()> {
        self.steps += 1;
        let corrected = BETA.map(|beta| 1.0 - libm::pow(beta, f64::from(self.steps)));
        for (parameter, [first, second]) in parameters.iter().zip(&self.moments) {
            let Some(gradient) = gradients.get(parameter) else {
                continue;
            };
            let mix = |old: &Tensor, new: &Tensor, beta: f64| (old * beta)? + (new * (1.0 - beta))?;
            first.set(&mix(first, gradient, BETA[0])?)?;
            second.set(&mix(second, &gradient.sqr()?, BETA[1])?)?;
            let scale = ((second.as_tensor() / corrected[1])?.sqrt()? + EPSILON)?;
            let by = ((first.as_tensor() / scale)? * (rate / corrected[0]))?;
            parameter.set(&(parameter.as_tensor() - by)?)?;
        }
        Ok(())
    }
}
