//! Skeletal animation.
