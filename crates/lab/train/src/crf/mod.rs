//! Trains a linear-chain conditional random field (Lafferty, McCallum, Pereira 2001).
//!
//! L-BFGS minimises a convex function: the negative log-likelihood of the pages' labels given their
//! features, plus the squares of the weights. The same pages lead to the same model, bit for bit, with
//! any number of threads.

mod likelihood;
#[cfg(test)]
mod tests;
mod validate;

pub use validate::{Learned, decode, learn};

use super::sequences::Sequences;
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use likelihood::Likelihood;
use std::cell::RefCell;
use warcsieve_common::{Error, Result, with_defaults};
use warcsieve_model::{Crf, EdgeWeights, Weight};

with_defaults! {
    /// Training parameters.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        /// Regularisation: factor of half the sum of squares of all weights except the bias. The
        /// weights are those of standardised features; a block counts 1.
        pub l2: f64 = 1.0,
        /// Maximum number of L-BFGS steps.
        pub steps: u64 = 100,
        /// Training ends when a step reduces the mean over blocks by no more than this.
        pub tolerance: f64 = 1e-6,
    }
}

/// Trains a model on some of the pages, given by their indices.
///
/// # Errors
/// [`Error::Invalid`] if the pages have no block, or a number is not finite.
pub fn train(data: &Sequences, pages: &[usize], params: &Params) -> Result<Crf> {
    let likelihood = Likelihood::new(data, pages, params.l2);
    if likelihood.blocks == 0 {
        return Err(Error::Invalid("there is no block to learn from".to_owned()));
    }
    let failed = |e: argmin::core::Error| Error::Invalid(format!("no model was learned: {e}"));
    let start = vec![0.0; likelihood.len()];
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10)
        .with_tolerance_cost(params.tolerance)
        .map_err(failed)?;
    let result = Executor::new(Problem::new(likelihood), solver)
        .configure(|state| state.param(start).max_iters(params.steps))
        .timer(false)
        .run()
        .map_err(failed)?;
    // A line search that cannot make progress ends with an error; the best point so far is the
    // result.
    let best = result.state.get_best_param();
    let best = best.filter(|best| best.iter().all(|weight| weight.is_finite()));
    let best = best.ok_or_else(|| Error::Invalid("no finite model was learned".to_owned()))?;
    let likelihood = Likelihood::new(data, pages, params.l2);
    Ok(model(data, &likelihood, best))
}

fn model(data: &Sequences, likelihood: &Likelihood<'_>, weights: &[f64]) -> Crf {
    let (states, edges) = likelihood.standards.split_at(likelihood.states);
    let names = data.names.split_at(likelihood.states);
    let parts = likelihood.parts(weights);
    let four = |at: usize, of: &[f64]| std::array::from_fn(|pair| of[4 * at + pair]);
    Crf {
        about: Default::default(),
        bias: parts.bias,
        transitions: four(0, parts.transitions),
        states: (names.0.iter().zip(states).zip(parts.states))
            .map(|((name, standard), weight)| Weight {
                name: name.clone(),
                offset: standard.offset,
                scale: standard.scale,
                weight: *weight,
            })
            .collect(),
        edges: (names.1.iter().zip(edges).enumerate())
            .map(|(at, (name, standard))| EdgeWeights {
                name: name.clone(),
                offset: standard.offset,
                scale: standard.scale,
                weights: four(at, parts.edges),
            })
            .collect(),
    }
}

/// A point, the value there, and the gradient.
type Evaluated = (Vec<f64>, f64, Vec<f64>);

/// The likelihood for the solver, which requests value and gradient separately. They are computed
/// together, so the last evaluation is cached.
struct Problem<'a> {
    likelihood: Likelihood<'a>,
    last: RefCell<Option<Evaluated>>,
}

impl<'a> Problem<'a> {
    fn new(likelihood: Likelihood<'a>) -> Self {
        let last = RefCell::new(None);
        Self { likelihood, last }
    }

    fn at<T>(&self, weights: &[f64], take: impl Fn(f64, &[f64]) -> T) -> T {
        let mut last = self.last.borrow_mut();
        if let Some((_, value, gradient)) = last.as_ref().filter(|(at, ..)| at == weights) {
            return take(*value, gradient);
        }
        let (value, gradient) = self.likelihood.evaluate(weights);
        let taken = take(value, &gradient);
        *last = Some((weights.to_vec(), value, gradient));
        taken
    }
}

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> std::result::Result<f64, argmin::core::Error> {
        Ok(self.at(weights, |value, _| value))
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> std::result::Result<Vec<f64>, argmin::core::Error> {
        Ok(self.at(weights, |_, gradient| gradient.to_vec()))
    }
}
