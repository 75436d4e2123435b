//! All cores at work, and results in the order of the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

use crate::failure::Failure;

/// How many files may be done ahead of the slowest: their results wait in memory.
const AHEAD: usize = 256;

/// How many results were handed over; workers wait for it.
#[derive(Default)]
struct Handed {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Handed {
    fn set(&self, count: usize) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) = count;
        self.changed.notify_all();
    }

    /// Waits until a file is not too far ahead.
    fn wait_for(&self, index: usize) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        while index >= count.saturating_add(AHEAD) {
            count = self.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Works on all files, `jobs` at a time, and hands over the results one after the other.
pub(super) fn run<R: Send>(
    files: &[PathBuf],
    jobs: usize,
    work: impl Fn(&Path) -> R + Sync,
    mut hand_over: impl FnMut(&Path, R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let handed = Handed::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs.min(files.len()) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(index) else { return };
                    handed.wait_for(index);
                    if sender.send((index, work(file))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut count = 0;
        for (index, result) in &receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&count) {
                if let Err(failure) = hand_over(&files[count], result) {
                    // Nobody is to wait, and nothing is to be begun.
                    next.store(files.len(), Ordering::Relaxed);
                    handed.set(usize::MAX);
                    return Err(failure);
                }
                count += 1;
                handed.set(count);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_nobody_runs_away() {
        let files: Vec<PathBuf> = (0..2000).map(|index| PathBuf::from(index.to_string())).collect();
        let number = |path: &Path| path.to_str().unwrap().parse::<usize>().unwrap();
        let handed = AtomicUsize::new(0);
        let work = |path: &Path| {
            if number(path) == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            assert!(number(path) < handed.load(Ordering::SeqCst) + AHEAD);
            number(path)
        };
        let mut seen = Vec::new();
        run(&files, 8, work, |_, number| {
            seen.push(number);
            handed.store(seen.len(), Ordering::SeqCst);
            Ok(())
        })
        .unwrap_or_else(|_| panic!("nothing fails"));
        assert_eq!(seen, (0..2000).collect::<Vec<_>>());
    }

    #[test]
    fn a_failure_ends_the_run() {
        let files: Vec<PathBuf> = (0..5000).map(|index| PathBuf::from(index.to_string())).collect();
        let worked = AtomicUsize::new(0);
        let work = |_: &Path| worked.fetch_add(1, Ordering::SeqCst);
        let result = run(&files, 4, work, |_, _| Err(Failure::new("full", "make room")));
        assert!(result.is_err() && worked.load(Ordering::SeqCst) <= AHEAD + 8);
        assert!(run(&[], 4, work, |_, _| Ok(())).is_ok());
    }
}
