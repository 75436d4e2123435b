//! Meshes from the file.

use canter::LARGEST;
use canter::glam::{Vec2, Vec3, Vec4};

use super::compressed::{self, Compressed};
use super::topology::Mode;
use super::{Influences, Mesh, MorphTarget, Primitive, Topology, attributes, indices, influences, normals};
use crate::accessor::{Accessor, Component, Expected, Floats, Kind};
use crate::count::count;
use crate::error::Failure;
use crate::place::Place;
use crate::schema;
use crate::schema::mesh::Attributes;
use crate::schema::{Index, Size, owned};
use crate::source::Source;
use crate::warning::WarningCode;

/// Sets beyond these are passed over.
const TEX_COORDS: [&str; 8] = [
    "TEXCOORD_0",
    "TEXCOORD_1",
    "TEXCOORD_2",
    "TEXCOORD_3",
    "TEXCOORD_4",
    "TEXCOORD_5",
    "TEXCOORD_6",
    "TEXCOORD_7",
];
const INFLUENCES: [(&str, &str); 4] = [
    ("JOINTS_0", "WEIGHTS_0"),
    ("JOINTS_1", "WEIGHTS_1"),
    ("JOINTS_2", "WEIGHTS_2"),
    ("JOINTS_3", "WEIGHTS_3"),
];

pub(super) fn meshes(source: &Source<'_>) -> Result<Vec<Mesh>, Failure> {
    let list = Place::list("meshes");
    (source.document.meshes.iter().enumerate())
        .map(|(index, mesh)| load_mesh(mesh, source, &list.item(index)))
        .collect()
}

fn load_mesh(mesh: &schema::mesh::Mesh<'_>, source: &Source<'_>, place: &Place<'_>) -> Result<Mesh, Failure> {
    let list = place.field("primitives");
    let primitives = (mesh.primitives.iter().enumerate())
        .map(|(index, primitive)| load_primitive(primitive, source, &list.item(index)))
        .collect::<Result<Vec<_>, _>>()?;
    let targets = mesh.primitives.first().map_or(0, |primitive| primitive.targets.len());
    if let Some(other) = primitives.iter().position(|primitive| primitive.targets.len() != targets) {
        let found = count(primitives[other].targets.len(), "morph target");
        let expected = format_args!("{targets}, as in the first primitive of the mesh");
        return Err(list.item(other).field("targets").invalid(found, expected));
    }
    let weights = source.morph_weights(&mesh.weights, targets, &place.field("weights"))?;
    Ok(Mesh { name: owned(&mesh.name), primitives, weights, target_names: mesh.target_names() })
}

