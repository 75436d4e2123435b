//! The mixer from within; what it does for those who use it is in `tests/mixer`.

mod levels;
mod slots;
