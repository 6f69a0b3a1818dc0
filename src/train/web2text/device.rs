//! Where networks are trained.

use super::failed;
use crate::error::{Error, Result};

/// Where networks are trained. Figures of one device are not those of another to the last digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// The first CUDA device; needs the feature `cuda`.
    Cuda,
}

impl Device {
    /// # Errors
    /// There is none, or the program was built without it.
    pub(super) fn open(self) -> Result<candle_core::Device> {
        match self {
            Self::Cpu => Ok(candle_core::Device::Cpu),
            Self::Cuda if cfg!(feature = "cuda") => {
                candle_core::Device::new_cuda(0).map_err(failed)
            }
            Self::Cuda => Err(Error::Usage(
                "this program was built without the feature `cuda`".to_owned(),
            )),
        }
    }
}
