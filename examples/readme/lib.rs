//! The README, so that its example is compiled and run with the tests.

#![doc = include_str!("../../README.md")]
