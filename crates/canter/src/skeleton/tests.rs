//! Skeletons from within; what they do for those who use them is in `tests/skeleton.rs`.

use super::{Skeleton, SkeletonBuilder};
use crate::glam::{Quat, Vec3};
use crate::transform::Transform;

#[test]
fn fingerprints_tell_names_parents_rests_and_morph_sets_apart() {
    let build = |edit: &dyn Fn(&mut SkeletonBuilder)| {
        let mut builder = Skeleton::builder();
        builder.joint("a", None, Transform::IDENTITY);
        edit(&mut builder);
        builder.build().unwrap().fingerprint()
    };
    let turned = Transform::from_rotation(Quat::from_rotation_x(1.0));
    let of_x = Transform::from_translation(Vec3::X);
    let prints = [
        build(&|_| ()),
        build(&|builder| _ = builder.joint("b", None, Transform::IDENTITY)),
        build(&|builder| _ = builder.joint("b", Some(0), Transform::IDENTITY)),
        build(&|builder| _ = builder.joint("c", Some(0), Transform::IDENTITY)),
        build(&|builder| _ = builder.joint("b", Some(0), of_x)),
        build(&|builder| _ = builder.joint("b", Some(0), Transform::from_scale(Vec3::X))),
        build(&|builder| _ = builder.joint("b", Some(0), turned)),
        build(&|builder| _ = builder.morph_set("b", vec![])),
        build(&|builder| _ = builder.morph_set("b", vec![0.0])),
        build(&|builder| _ = builder.morph_set("b", vec![1.0])),
    ];
    for (index, print) in prints.iter().enumerate() {
        assert!(!prints[..index].contains(print), "{index}");
    }
}
