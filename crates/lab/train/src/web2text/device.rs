//! The device that trains the networks.

use crate::candle_error::candle_error;
use warcsieve_common::{Error, Result};

/// The device that trains the networks. Results of different devices differ in the last digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The CPU.
    #[default]
    Cpu,
    /// The first CUDA device; needs the feature `cuda`.
    Cuda,
}

impl Device {
    /// # Errors
    /// There is no such device, or the program was built without support for it.
    pub(super) fn open(self) -> Result<candle_core::Device> {
        match self {
            Self::Cpu => Ok(candle_core::Device::Cpu),
            Self::Cuda if cfg!(feature = "cuda") => {
                candle_core::Device::new_cuda(0).map_err(candle_error)
            }
            Self::Cuda => Err(Error::Invalid(
                "this program was built without the feature `cuda`".to_owned(),
            )),
        }
    }
}
