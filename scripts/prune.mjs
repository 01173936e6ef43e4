// `node scripts/prune.mjs <node_modules>`: removes from an installed tree what a running service never opens. The image is
// built with it; licences stay.
import { readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In every package. Node.js runs no TypeScript from node_modules, so no such file is ever loaded. */
const FILES = /\.(?:map|[cm]?ts|tsx|md|markdown|tsbuildinfo)$/i
/** Directly in a package. */
const FOLDERS = /^(?:tests?|__tests__|docs?|examples?|bench|benchmarks?|\.github|\.vscode)$/
const LICENCES = /^(?:licen[cs]e|copying|notice)/i

/** In single packages, by the path within them. */
export const UNUSED = {
  // The service loads one encoding, by require: see platform/inference/tokens.ts.
  'gpt-tokenizer': /^(?:esm|src|data|cjs\/model|cjs\/bpeRanks\/(?!o200k_base).+)$/,
  // A build with assertions, for work on the parser itself.
  'web-tree-sitter': /^debug$/,
}

/** Links are left alone: they lead to workspaces, which are no packages. */
export function prune(folder) {
  for (const name of foldersIn(folder)) {
    if (!name.startsWith('@')) prunePackage(name, join(folder, name))
    else
      for (const inner of foldersIn(join(folder, name)))
        prunePackage(`${name}/${inner}`, join(folder, name, inner))
  }
}

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

function prunePackage(name, home, folder = home) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (UNUSED[name]?.test(relative(home, path).split(sep).join('/'))) rmSync(path, { recursive: true })
    else if (entry.isDirectory()) {
      if (entry.name === 'node_modules') prune(path)
      else if (folder === home && FOLDERS.test(entry.name)) rmSync(path, { recursive: true })
      else prunePackage(name, home, path)
    } else if (FILES.test(entry.name) && !LICENCES.test(entry.name)) rmSync(path)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Name the folder to prune: node scripts/prune.mjs <node_modules>')
  prune(folder)
}
