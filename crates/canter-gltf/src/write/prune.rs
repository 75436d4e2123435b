//! Taking away what nothing in the file needs any more. It renumbers accessors, views and buffers.

use std::collections::HashMap;

use super::document::Document;
use super::error::WriteError;
use super::extensions;
use super::json::Json;
use super::refs::{self, PARTS};
use super::view::{self, Cut, View};

impl Document<'_> {
    /// Leaves out accessors and views that nothing uses, and the bytes that nothing shows; equal accessors
    /// become one. Accessors, views and buffers get other numbers.
    ///
    /// # Errors
    /// If extensions that are not known here may hold such numbers. Nothing is changed then.
    pub fn prune(&mut self) -> Result<(), WriteError> {
        self.check_renumbering()?;
        self.flush()?;
        if self.buffers.len() > 1 {
            self.merge_buffers();
        }
        self.merge_accessors();
        self.drop_accessors();
        self.drop_views();
        let cuts = self.trim_views();
        self.pack_buffers(&cuts);
        self.drop_buffers();
        Ok(())
    }

    /// Whether all places are known that may hold indices.
    pub(crate) fn check_renumbering(&self) -> Result<(), WriteError> {
        let names = extensions::with_indices(&self.json.to_text());
        if names.is_empty() { Ok(()) } else { Err(WriteError::UnknownExtensions { names }) }
    }

    /// What each accessor is used for, as bits.
    pub(super) fn uses(&mut self) -> Vec<u8> {
        let mut uses = vec![0; self.json.each("accessors").len()];
        refs::accessors(&mut self.json, &mut |is_for, index| {
            if let Some(uses) = index.number().and_then(|index| uses.get_mut(index)) {
                *uses |= 1 << is_for as u8;
            }
        });
        uses
    }

    /// Lets everything use the first of several equal accessors.
    fn merge_accessors(&mut self) {
        let uses = self.uses();
        let views = self.views();
        let mut first: HashMap<(u8, Vec<u8>, &[u8]), usize> = HashMap::new();
        let mut same: Vec<usize> = (0..uses.len()).collect();
        for (index, accessor) in self.json.each("accessors").iter_mut().enumerate() {
            let mut rest = accessor.clone();
            rest.remove("name");
            let place = view::place(accessor, &[], &views).filter(|_| accessor.get("sparse").is_none());
            let view = place.as_ref().map(|place| &views[place.view]).filter(|view| !view.is_compressed);
            let bytes = match (&place, view) {
                (Some(place), Some(view)) => {
                    view.bytes(&self.buffers).and_then(|bytes| bytes.get(place.range()))
                }
                _ => None,
            };
            if let (Some(bytes), Some(view)) = (bytes, view) {
                rest.remove("bufferView");
                rest.set("byteOffset", view.stride.unwrap_or(0));
                same[index] = *first.entry((uses[index], rest.to_text(), bytes)).or_insert(index);
            } else {
                same[index] = *first.entry((uses[index], rest.to_text(), &[])).or_insert(index);
            }
        }
        refs::accessors(&mut self.json, &mut |_, index| {
            if let Some(&first) = index.number().and_then(|index| same.get(index)) {
                *index = first.into();
            }
        });
    }

    fn drop_accessors(&mut self) {
        let used: Vec<bool> = self.uses().iter().map(|&uses| uses != 0).collect();
        let numbers = self.keep("accessors", &used);
        refs::accessors(&mut self.json, &mut |_, index| renumber(index, &numbers));
    }

    fn drop_views(&mut self) {
        let mut used = vec![false; self.json.each("bufferViews").len()];
        self.each_view_index(&mut |index| {
            if let Some(used) = index.number().and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        });
        let numbers = self.keep("bufferViews", &used);
        self.each_view_index(&mut |index| renumber(index, &numbers));
    }

    pub(super) fn drop_buffers(&mut self) {
        let mut used = vec![false; self.buffers.len()];
        self.each_buffer_index(&mut |index| {
            if let Some(used) = index.number().and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        });
        let numbers = self.keep("buffers", &used);
        let mut used = used.into_iter();
        self.buffers.retain(|_| used.next().unwrap_or(true));
        self.each_buffer_index(&mut |index| renumber(index, &numbers));
    }

    fn each_view_index(&mut self, visit: &mut dyn FnMut(&mut Json<'_>)) {
        refs::whole_views(&mut self.json, &mut |index| visit(index));
        for accessor in self.json.each("accessors") {
            for part in PARTS {
                if let Some(index) = accessor.path(part).and_then(|part| part.get("bufferView")) {
                    visit(index);
                }
            }
        }
    }

    fn each_buffer_index(&mut self, visit: &mut dyn FnMut(&mut Json<'_>)) {
        for view in self.json.each("bufferViews") {
            for path in view::BUFFERS {
                if let Some(index) = view.path(path).and_then(|part| part.get("buffer")) {
                    visit(index);
                }
            }
        }
    }

    /// Keeps some entries of a list, and returns the new number of each.
    fn keep(&mut self, list: &str, is_kept: &[bool]) -> Vec<Option<usize>> {
        let mut next = 0;
        let number = |&is_kept: &bool| {
            next += usize::from(is_kept);
            is_kept.then(|| next - 1)
        };
        let numbers = is_kept.iter().map(number).collect();
        // A file has no empty lists.
        if next == 0 {
            self.json.remove(list);
        } else {
            let mut is_kept = is_kept.iter();
            self.json.list(list).retain(|_| is_kept.next().copied().unwrap_or(true));
        }
        numbers
    }

    /// Finds out what parts of views accessors show, and moves the accessors there. Views of images, and
    /// compressed ones, stay whole.
    fn trim_views(&mut self) -> Vec<Cut> {
        let views = self.views();
        let packable = self.packable(&views);
        let is_fixed = |view: &View| view.is_compressed || packable.get(view.buffer) != Some(&true);
        let mut is_whole: Vec<bool> = views.iter().map(is_fixed).collect();
        refs::whole_views(&mut self.json, &mut |index| {
            if let Some(is_whole) = index.number().and_then(|index| is_whole.get_mut(index)) {
                *is_whole = true;
            }
        });
        let mut spans: Vec<Vec<(usize, usize)>> = vec![Vec::new(); views.len()];
        for accessor in self.json.each("accessors") {
            for part in PARTS {
                if let Some(place) = view::place(accessor, part, &views) {
                    spans[place.view].push(place.kept(views[place.view].length));
                }
            }
        }
        let kept: Vec<Vec<(usize, usize)>> = spans.into_iter().map(united).collect();
        for accessor in self.json.each("accessors") {
            for part in PARTS {
                let Some(place) = view::place(accessor, part, &views).filter(|place| !is_whole[place.view])
                else {
                    continue;
                };
                let offset = moved(&kept[place.view], place.offset);
                if let Some(part) = accessor.path(part) {
                    if offset == 0 {
                        part.remove("byteOffset");
                    } else {
                        part.set("byteOffset", offset);
                    }
                }
            }
        }
        kept.into_iter().zip(is_whole).map(|(kept, is_whole)| (!is_whole).then_some(kept)).collect()
    }
}

fn renumber(index: &mut Json<'_>, numbers: &[Option<usize>]) {
    if let Some(&Some(number)) = index.number().and_then(|index| numbers.get(index)) {
        *index = number.into();
    }
}

/// Spans that do not touch, in order, around all of these.
fn united(mut spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    spans.sort_unstable();
    let mut united: Vec<(usize, usize)> = Vec::with_capacity(spans.len());
    for (start, end) in spans {
        match united.last_mut() {
            Some(last) if start <= last.1.next_multiple_of(4) => last.1 = last.1.max(end),
            _ => united.push((start, end)),
        }
    }
    united
}

/// Where an offset is when only some spans are left, each starting at a multiple of four.
fn moved(kept: &[(usize, usize)], offset: usize) -> usize {
    let mut start = 0;
    for &(from, to) in kept {
        if offset < to {
            return start + offset.saturating_sub(from);
        }
        start += (to - from).next_multiple_of(4);
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_united_and_offsets_move_along() {
        let kept = united(vec![(40, 50), (0, 6), (4, 12), (52, 60)]);
        assert_eq!(kept, [(0, 12), (40, 60)]);
        assert_eq!([0, 6, 40, 52].map(|offset| moved(&kept, offset)), [0, 6, 12, 24]);
    }
}
