//! Structures whose fields have defaults.

/// Declares a structure with a default for each field, and implements `Default` by them.
///
/// ```
/// warcsieve_common::with_defaults! {
///     /// How to shrink.
///     #[derive(Debug)]
///     pub struct Params {
///         /// To how much.
///         pub share: f64 = 0.5,
///         pub steps: u32 = 10,
///     }
/// }
///
/// assert_eq!(Params { steps: 3, ..Params::default() }.share, 0.5);
/// ```
#[macro_export]
macro_rules! with_defaults {
    ($(#[$about:meta])* $shown:vis struct $name:ident {
        $($(#[$of:meta])* $seen:vis $field:ident: $kind:ty = $default:expr,)*
    }) => {
        $(#[$about])*
        $shown struct $name {
            $($(#[$of])* $seen $field: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}
