//! Graphs that drive mixers, and solvers that correct poses.

use crate::host::with;

exports! {
    // The input is a graph.
    fn graph_new(mixer: u32) -> u32 { with(|host| host.new_graph(mixer)) }
    fn graph_clone(graph: u32, mixer: u32) -> u32 { with(|host| host.clone_graph(graph, mixer)) }
    fn graph_free(graph: u32) { with(|host| drop(host.graphs.remove(graph))); }
    fn graph_describe(graph: u32) { with(|host| host.describe_graph(graph)); }
    fn graph_update(graph: u32, mixer: u32, skeleton: u32, dt_secs: f32, wants_markers: u32) -> u32 {
        with(|host| host.update_graph((graph, mixer, skeleton), dt_secs, wants_markers != 0))
    }
    fn graph_events(graph: u32) { with(|host| host.graph_events(graph)); }
    fn graph_markers(graph: u32) -> u32 { with(|host| host.graph_markers(graph)) }
    fn graph_root(graph: u32) { with(|host| host.graph_root(graph)); }
    fn graph_time(graph: u32) -> f64 { with(|host| host.graph_time(graph)) }
    fn graph_set(graph: u32, parameter: u32, value: f64) {
        with(|host| host.set_parameter(graph, parameter, value));
    }
    fn graph_get(graph: u32, parameter: u32) -> f64 { with(|host| host.parameter(graph, parameter)) }
    fn graph_state(graph: u32, layer: u32) -> u32 { with(|host| host.graph_state(graph, layer)) }
    fn graph_fade(graph: u32, layer: u32) -> u32 { with(|host| host.graph_fade(graph, layer).into()) }
    fn graph_explain(graph: u32, mixer: u32) { with(|host| host.explain_graph(graph, mixer)); }
    fn graph_history(graph: u32) { with(|host| host.graph_history(graph)); }
    fn graph_travel(graph: u32, state: u32) -> u32 { with(|host| host.travel(graph, state)) }
    fn graph_stop_travelling(graph: u32, layer: u32) { with(|host| host.stop_travelling(graph, layer)); }
    fn graph_save(graph: u32, mixer: u32) -> u32 { with(|host| host.save_graph(graph, mixer)) }
    fn graph_restore(graph: u32, mixer: u32, skeleton: u32, snapshot: u32) -> u32 {
        with(|host| host.restore_graph((graph, mixer, skeleton), snapshot).into())
    }
    fn snapshot_free(snapshot: u32) { with(|host| drop(host.snapshots.remove(snapshot))); }

    // The input says how a solver is made; what drives it is in the answer.
    fn solver_new(asset: u32, kind: u32) -> u32 { with(|host| host.new_solver(asset, kind)) }
    fn solver_free(solver: u32) { with(|host| drop(host.solvers.remove(solver))); }
    fn solver_apply(solver: u32, skeleton: u32) -> u32 {
        with(|host| host.apply_solver(solver, skeleton).into())
    }
    fn solver_reset(solver: u32, is_jump: u32) { with(|host| host.reset_solver(solver, is_jump != 0)); }
    fn feet_ask(solver: u32, skeleton: u32) { with(|host| host.ask_ground(solver, skeleton)); }
    fn mirror_partner(solver: u32, asset: u32, joint: u32) -> u32 {
        with(|host| host.mirror_partner(solver, asset, joint))
    }
    // The input is the name of the mirrored clip.
    fn mirror_clip(solver: u32, asset: u32, clip: u32) -> u32 {
        with(|host| host.mirror_clip(solver, asset, clip).into())
    }
    fn skeleton_place(skeleton: u32) { with(|host| host.place_skeleton(skeleton)); }
}
