//! The shapes of the structures of Parquet (`parquet.thrift` of parquet-format 2.12).

use super::thrift::Fields;
use super::thrift::Kind::{self, Binary, Byte, Double, Flag, Int, List, Struct};

/// The footer.
pub(super) const FILE: Fields = &[
    (1, Int),
    (2, List(&Struct(SCHEMA_ELEMENT))),
    (3, Int),
    (4, List(&Struct(ROW_GROUP))),
    (5, KEY_VALUES),
    (6, Binary),
    (7, List(&Struct(COLUMN_ORDER))),
    (9, Binary),
];

/// Path in the footer to the number of children of a schema element.
pub(super) const CHILDREN: &[i16] = &[2, 5];

/// Path in the footer to the schema elements.
pub(super) const ELEMENT: &[i16] = &[2];

/// Path in the footer to the row groups.
pub(super) const GROUP: &[i16] = &[4];

/// A page's header.
pub(super) const PAGE: Fields = &[
    (1, Int),
    (2, Int),
    (3, Int),
    (4, Int),
    (
        5,
        Struct(&[
            (1, Int),
            (2, Int),
            (3, Int),
            (4, Int),
            (5, Struct(STATISTICS)),
        ]),
    ),
    (6, Struct(&[])),
    (7, Struct(&[(1, Int), (2, Int), (3, Flag)])),
    (
        8,
        Struct(&[
            (1, Int),
            (2, Int),
            (3, Int),
            (4, Int),
            (5, Int),
            (6, Int),
            (7, Flag),
            (8, Struct(STATISTICS)),
        ]),
    ),
];

const KEY_VALUES: Kind = List(&Struct(&[(1, Binary), (2, Binary)]));

const SCHEMA_ELEMENT: Fields = &[
    (1, Int),
    (2, Int),
    (3, Int),
    (4, Binary),
    (5, Int),
    (6, Int),
    (7, Int),
    (8, Int),
    (9, Int),
    (10, Struct(LOGICAL_TYPE)),
];

const LOGICAL_TYPE: Fields = &[
    (1, Struct(&[])),
    (2, Struct(&[])),
    (3, Struct(&[])),
    (4, Struct(&[])),
    (5, Struct(&[(1, Int), (2, Int)])),
    (6, Struct(&[])),
    (7, Struct(&[(1, Flag), (2, Struct(TIME_UNIT))])),
    (8, Struct(&[(1, Flag), (2, Struct(TIME_UNIT))])),
    (10, Struct(&[(1, Byte), (2, Flag)])),
    (11, Struct(&[])),
    (12, Struct(&[])),
    (13, Struct(&[])),
    (14, Struct(&[])),
    (15, Struct(&[])),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Binary)])),
    (18, Struct(&[(1, Binary), (2, Int)])),
];

const TIME_UNIT: Fields = &[(1, Struct(&[])), (2, Struct(&[])), (3, Struct(&[]))];

const COLUMN_ORDER: Fields = &[(1, Struct(&[])), (2, Struct(&[]))];

const ROW_GROUP: Fields = &[
    (1, List(&Struct(COLUMN_CHUNK))),
    (2, Int),
    (3, Int),
    (4, List(&Struct(&[(1, Int), (2, Flag), (3, Flag)]))),
    (5, Int),
    (6, Int),
    (7, Int),
];

const COLUMN_CHUNK: Fields = &[
    (1, Binary),
    (2, Int),
    (3, Struct(COLUMN)),
    (4, Int),
    (5, Int),
    (6, Int),
    (7, Int),
    (9, Binary),
];

const COLUMN: Fields = &[
    (1, Int),
    (2, List(&Int)),
    (3, List(&Binary)),
    (4, Int),
    (5, Int),
    (6, Int),
    (7, Int),
    (8, KEY_VALUES),
    (9, Int),
    (10, Int),
    (11, Int),
    (12, Struct(STATISTICS)),
    (13, List(&Struct(&[(1, Int), (2, Int), (3, Int)]))),
    (14, Int),
    (15, Int),
    (16, Struct(&[(1, Int), (2, List(&Int)), (3, List(&Int))])),
    (17, Struct(&[(1, Struct(BOX)), (2, List(&Int))])),
];

const BOX: Fields = &[
    (1, Double),
    (2, Double),
    (3, Double),
    (4, Double),
    (5, Double),
    (6, Double),
    (7, Double),
    (8, Double),
];

const STATISTICS: Fields = &[
    (1, Binary),
    (2, Binary),
    (3, Int),
    (4, Int),
    (5, Binary),
    (6, Binary),
    (7, Flag),
    (8, Flag),
    (9, Int),
];
