//! Many blends at once: eight in a register.

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};
use fearless_simd::{Simd, f32x8, prelude::*};

use super::Region;
use super::blend::{Blend, Deviation};
use super::corners::Corners;
use super::octet::{
    Extremes, LANES, Spread, Turn, by_axis, by_part, chosen, eight, load, rows, spread, widen,
};

/// The blends of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Blends {
    /// Eight at once.
    octets: Vec<Eight>,
    /// Those that are left.
    single: Vec<Blend>,
}

/// Eight blends.
#[derive(Clone, Debug)]
struct Eight {
    mixture: Vec<Ingredients>,
    region: Regions,
    anchors: [usize; LANES],
    leans: Vec<Leans>,
}

/// A joint of each of eight mixtures.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
struct Ingredients {
    /// Its weight, as the rows of its matrix lie in registers: by part and pair.
    weights: [[[f32; LANES]; 4]; 3],
    joints: [usize; LANES],
}

/// A deviation of each of eight blends.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
struct Leans {
    pivot: Spread,
    region: Regions,
    joints: [usize; LANES],
}

/// Eight regions, their fourth coordinates apart.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
struct Regions {
    center: Spread,
    half: Spread,
    center_w: [[f32; LANES]; 3],
    half_w: [[f32; LANES]; 3],
}

/// Fewer are calculated one by one.
const FEWEST: usize = 3;
/// Takes the place of a deviation that a blend does not have.
const NO_DEVIATION: Deviation = Deviation { joint: 0, pivot: Vec4::ZERO, region: Region::NONE, lean: 0.0 };

impl Blends {
    pub(super) fn new(mut all: Vec<Blend>) -> Self {
        // Those that take as many steps as each other next to each other.
        all.sort_by_key(|blend| (blend.deviations.len(), blend.mixture.len()));
        let (many, few): (Vec<_>, Vec<_>) = all.chunks(LANES).partition(|some| some.len() >= FEWEST);
        let octets = many.into_iter().map(|some| Eight::new(eight(&some.iter().collect::<Vec<_>>())));
        Self { octets: octets.collect(), single: few.concat() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.octets.is_empty() && self.single.is_empty()
    }

    /// The box around a box and all blends.
    #[inline(always)]
    pub(super) fn add_to<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        corners: Corners<S>,
        palette: &[Mat3x4],
    ) -> Corners<S> {
        let mut corners = corners;
        if !self.octets.is_empty() {
            let nothing = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
            let mut extremes = [nothing; 3];
            for eight in &self.octets {
                widen(&mut extremes, eight.extents(simd, columns, palette));
            }
            corners = corners.union(Corners::across(by_axis(extremes)));
        }
        for blend in &self.single {
            let bounds = blend.under(palette, Region::NONE, Vec3::ZERO);
            corners = corners.union(Corners::of(simd, &bounds));
        }
        corners
    }
}

impl Eight {
    fn new(blends: [&Blend; LANES]) -> Self {
        let longest = |of: fn(&Blend) -> usize| blends.iter().map(|blend| of(blend)).max().unwrap_or(0);
        let ingredients = |index: usize| {
            let of = blends.map(|blend| blend.mixture.get(index).copied().unwrap_or((0, 0.0)));
            Ingredients {
                weights: [[0, 0], [0, 1], [1, 1]].map(|of_pair| {
                    std::array::from_fn(|pair| {
                        std::array::from_fn(|place| of[2 * pair + of_pair[place / 4]].1)
                    })
                }),
                joints: of.map(|ingredient| ingredient.0),
            }
        };
        let leans = |index: usize| {
            let of = blends.map(|blend| blend.deviations.get(index).copied().unwrap_or(NO_DEVIATION));
            Leans {
                pivot: spread(|lane, axis| of[lane].pivot[axis]),
                region: Regions::new(of.map(|deviation| deviation.region)),
                joints: of.map(|deviation| deviation.joint),
            }
        };
        Self {
            mixture: (0..longest(|blend| blend.mixture.len())).map(ingredients).collect(),
            region: Regions::new(blends.map(|blend| blend.region)),
            anchors: blends.map(|blend| blend.anchor),
            leans: (0..longest(|blend| blend.deviations.len())).map(leans).collect(),
        }
    }

    #[inline(always)]
    fn extents<S: Simd>(&self, simd: S, columns: impl Turn<S>, palette: &[Mat3x4]) -> Extremes<S> {
        let zero = f32x8::splat(simd, 0.0);
        let mut mixed = [[zero; 4]; 3];
        for Ingredients { weights, joints } in &self.mixture {
            let of = rows(simd, chosen(palette, joints));
            for part in 0..3 {
                for pair in 0..4 {
                    mixed[part][pair] += of[part][pair] * load(simd, &weights[part][pair]);
                }
            }
        }
        let mut sums = [(zero, zero); 3];
        for part in 0..3 {
            self.region.add_to(simd, &mut sums[part], part, columns(mixed[part]));
        }
        let anchors = rows(simd, chosen(palette, &self.anchors));
        for Leans { pivot: [px, py, pz], region, joints } in &self.leans {
            let of = rows(simd, chosen(palette, joints));
            for part in 0..3 {
                let (a, b) = (&of[part], &anchors[part]);
                let [x, y, z, w] = columns([a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]);
                let at_pivot =
                    (x * load(simd, &px[part]) + y * load(simd, &py[part])) + (z * load(simd, &pz[part]) + w);
                region.add_to(simd, &mut sums[part], part, [x, y, z, at_pivot]);
            }
        }
        let [x, y, z] = sums;
        [(x.0 - x.1, x.0 + x.1), (y.0 - y.1, y.0 + y.1), (z.0 - z.1, z.0 + z.1)]
    }
}

impl Regions {
    fn new(regions: [Region; LANES]) -> Self {
        Self {
            center: spread(|lane, axis| regions[lane].center[axis]),
            half: spread(|lane, axis| regions[lane].half[axis]),
            center_w: by_part(|lane| regions[lane].center.w),
            half_w: by_part(|lane| regions[lane].half.w),
        }
    }

    /// Adds the middles and half sizes of where columns of matrices take them.
    #[inline(always)]
    fn add_to<S: Simd>(
        &self,
        simd: S,
        (center, half): &mut (f32x8<S>, f32x8<S>),
        part: usize,
        [x, y, z, w]: [f32x8<S>; 4],
    ) {
        let ([cx, cy, cz], [hx, hy, hz]) = (&self.center, &self.half);
        *center += (x * load(simd, &cx[part]) + y * load(simd, &cy[part]))
            + (z * load(simd, &cz[part]) + w * load(simd, &self.center_w[part]));
        *half += (x.abs() * load(simd, &hx[part]) + y.abs() * load(simd, &hy[part]))
            + (z.abs() * load(simd, &hz[part]) + w.abs() * load(simd, &self.half_w[part]));
    }
}
