//! How far a limb reaches, without snapping straight.

/// The distance that the end of a limb is put at, for a target at `distance`: from `least`, to which it
/// folds, to `full`, its length. It falls behind beyond `soften` of its length, and as far before it is
/// folded.
pub(crate) fn softened(distance: f32, least: f32, full: f32, soften: f32) -> f32 {
    let near = soften * full;
    // Limbs of even bones fold to nothing, and there is no end to soften.
    let far = least + least.min(full - near);
    if far >= near {
        return distance.clamp(least, full);
    }
    soft_far(soft_near(distance, least, far), near, full)
}

/// The distance that the end of a limb is put at, for a target at `distance`.
///
/// Up to `near` the limb follows exactly. From there to `full` it falls behind, at first not at all and then
/// more and more, and never gets to `full`: at full length a joint would turn infinitely fast.
fn soft_far(distance: f32, near: f32, full: f32) -> f32 {
    let room = full - near;
    if distance <= near || room <= 0.0 {
        return distance.min(full);
    }
    near + room * fallen_behind((distance - near) / room)
}

/// The same at the other end: a limb of uneven bones cannot fold to less than `least`.
fn soft_near(distance: f32, least: f32, far: f32) -> f32 {
    let room = far - least;
    if distance >= far || room <= 0.0 {
        return distance.max(least);
    }
    far - room * fallen_behind((far - distance) / room)
}

/// From 0 towards 1: its slope is one at 0, and it needs no exponential.
fn fallen_behind(excess: f32) -> f32 {
    let part = 4.0 / (4.0 + excess);
    let squared = part * part;
    1.0 - squared * squared
}
