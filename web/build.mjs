// Builds the app into web/dist: hashed names that may be kept for ever, and a brotli form beside every text.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'

const WEB = dirname(fileURLToPath(import.meta.url))
const DIST = join(WEB, 'dist')
// A build that breaks off leaves the last good one where it is.
const FRESH = join(WEB, '.cache', `fresh-${process.pid}`)
const REPLACED = join(WEB, '.cache', `replaced-${process.pid}`)

const SHARED = {
  absWorkingDir: WEB,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
}

try {
  const app = await bundle('', {
    main: 'src/main.tsx',
    boot: 'src/app/boot.ts',
    style: 'src/style/app.css',
    icon: 'src/icon.svg',
  })
  // The page of the reference is written by the server; these are what it links to.
  await bundle('reference', {
    reference: 'src/reference/reference.ts',
    style: 'src/style/reference.css',
    icon: 'src/icon.svg',
  })
  writeFileSync(join(FRESH, 'index.html'), linked(readFileSync(join(WEB, 'index.html'), 'utf8'), app))
  for (const file of filesBelow(FRESH)) writeFileSync(`${file}.br`, compressed(readFileSync(file)))
  replace()
} finally {
  for (const folder of [FRESH, REPLACED]) rmSync(folder, { recursive: true, force: true })
}

/** Bundles the entries into a folder of the build; the answer maps `main.js` to its hashed name. */
async function bundle(folder, entries) {
  const { metafile } = await build({
    ...SHARED,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir: join(FRESH, folder),
  })
  return new Map(
    Object.keys(metafile.outputs).map((path) => [
      basename(path).replace(/-[A-Z0-9]{8}(\.\w+)$/, '$1'),
      basename(path),
    ]),
  )
}

/** A link that names nothing we built is a mistake in index.html. */
function linked(page, names) {
  return page.replace(/\{\{(.+?)\}\}/g, (_, name) => {
    if (!names.has(name)) throw new Error(`index.html links to ${name}, which is not built`)
    return `/app/${names.get(name)}`
  })
}

function compressed(bytes) {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function replace() {
  mkdirSync(DIST, { recursive: true })
  renameSync(DIST, REPLACED)
  renameSync(FRESH, DIST)
}
