//! Reads what a library offers from its sources: the exports of `lib.rs`, and the signatures behind them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, Meta, TraitItem, Type, UseTree, Visibility};

/// The signatures of all that a crate exports, as Rust without bodies.
pub(super) fn describe(library: &Path) -> Result<String> {
    let mut reader = Reader::default();
    let root = parse(&library.join("src/lib.rs"))?;
    for item in &root.items {
        if let Item::Use(item) = item
            && is_public(&item.vis)
        {
            leaves(&item.tree, &mut reader.exports);
        }
    }
    let mut files = Vec::new();
    sources(&library.join("src"), &mut files)?;
    files.sort();
    for file in files {
        reader.read(parse(&file)?.items);
    }
    let uses = root.items.into_iter().filter(|item| matches!(item, Item::Use(item) if is_public(&item.vis)));
    let mut items: Vec<Item> = uses.map(plain).collect();
    items.extend(reader.found.into_values().flatten());
    Ok(prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items }))
}

fn parse(path: &Path) -> Result<syn::File> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("{} cannot be parsed", path.display()))
}

/// All sources but tests, which are files or folders of that name.
fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The names that a `pub use` brings out.
fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Name(name) => _ = names.insert(name.ident.to_string()),
        UseTree::Rename(name) => _ = names.insert(name.ident.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Glob(_) => (),
    }
}

#[derive(Default)]
struct Reader {
    exports: BTreeSet<String>,
    /// By name: what it is, then what it can do.
    found: BTreeMap<String, Vec<Item>>,
}

impl Reader {
    fn read(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                // Modules inside a file: what is behind a feature or a target, and tests.
                Item::Mod(module) if !is_test(&module.attrs) => {
                    self.read(module.content.map(|(_, items)| items).unwrap_or_default());
                }
                Item::Impl(item) if !is_test(&item.attrs) => self.read_impl(item),
                item => {
                    if let Some(name) = name(&item).filter(|name| self.exports.contains(name)) {
                        self.found.entry(name).or_default().insert(0, plain(item));
                    }
                }
            }
        }
    }

    fn read_impl(&mut self, mut item: ItemImpl) {
        let Type::Path(path) = &*item.self_ty else { return };
        let Some(name) = path.path.segments.last().map(|segment| segment.ident.to_string()) else { return };
        if !self.exports.contains(&name) {
            return;
        }
        if item.trait_.is_some() {
            // The trait says what is in it, but for the types.
            item.items.retain(|item| matches!(item, ImplItem::Type(_)));
        } else {
            item.items.retain(|item| match item {
                ImplItem::Fn(function) => is_public(&function.vis),
                ImplItem::Const(constant) => is_public(&constant.vis),
                _ => false,
            });
            if item.items.is_empty() {
                return;
            }
        }
        self.found.entry(name).or_default().push(plain(Item::Impl(item)));
    }
}

/// The name of an item that is public.
fn name(item: &Item) -> Option<String> {
    let (visibility, ident) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        Item::Const(item) => (&item.vis, &item.ident),
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        _ => return None,
    };
    is_public(visibility).then(|| ident.to_string())
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => attribute.path().is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// The item without documentation, bodies and private fields.
fn plain(mut item: Item) -> Item {
    match &mut item {
        Item::Struct(item) => {
            strip(&mut item.attrs);
            strip_fields(&mut item.fields, false);
        }
        Item::Enum(item) => {
            strip(&mut item.attrs);
            for variant in &mut item.variants {
                strip(&mut variant.attrs);
                strip_fields(&mut variant.fields, true);
            }
        }
        Item::Trait(item) => {
            strip(&mut item.attrs);
            for member in &mut item.items {
                match member {
                    TraitItem::Fn(function) => {
                        strip(&mut function.attrs);
                        if let Some(body) = &mut function.default {
                            body.stmts.clear();
                        }
                    }
                    TraitItem::Const(constant) => strip(&mut constant.attrs),
                    TraitItem::Type(kind) => strip(&mut kind.attrs),
                    _ => (),
                }
            }
        }
        Item::Impl(item) => {
            strip(&mut item.attrs);
            for member in &mut item.items {
                match member {
                    ImplItem::Fn(function) => {
                        strip(&mut function.attrs);
                        function.block.stmts.clear();
                    }
                    ImplItem::Const(constant) => strip(&mut constant.attrs),
                    ImplItem::Type(kind) => strip(&mut kind.attrs),
                    _ => (),
                }
            }
        }
        Item::Fn(item) => {
            strip(&mut item.attrs);
            item.block.stmts.clear();
        }
        Item::Type(item) => strip(&mut item.attrs),
        Item::Const(item) => strip(&mut item.attrs),
        Item::Use(item) => strip(&mut item.attrs),
        _ => (),
    }
    item
}

/// Leaves the attributes that others notice.
fn strip(attributes: &mut Vec<Attribute>) {
    let noticed = ["derive", "non_exhaustive", "must_use", "cfg", "cfg_attr", "repr", "deprecated"];
    attributes.retain(|attribute| noticed.iter().any(|name| attribute.path().is_ident(name)));
}

fn strip_fields(fields: &mut Fields, are_all_public: bool) {
    let shown = |field: &syn::Field| are_all_public || is_public(&field.vis);
    match fields {
        Fields::Named(named) => {
            named.named = std::mem::take(&mut named.named).into_iter().filter(shown).collect();
            named.named.iter_mut().for_each(|field| strip(&mut field.attrs));
        }
        // The place of a field counts: if one is private, none is shown.
        Fields::Unnamed(unnamed) if !unnamed.unnamed.iter().all(shown) => unnamed.unnamed.clear(),
        Fields::Unnamed(unnamed) => unnamed.unnamed.iter_mut().for_each(|field| strip(&mut field.attrs)),
        Fields::Unit => (),
    }
}
