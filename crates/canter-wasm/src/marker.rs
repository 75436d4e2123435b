//! Markers: those of clips, which JavaScript reads and sets, and those that a step crossed.
//!
//! Names go to JavaScript once, in a table of the asset; from then on they are places in it.

use canter::{Clip, Marker, MarkerEvent, MarkerKind, MarkerName};

use crate::asset::LoadedAsset;
use crate::host::{Host, word};
use crate::mixers::Mixers;

/// Which mixer, which action, which name, kind and direction, the loop, and the bits of weight and seconds
/// ago.
pub(crate) type HostMarker = [u32; 7];

/// All mixers of a crowd together tell so many at most,
const MOST_MARKERS: usize = 4096;
/// but each of them at least so many: at the start of a large crowd, all feet may come down at once.
const MOST_OF_MEMBER: usize = 16;
/// How far those are counted that are left out. A step of a year has millions of them.
const MOST_COUNTED: usize = 1 << 16;

impl LoadedAsset {
    /// The place of a name in the table, into which it is put if it is not there.
    pub(crate) fn name_place(&self, name: &MarkerName) -> u32 {
        let mut names = self.names.borrow_mut();
        let place = names.iter().position(|known| known == name);
        word(place.unwrap_or_else(|| {
            names.push(name.clone());
            names.len() - 1
        }))
    }

    /// Gives a clip the markers that JavaScript wrote. What plays it already keeps those that it has.
    fn set_markers(&self, index: usize, input: &[u8]) -> Result<(), String> {
        let mut clips = self.clips.borrow_mut();
        let Some(clip) = clips.get_mut(index) else { return Ok(()) };
        let marked =
            Clip::clone(clip).with_markers(read_markers(input)).map_err(|error| error.to_string())?;
        *clip = marked.into();
        Ok(())
    }
}

/// Each is the length of its name, its time and its length in seconds, then its name.
fn read_markers(mut input: &[u8]) -> Vec<Marker> {
    let mut markers = Vec::new();
    while let Some((head, rest)) = input.split_first_chunk::<12>() {
        let [len, secs, length_secs] =
            [0, 4, 8].map(|at| [head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (name, rest) = rest.split_at(rest.len().min(u32::from_le_bytes(len) as usize));
        let name = String::from_utf8_lossy(name);
        markers.push(Marker::window(&*name, f32::from_le_bytes(secs), f32::from_le_bytes(length_secs)));
        input = rest;
    }
    markers
}

impl Mixers {
    /// Keeps the markers that the last step crossed, of one mixer or of all. Returns how many more there are.
    fn collect_markers(&mut self, member: Option<u32>) -> usize {
        let mut markers = std::mem::take(&mut self.markers);
        markers.clear();
        let members = match member {
            Some(member) => member..member + u32::from(self.get_mut(member).is_some()),
            None => 0..word(self.all_mut().len()),
        };
        let most = (MOST_MARKERS / members.len().max(1)).max(MOST_OF_MEMBER);
        let mut left_out = 0;
        for index in members {
            let Some(mixer) = self.get(index) else { continue };
            let mut events = mixer.markers();
            for event in events.by_ref().take(most) {
                let number = self.number_of(index, event.action);
                // An action that was started anew has given its number to the new one.
                if number > 0 {
                    markers.push(host_marker(&self.asset, index, number, &event));
                }
            }
            left_out += events.take(MOST_COUNTED).count();
        }
        self.markers = markers;
        left_out
    }
}

/// The kinds are those of `packages/canter/src/marker.ts`; 4 stands for backwards.
pub(crate) fn host_marker(asset: &LoadedAsset, member: u32, number: u32, event: &MarkerEvent) -> HostMarker {
    let kind = match event.kind {
        MarkerKind::At => 0,
        MarkerKind::Enter => 1,
        MarkerKind::Leave => 2,
    };
    let kind = kind | u32::from(event.is_backward) << 2;
    let nearest = i64::from(i32::MIN).max(event.loops);
    let loops = i32::try_from(nearest).unwrap_or(i32::MAX).cast_unsigned();
    let name = asset.name_place(&event.name);
    [member, number, name, kind, loops, event.weight.to_bits(), event.secs_ago.to_bits()]
}

impl Host {
    /// Gives a clip the markers in the input. If it cannot have them, the output says why.
    pub(crate) fn set_markers(&mut self, asset: u32, clip: u32) -> bool {
        let input = self.take_input();
        let Some(asset) = self.assets.get(asset) else { return false };
        let set = asset.set_markers(clip as usize, &input);
        self.tell(set)
    }

    /// Looks when the joints in the input, or those that are found, stand on the ground in a clip. The output
    /// has the foot, the start and the end of each time, the answer behind it how fast the clip walks.
    #[cfg(feature = "meshes")]
    pub(crate) fn contacts(&mut self, asset: u32, clip: u32) {
        let input = self.take_input();
        let Some(asset) = self.assets.get(asset) else { return };
        let (skeleton, Some(clip)) = (&asset.gltf.skeleton, asset.clip(clip)) else { return };
        let feet = input.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes) as usize);
        let feet: Vec<_> = feet.filter_map(|foot| skeleton.joint_at(foot)).collect();
        let contacts = clip.contacts(skeleton, &feet);
        let times = contacts.as_slice().iter().flat_map(|contact| {
            [word(contact.foot.index()), contact.from_secs.to_bits(), contact.to_secs.to_bits()]
        });
        let output = times.flat_map(u32::to_le_bytes).collect();
        self.put_output(output);
        self.answer[2] = contacts.ground_speed().unwrap_or(f32::NAN).to_bits();
    }

    /// Writes where the markers are that the last step crossed, of one mixer or of all. Returns how many more
    /// there are.
    pub(crate) fn markers(&mut self, mixers: u32, member: Option<u32>) -> u32 {
        let Some(mixers) = self.mixers.get_mut(mixers) else { return 0 };
        let left_out = mixers.collect_markers(member);
        let (address, len) = (mixers.markers.as_ptr().addr(), mixers.markers.as_flattened().len());
        self.put_place(address, len);
        word(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read_as_they_were_written_and_cut_ones_do_no_harm() {
        let mut bytes = Vec::new();
        for (name, secs, length_secs) in [("foot_L", 0.25_f32, 0.0_f32), ("", 0.5, 0.125)] {
            bytes.extend(word(name.len()).to_le_bytes());
            bytes.extend(secs.to_le_bytes().into_iter().chain(length_secs.to_le_bytes()));
            bytes.extend(name.as_bytes());
        }
        assert_eq!(read_markers(&bytes), [Marker::new("foot_L", 0.25), Marker::window("", 0.5, 0.125)]);
        for len in 0..bytes.len() {
            assert!(read_markers(&bytes[..len]).len() < 3);
        }
    }
}
