//! What the loader promises, on real models, broken ones, and ones that are made here.

mod expected;
mod hostile;
mod malformed;
mod mutation;
mod promises;
mod resolver;