fn load_primitive(
    primitive: &schema::mesh::Primitive<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Primitive, Failure> {
    let material = match primitive.material {
        Some(index) => {
            Some(place.field("material").index(index.get(), "materials", source.document.materials.len())?)
        }
        None => None,
    };
    let mode = primitive.mode.unwrap_or(Size(4)).0;
    let Some(mode) = Mode::parse(mode) else {
        return Err(place.field("mode").invalid(mode, "a number from 0 (points) to 6 (triangle fan)"));
    };
    let compressed = compressed::load(primitive, source, place)?;
    let reader = Reader {
        source,
        attributes: &primitive.attributes,
        compressed: compressed.as_ref(),
        place: place.field("attributes"),
        vertices: None,
    };
    let Some(positions) = reader.positions()? else {
        source.report.warn(
            place,
            WarningCode::NoPositions,
            "the primitive has no POSITION attribute and is not drawn",
        );
        let targets = vec![MorphTarget::default(); primitive.targets.len()];
        return Ok(Primitive { material, topology: mode.topology(), targets, ..Primitive::default() });
    };
    let vertices = positions.len();
    let reader = Reader { vertices: Some(vertices), ..reader };
    let indices = match &compressed {
        // Triangles, also where the primitive is called a strip.
        Some(compressed) => compressed.indices.clone(),
        None => indices::load(primitive.indices, mode, vertices, source, &place.field("indices"))?,
    };

    let mut normals =
        reader.floats::<Vec3>("NORMAL", &attributes::DIRECTION, Finite::Mend)?.unwrap_or_default();
    let computed_normals = normals.is_empty() && mode.topology() == Topology::Triangles;
    if computed_normals {
        source.accessors.budget.take(vertices as u64 * 12, place)?;
        normals = normals::smooth(&positions, &indices);
    }
    Ok(Primitive {
        topology: mode.topology(),
        indices,
        normals,
        computed_normals,
        tangents: reader.floats::<Vec4>("TANGENT", &attributes::TANGENT, Finite::Mend)?.unwrap_or_default(),
        tex_coords: reader.tex_coords()?,
        colors: reader.colors()?,
        influences: reader.influences()?,
        targets: load_targets(&primitive.targets, vertices, source, &place.field("targets"))?,
        positions,
        material,
    })
}

fn load_targets(
    targets: &[Attributes<'_>],
    vertices: usize,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Vec<MorphTarget>, Failure> {
    let load = |(index, attributes): (usize, &Attributes<'_>)| {
        let place = place.item(index);
        let reader = Reader { source, attributes, compressed: None, place, vertices: Some(vertices) };
        Ok(MorphTarget {
            positions: reader.positions()?.unwrap_or_default(),
            normals: reader.floats("NORMAL", &attributes::DIRECTION, Finite::Mend)?.unwrap_or_default(),
            tangents: reader.floats("TANGENT", &attributes::DIRECTION, Finite::Mend)?.unwrap_or_default(),
        })
    };
    targets.iter().enumerate().map(load).collect()
}

/// What to do about numbers that are not finite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finite {
    /// The figure would be torn: an error.
    Must,
    /// It would only look wrong: they become zero, with a warning.
    Mend,
}

/// Reads the attributes of a primitive or of a morph target.
struct Reader<'a> {
    source: &'a Source<'a>,
    attributes: &'a Attributes<'a>,
    #[cfg_attr(not(feature = "draco"), allow(dead_code, reason = "only Draco's decoder reads it"))]
    compressed: Option<&'a Compressed<'a>>,
    place: Place<'a>,
    /// How many vertices each attribute must have, once that is known.
    vertices: Option<usize>,
}

impl Reader<'_> {
    fn accessor(&self, name: &str, expected: &Expected) -> Result<Option<Accessor<'_>>, Failure> {
        let Some(index) = self.attributes.find(name) else { return Ok(None) };
        let place = self.place.field(name);
        let accessor = match self.decoded(name, index, expected)? {
            Some(accessor) => accessor,
            None => self.source.accessor(index, expected, &place)?,
        };
        match self.vertices {
            Some(vertices) if accessor.count != vertices => {
                let found = count(accessor.count, "element");
                Err(place.invalid(found, format_args!("{vertices}, one for each position")))
            }
            _ => Ok(Some(accessor)),
        }
    }

    /// The attribute in the compressed stream.
    #[cfg(feature = "draco")]
    fn decoded(
        &self,
        name: &str,
        index: Index,
        expected: &Expected,
    ) -> Result<Option<Accessor<'_>>, Failure> {
        let Some(compressed) = self.compressed else { return Ok(None) };
        let accessor = compressed.accessor(name, index.get(), self.source);
        match accessor {
            Some(accessor) if !expected.allows(accessor.format) => {
                Err(self.place.field(name).invalid(accessor.format, expected))
            }
            accessor => Ok(accessor),
        }
    }

    #[cfg(not(feature = "draco"))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "it is as with the feature")]
    fn decoded(&self, _: &str, _: Index, _: &Expected) -> Result<Option<Accessor<'_>>, Failure> {
        Ok(None)
    }

    fn floats<T: Floats>(
        &self,
        name: &str,
        expected: &Expected,
        finite: Finite,
    ) -> Result<Option<Vec<T>>, Failure> {
        match self.accessor(name, expected)? {
            Some(accessor) => self.read(&accessor, name, finite).map(Some),
            None => Ok(None),
        }
    }

    fn read<T: Floats>(
        &self,
        accessor: &Accessor<'_>,
        name: &str,
        finite: Finite,
    ) -> Result<Vec<T>, Failure> {
        let place = self.place.field(name);
        if finite == Finite::Must {
            return accessor.floats(&place);
        }
        let (values, replaced) = accessor.finite_floats(&place)?;
        if replaced > 0 {
            self.source.report.warn(
                &place,
                WarningCode::NotFinite,
                format_args!("not finite, and read as 0: {}", count(replaced, "number")),
            );
        }
        Ok(values)
    }

    /// Positions, or what a morph target adds to them.
    fn positions(&self) -> Result<Option<Vec<Vec3>>, Failure> {
        const NAME: &str = "POSITION";
        let Some(positions) = self.floats::<Vec3>(NAME, &attributes::POSITION, Finite::Must)? else {
            return Ok(None);
        };
        // Without an early end, so that many are looked at at once.
        let lanes: &[f32] = bytemuck::cast_slice(&positions);
        if lanes.iter().fold(true, |near, lane| near & (lane.abs() <= LARGEST)) {
            return Ok(Some(positions));
        }
        let far = |position: &Vec3| position.abs().max_element() > LARGEST;
        let element = positions.iter().position(far).unwrap_or(0);
        let found = format_args!("a coordinate that is astronomically large in element {element}");
        Err(self.place.field(NAME).invalid(found, "numbers of at most 1e18"))
    }

    fn tex_coords(&self) -> Result<Vec<Vec<Vec2>>, Failure> {
        let mut sets = Vec::new();
        for (set, name) in TEX_COORDS.into_iter().enumerate() {
            if let Some(values) = self.floats(name, &attributes::TEX_COORD, Finite::Mend)? {
                sets.resize(set + 1, Vec::new());
                sets[set] = values;
            }
        }
        Ok(sets)
    }

    fn colors(&self) -> Result<Vec<Vec4>, Failure> {
        const NAME: &str = "COLOR_0";
        let Some(mut accessor) = self.accessor(NAME, &attributes::COLOR)? else { return Ok(Vec::new()) };
        self.must_be_normalized(&mut accessor, NAME);
        if accessor.format.kind == Kind::Vec4 {
            return self.read(&accessor, NAME, Finite::Mend);
        }
        let opaque: Vec<Vec3> = self.read(&accessor, NAME, Finite::Mend)?;
        self.source.accessors.budget.take(accessor.count as u64 * 16, &self.place)?;
        Ok(opaque.into_iter().map(|color| color.extend(1.0)).collect())
    }

    fn influences(&self) -> Result<Vec<Influences>, Failure> {
        let mut sets = Vec::new();
        for (joints_name, weights_name) in INFLUENCES {
            let joints = self.accessor(joints_name, &attributes::JOINTS)?;
            let weights = self.accessor(weights_name, &attributes::WEIGHTS)?;
            match (joints, weights) {
                (Some(joints), Some(mut weights)) => {
                    self.must_be_normalized(&mut weights, weights_name);
                    sets.push(Influences {
                        joints: joints.joints(&self.place.field(joints_name))?,
                        weights: self.read(&weights, weights_name, Finite::Must)?,
                    });
                }
                (None, None) => break,
                (Some(_), None) => {
                    return Err(self.place.invalid(
                        format_args!("{joints_name} alone"),
                        format_args!("{weights_name} beside it"),
                    ));
                }
                (None, Some(_)) => {
                    return Err(self.place.invalid(
                        format_args!("{weights_name} alone"),
                        format_args!("{joints_name} beside it"),
                    ));
                }
            }
        }
        if !sets.is_empty() {
            influences::clean(&mut sets, &self.place.field("WEIGHTS_0"), self.source.report);
        }
        Ok(sets)
    }

    /// Colours and weights are fractions: integers that are not marked as such were forgotten.
    fn must_be_normalized(&self, accessor: &mut Accessor<'_>, name: &str) {
        if accessor.format.component != Component::F32 && !accessor.format.normalized {
            let place = self.place.field(name);
            let message =
                format_args!("accessor {} lacks \"normalized\": true; it is read as if", accessor.index);
            self.source.report.warn(&place, WarningCode::NormalizedMissing, message);
            accessor.format.normalized = true;
        }
    }
}
