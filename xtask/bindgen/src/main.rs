//! `canter-bindgen MODULE.wasm FOLDER`: puts a module and its JavaScript, for pages, into a folder.

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(module), Some(folder)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: canter-bindgen MODULE.wasm FOLDER");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&module).web(true)?.typescript(false);
    bindgen.generate(&folder).with_context(|| format!("{} has no JavaScript", module.display()))
}
