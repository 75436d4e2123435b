//! Work on every entity: on one thread when there are few, on all when there are many.

use bevy_ecs::query::{ArchetypeFilter, IterQueryData, QueryItem};
use bevy_ecs::system::Query;

/// A character takes about a microsecond in all stages together, and waking up another thread takes several.
#[cfg(feature = "multi_threaded")]
const MANY: usize = 128;

pub(crate) fn for_each<D: IterQueryData, F: ArchetypeFilter>(
    mut query: Query<'_, '_, D, F>,
    work: impl Fn(QueryItem<'_, '_, D>) + Send + Sync + Clone,
) {
    #[cfg(feature = "multi_threaded")]
    {
        let threads = bevy_tasks::ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
        if threads > 1 && query.iter().size_hint().0 >= MANY {
            query.par_iter_mut().for_each(work);
            return;
        }
    }
    query.iter_mut().for_each(work);
}
