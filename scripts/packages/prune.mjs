// `node scripts/packages/prune.mjs <node_modules>`: removes files that the running service never opens. The image build uses it
// with Node.js 24. Licences and manifests stay.
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Removed in every package. Node.js does not run TypeScript from node_modules. */
const FILES = /\.(?:map|[cm]?ts|tsx|md|markdown|tsbuildinfo)$/i
/** Removed at the top level of a package. */
const FOLDERS = /^(?:tests?|__tests__|docs?|examples?|bench|benchmarks?|\.github|\.vscode)$/
const LICENCES = /^(?:licen[cs]e|copying|notice|cgmanifest\.json)/i
/** Only native builds of the grammars need these. The service loads their WebAssembly. */
const UNUSED = ['node-addon-api', 'node-gyp-build', 'npm-check-updates']

/**
 * Package → the paths that the service loads by name: grammars, their parser and the encoding of the tokenizer.
 */
export async function loadedFiles(modules) {
  const { ENCODING_MODULE } = await import('../../server/src/platform/inference/tokenizer-module.ts')
  const { GRAMMAR_FILES } = await import('../../analysis/syntax/grammar-files.ts')
  const files = new Map([['web-tree-sitter', new Set(['web-tree-sitter.js', 'web-tree-sitter.wasm'])]])
  for (const file of Object.values(GRAMMAR_FILES)) {
    const name = packageOf(file)
    files.set(name, new Set([...(files.get(name) ?? []), file.slice(name.length + 1)]))
  }
  files.set(packageOf(ENCODING_MODULE), requiredFiles(modules, ENCODING_MODULE))
  return files
}

const packageOf = (file) => file.split('/', file.startsWith('@') ? 2 : 1).join('/')

/** The files that a CommonJS module loads from its package, and the manifests. */
function requiredFiles(modules, specifier) {
  const folder = join(modules, packageOf(specifier))
  const require = createRequire(join(modules, 'none.cjs'))
  require(specifier)
  const read = Object.keys(require.cache).filter((path) => path.startsWith(folder + sep))
  const manifests = globSync('{*/,}package.json', { cwd: folder })
  return new Set([...read.map((path) => relative(folder, path)), ...manifests])
}

/** Skips links, which point to workspaces. */
export function prune(folder, loaded = new Map()) {
  for (const name of UNUSED) rmSync(join(folder, name), { recursive: true, force: true })
  for (const [name, home] of packagesIn(folder)) {
    const kept = loaded.get(name)
    if (kept) keepOnly(name, home, kept)
    else prunePackage(home)
  }
}

const packagesIn = (folder) =>
  foldersIn(folder).flatMap((name) =>
    name.startsWith('@')
      ? foldersIn(join(folder, name)).map((inner) => [`${name}/${inner}`, join(folder, name, inner)])
      : [[name, join(folder, name)]],
  )

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

function keepOnly(name, home, kept) {
  for (const path of kept)
    if (!existsSync(join(home, path)))
      throw new Error(`${name} has no ${path}. Correct GRAMMAR_FILES or ENCODING_MODULE.`)
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = relative(home, join(entry.parentPath, entry.name))
    const isNotice = entry.parentPath === home && (entry.name === 'package.json' || LICENCES.test(entry.name))
    if (entry.isFile() && !isNotice && !kept.has(path)) rmSync(join(home, path))
  }
}

function prunePackage(home, folder = home) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules') prune(path)
      else if (folder === home && FOLDERS.test(entry.name)) rmSync(path, { recursive: true })
      else prunePackage(home, path)
    } else if (FILES.test(entry.name) && !LICENCES.test(entry.name)) rmSync(path)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Usage: node scripts/packages/prune.mjs <node_modules>')
  const modules = resolve(folder)
  prune(modules, await loadedFiles(modules))
}
