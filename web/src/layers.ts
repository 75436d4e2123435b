import type { AnimationClip, AnimationLayer, Asset, BoneMask, FadeOption, LayerMode, Player } from 'canter';

/** What plays above the clip of a figure. */
export interface LayerChoice {
  /** Undefined for nothing. */
  clip: AnimationClip | undefined;
  /** The bone that it begins at; empty for the whole figure. */
  top: string;
  mode: LayerMode;
  weight: number;
}

/** A mask comes in over so many bones. */
const FEATHER = 2;

/** The bone at which the upper body begins, as most files call it; empty if none is called so. */
export function upperBody({ skeleton }: Asset): string {
  const isUpper = (name: string) => /spine|chest|torso/i.test(name);
  return skeleton.bones.find(({ name }) => isUpper(name))?.name ?? '';
}

/** A layer above what each player of a figure plays, made when it is first wanted. */
export class Overlay {
  #choice: LayerChoice = { clip: undefined, top: '', mode: 'over', weight: 1 };
  #layers = new WeakMap<Player, AnimationLayer>();
  readonly #asset: Asset;

  constructor(asset: Asset) {
    this.#asset = asset;
  }

  /** Fades from the last choice to another one. */
  choose(choice: LayerChoice, players: Iterable<Player>, fade: FadeOption): void {
    const isOther = choice.top !== this.#choice.top || choice.mode !== this.#choice.mode;
    this.#choice = choice;
    for (const player of players) {
      const layer = this.#layers.get(player);
      if (!layer) this.join(player, fade);
      else if (isOther || !choice.clip) {
        // The old one fades out below the new one; older ones have.
        for (const other of player.layers) if (other !== layer) other.remove();
        layer.fadeOut(fade);
        this.#layers.delete(player);
        this.join(player, fade);
      } else {
        layer.weight = choice.weight;
        layer.crossFadeTo(this.#clip(choice.clip), fade);
      }
    }
  }

  /** Gives a player what was chosen. */
  join(player: Player, fade: FadeOption): void {
    const { clip, top, mode, weight } = this.#choice;
    if (!clip) return;
    const mask: BoneMask | undefined = top === '' ? undefined : this.#asset.skeleton.mask(top, { feather: FEATHER });
    const layer = player.addLayer({ mode, weight, ...(mask ? { mask } : {}) });
    this.#layers.set(player, layer);
    layer.crossFadeTo(this.#clip(clip), fade);
  }

  #clip(clip: AnimationClip): AnimationClip {
    return this.#choice.mode === 'additive' ? this.#asset.additive(clip, { reference: 'first-key' }) : clip;
  }
}
