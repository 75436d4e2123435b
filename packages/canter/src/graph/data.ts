// The JSON of a graph: the types of crates/canter-graph/src/data, and of its graph.schema.json.

/** A graph as it is written down: parameters, and one state machine per layer. */
export interface GraphData {
  /** Where editors find the schema. */
  $schema?: string;
  /** Of the format. */
  version: 1;
  /** What the program tells the graph. */
  parameters?: ParameterData[];
  /** States that stay in step with each other. */
  sync_groups?: SyncGroupData[];
  /** From below; the first is the base. */
  layers: LayerData[];
}

/** The values that a parameter has. A trigger is set by the program, and taken by the transition that waits for it. */
export type ParameterKind = 'float' | 'int' | 'bool' | 'trigger';

/** Something that the program tells the graph, by name. */
export interface ParameterData {
  name: string;
  kind: ParameterKind;
  /** Its value at the start; 0, false or not set unless given. */
  default?: number | boolean;
  /** Of a trigger: whether it stays set until a transition takes it, as it does unless this is false; else it lasts for one update. */
  keep?: boolean;
}

/** States that stay in step: a walk and a run whose feet come down together. */
export interface SyncGroupData {
  name: string;
  by?: 'markers' | 'cycle';
}

/** A number, or the name of a float parameter that gives it. */
export type AmountData = number | string;

/** A state machine, and how what it plays is laid over what is below. */
export interface LayerData {
  name: string;
  mode?: 'override' | { additive: { reference?: 'rest' | 'first_key' | { clip: string; time?: number } } };
  mask?: MaskData;
  weight?: AmountData;
  machine: MachineData;
}

/** Which bones a layer moves. */
export interface MaskData {
  subtree?: string[];
  joints?: string[];
  feather?: number;
  morphs?: number;
}

/** States and how they lead to each other. */
export interface MachineData {
  /** The state that it begins in. */
  entry: string;
  /** Of a machine in a state: whether it goes on in the state in which it was left. */
  keep?: boolean;
  states: StateData[];
  transitions?: TransitionData[];
}

/** What a machine can be in: something that plays. */
export interface StateData {
  name: string;
  motion: MotionData;
  speed?: AmountData;
  loop?: 'once' | 'repeat' | 'ping_pong' | { times: number };
  /** Whether its clips play left for right, and those of machines in it; bones change places by their names. */
  mirror?: boolean;
  /** The group that it stays in step with. */
  sync?: string;
  /** What is told when it is entered. */
  on_enter?: string;
  /** What is told when it is left. */
  on_leave?: string;
  /** Where an editor draws it; means nothing otherwise. */
  position?: [number, number];
}

/** What a state plays. */
export type MotionData =
  | 'hold'
  | 'rest'
  | { clip: string | { name: string; range?: [number, number]; speed?: number } }
  | { blend1d: Blend1dData }
  | { blend2d: Blend2dData }
  | { direct: { normalize?: boolean; items: { weight: AmountData; motion: MotionData }[] } }
  | { machine: MachineData };

/** Motions along a line, blended by one parameter. */
export interface Blend1dData {
  parameter: string;
  half_life?: number;
  place?: 'speed' | 'turn';
  points: { at?: number; motion: MotionData }[];
}

/** Motions on a plane, blended by two parameters. */
export interface Blend2dData {
  parameters: [string, string];
  method?: 'triangles' | 'cartesian' | 'directional';
  half_life?: number;
  place?: 'velocity' | 'turn_and_speed';
  points: { at?: [number, number]; motion: MotionData }[];
}

/** What a transition waits for. */
export interface ConditionData {
  parameter: string;
  op?: '==' | '!=' | '<' | '<=' | '>' | '>=';
  value?: number | boolean;
}

/** What leads from one state to another. */
export interface TransitionData {
  /** A state, or `any`. */
  from: string;
  /** A state, or `exit`. */
  to: string;
  when?: ConditionData[];
  exit_time?: number;
  duration?: number | { of_source: number } | { of_target: number };
  fade?: 'cross' | 'frozen' | 'inertial' | 'dead';
  easing?: 'linear' | 'quadratic_in' | 'quadratic_out' | 'quadratic_in_out' | 'smooth_step' | 'smoother_step';
  enter?: 'keep_phase' | { offset: number } | { marker: string };
  interrupt?: 'none' | 'source' | 'target' | 'source_then_target' | 'target_then_source';
  ordered?: boolean;
  priority?: number;
  to_self?: boolean;
}
