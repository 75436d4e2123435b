//! What a machine may lack: tests that need it are skipped, and say so, unless all of them are wanted.

use std::io::Write as _;

/// Whether every test has to run: the variable `CANTER_TESTS` is `all`.
#[must_use]
pub fn are_all_wanted() -> bool {
    std::env::var_os("CANTER_TESTS").is_some_and(|tests| tests == "all")
}

/// Says that tests are skipped for want of something.
///
/// # Panics
/// If all tests are wanted.
pub fn skip(missing: &str, untested: &str) {
    let wanted = are_all_wanted();
    assert!(!wanted, "{missing}: {untested} NOT tested, but CANTER_TESTS=all wants every test to run");
    say(&format!("SKIPPED: {missing}: {untested} NOT tested"));
}

/// Prints a line that is to be seen when tests pass, too: to the terminal itself, since the harness hides
/// what they print.
pub fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}
