//! What a build is doing, said when it begins to, with the time since the start.

use std::sync::OnceLock;
use std::time::Instant;

static START: OnceLock<Instant> = OnceLock::new();

/// Says what comes next. The first line comes at once: nobody shall wonder whether anything happens.
pub(super) fn say(what: &str) {
    let start = START.get_or_init(Instant::now);
    println!("[{:>4.0} s] {what}", start.elapsed().as_secs_f32());
}
