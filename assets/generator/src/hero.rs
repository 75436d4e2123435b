//! The figure, part by part.

mod arms;
mod belt;
mod face;
mod hair;
mod head;
mod legs;
mod palette;
mod scarf;
mod tunic;

use super::part::Part;
use super::side::Side;

pub(crate) fn parts() -> Vec<Part> {
    let mut parts = vec![head::part(), hair::part()];
    parts.extend(face::parts());
    parts.extend(tunic::parts());
    parts.extend(belt::parts());
    parts.extend(scarf::parts());
    parts.extend(Side::BOTH.into_iter().flat_map(arms::parts));
    parts.extend(legs::parts());
    parts
}
