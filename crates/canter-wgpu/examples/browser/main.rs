//! A figure in a page, on WebGPU or on WebGL2; the same program draws it natively, into a file.
//!
//! ```text
//! cargo xtask test web           builds it; `node web/serve.mjs` shows it at http://127.0.0.1:8080/rust/
//! cargo run -p canter-wgpu --example browser -- hero.png [assets/hero.glb] [uniform|storage|texture]
//! ```
//!
//! In the page, `?model=URL` shows another file, and `&palettes=uniform` (or `storage`, `texture`) draws two
//! figures by the pipeline of the example `own_pipeline`, with palettes in such memory.

mod drawing;
#[cfg(not(target_family = "wasm"))]
mod file;
#[allow(dead_code, reason = "its main function is not called here")]
#[path = "../own_pipeline.rs"]
mod own_pipeline;
#[cfg(target_family = "wasm")]
mod page;

#[cfg(not(target_family = "wasm"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    file::run()
}

#[cfg(target_family = "wasm")]
fn main() {
    page::start();
}
