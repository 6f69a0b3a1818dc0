//! Collectors for the values of a column.

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, Int64Builder,
    ListBuilder, StringBuilder, StructBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, Float32Array, Int32Array};
use arrow_schema::DataType;
use std::sync::Arc;

/// Collects the values of a column.
pub trait Build: Send + 'static {
    /// The values since the last call.
    fn finish(&mut self) -> ArrayRef;
}

macro_rules! arrow_builders {
    ($($builder:ty)*) => {
        $(impl Build for $builder {
            fn finish(&mut self) -> ArrayRef {
                Arc::new(<$builder>::finish(self))
            }
        })*
    };
}

arrow_builders! {
    BinaryBuilder BooleanBuilder Float32Builder Float64Builder Int32Builder Int64Builder StringBuilder
    TimestampMicrosecondBuilder ListBuilder<StringBuilder> StructBuilder
}

/// For numbers that are never null, many at a time.
impl Build for Vec<i32> {
    fn finish(&mut self) -> ArrayRef {
        Arc::new(Int32Array::from(std::mem::take(self)))
    }
}

/// For numbers that are never null, many at a time.
impl Build for Vec<f32> {
    fn finish(&mut self) -> ArrayRef {
        Arc::new(Float32Array::from(std::mem::take(self)))
    }
}

/// A number or a flag of a column, or one that may be null.
pub trait Number {
    /// The collector for such numbers.
    type Builder: Build + Default;
    const TYPE: DataType;
    const IS_NULLABLE: bool;
    /// The size of one.
    const BYTES: usize;

    /// Adds it to a column.
    fn add_to(self, numbers: &mut Self::Builder);
}

macro_rules! numbers {
    ($($number:ty: $builder:ty, $data_type:ident;)*) => {
        $(impl Number for $number {
            type Builder = $builder;
            const TYPE: DataType = DataType::$data_type;
            const IS_NULLABLE: bool = false;
            const BYTES: usize = size_of::<$number>();

            fn add_to(self, numbers: &mut $builder) {
                numbers.append_value(self);
            }
        }

        impl Number for Option<$number> {
            type Builder = $builder;
            const TYPE: DataType = DataType::$data_type;
            const IS_NULLABLE: bool = true;
            const BYTES: usize = size_of::<$number>();

            fn add_to(self, numbers: &mut $builder) {
                numbers.append_option(self);
            }
        })*
    };
}

numbers! {
    i32: Int32Builder, Int32;
    i64: Int64Builder, Int64;
    f32: Float32Builder, Float32;
    f64: Float64Builder, Float64;
    bool: BooleanBuilder, Boolean;
}

/// Page counts and sizes are bounded by `max_page_bytes`, at most 1 GiB.
pub fn to_i32(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// File offsets beyond 8 EiB do not occur.
pub fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
