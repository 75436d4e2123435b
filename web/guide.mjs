// Type-checks all TypeScript of the guide and runs it in Node, in the folder of the hero. `node web/guide.mjs [FOLDER OF PAGES]`
//
// Every block ```ts is a module of its own and runs to its end without an error. ```ts,browser and ```tsx need a page and are
// only type-checked. Lines that begin with ~ are for the tests and not shown.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGES = process.argv[2] ? resolve(process.argv[2]) : join(ROOT, 'docs/guide/src');
const WORK = join(ROOT, 'target/web/guide');

/** The TypeScript of a page. A fence that is never closed is a fault of the page. */
export function snippets(text, page) {
  const found = [];
  let open;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```\s*(.*)$/.exec(line);
    if (fence && open) {
      if (open.language.startsWith('ts')) found.push(open);
      open = undefined;
    } else if (fence) {
      const [language, ...words] = fence[1].split(/[ ,]+/);
      const odd = words.find((word) => word !== 'browser');
      if (language.startsWith('ts') && odd) throw new Error(`${page}:${index + 1}: "${odd}" is not known behind ${language}`);
      open = { language, runs: language === 'ts' && !words.includes('browser'), line: index + 1, lines: [] };
    } else if (open) {
      open.lines.push(line.startsWith('~') ? line.slice(1) : line);
    }
  }
  if (open) throw new Error(`${page}:${open.line}: this block is not closed`);
  return found;
}

rmSync(WORK, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
const modules = [];
for (const page of readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).sort()) {
  for (const { language, runs, line, lines } of snippets(readFileSync(join(PAGES, page), 'utf8'), page)) {
    const name = `${page.replace(/\.md$/, '').replaceAll(/[/\\]/g, '-')}-${line}`;
    writeFileSync(join(WORK, `${name}.${language}`), `${lines.join('\n')}\nexport {};\n`);
    modules.push({ name, runs, place: `docs/guide/src/${page}:${line}` });
  }
}
const compilerOptions = {
  target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'], jsx: 'react-jsx',
  types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, outDir: 'run',
  rootDir: '.',
};
writeFileSync(join(WORK, 'package.json'), '{ "type": "module" }');
writeFileSync(join(WORK, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }));
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', WORK], { stdio: 'inherit' });
if (status !== 0) {
  console.error('the number behind the name is the line of the page at which the block begins');
  process.exit(1);
}

process.chdir(join(ROOT, 'assets'));
for (const { name, place } of modules.filter(({ runs }) => runs)) {
  try {
    await import(pathToFileURL(join(WORK, 'run', `${name}.js`)).href);
  } catch (error) {
    console.error(`${place}: this snippet fails`);
    throw error;
  }
}
console.log(`${modules.length} snippets of the guide compile, ${modules.filter(({ runs }) => runs).length} run`);
