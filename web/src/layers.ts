import type { AnimationLayer, Asset, Player } from 'canter';

/** What can play above the clip of a figure: a box on the panel. */
export interface Extra {
  name: string;
  hint: string;
  /** Puts the layer on what plays the figure's clips, and starts or fades it out. */
  set: (player: Player, isOn: boolean, fadeSecs: number) => void;
}

/** The hero attacks over whatever he does, and waves on top of it; a figure without these clips and bones has none. */
export function makeExtras(asset: Asset): Extra[] {
  const { skeleton } = asset;
  const extras: Extra[] = [];
  if (asset.getClipByName('Attack') && skeleton.getBoneByName('spine')) {
    const mask = skeleton.mask('spine', { feather: 2 });
    extras.push({
      name: 'Attack over it',
      hint: 'A layer over the upper body, with a mask that comes in over two bones',
      set: layered((player) => player.addLayer({ mask }), (layer, fade) => layer.crossFadeTo('Attack', fade)),
    });
  }
  if (asset.getClipByName('Wave') && skeleton.getBoneByName('upper_arm_L')) {
    const wave = asset.additive('Wave', { reference: 'first-key' });
    extras.push({
      name: 'Add a wave',
      hint: 'An additive layer: what the wave changes of its first pose is added to what plays',
      set: layered((player) => player.addLayer({ mode: 'additive' }), (layer, fade) => layer.crossFadeTo(wave, fade)),
    });
  }
  return extras;
}

/** A layer for each player that wants one, made when it is first wanted. */
function layered(add: (player: Player) => AnimationLayer, play: (layer: AnimationLayer, fade: number) => void): Extra['set'] {
  const layers = new WeakMap<Player, AnimationLayer>();
  return (player, isOn, fade) => {
    const layer = layers.get(player) ?? (isOn ? add(player) : undefined);
    if (!layer) return;
    layers.set(player, layer);
    if (isOn) play(layer, fade);
    else layer.fadeOut(fade);
  };
}
