// Builds the app into web/dist: hashed names that may be kept for ever, and a brotli form beside every text.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build as buildStyles } from 'esbuild'
import { build as rolldown } from 'rolldown'
import { licencesOf } from '../scripts/packages/licences.mjs'
import { CLIENT_RECIPES } from '../sdk/src/clients/client-recipes.ts'

const WEB = dirname(fileURLToPath(import.meta.url))
const DIST = join(WEB, 'dist')
// A build that breaks off leaves the last good one where it is.
const FRESH = join(WEB, '.cache', `fresh-${process.pid}`)
const REPLACED = join(WEB, '.cache', `replaced-${process.pid}`)

const STYLE_OPTIONS = {
  absWorkingDir: WEB,
  bundle: true,
  minify: true,
  target: 'es2022',
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy', '.png': 'copy', '.woff2': 'file' },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
}
/** Every screen needs these modules, so they form one chunk. It has the SDK without the parts that one area needs. */
const SHELL =
  /node_modules|\/sdk\/src\/(?!(?:secrets|clients)\/|(?:follow|turns|client-tools|webhook|full-client|generated-staff)\.ts)|\/web\/src\/(?:data|i18n|router\/(?!staff-items)|ui\/(?:base\/(?!save-file)|form\/(?!email-field)|layout\/(?:menu|cowrie))|screens\/(?:shared\/(?!about|passkey|sign-out)|table\.ts|frame\/(?!not-found|late\/)))/
/** Operations that no screen calls: machines and coding tools do. They are left out of the table of operations. */
const UNUSED_OPERATIONS = 'webhooks\\.\\w+|transparency\\.\\w+|gateway\\.(?!models\\b)\\w+'
/** Many screens need these modules, but neither the frame nor the sign-in. */
const KIT =
  /\/web\/src\/(?:data\/(?:draft|paid-request|paged-resource)\.ts|ui\/(?:base\/(?:amount|copyable|listing|paged-list)|layout\/(?:weave|empty-state|tabs|steps))\.tsx)/
/** A screen with a chart loads all of it in one piece. */
const CHARTS = /\/web\/src\/ui\/charts\/(?:axis|bars|short-day)/
const SCREENS = join(WEB, 'src/screens')
const AREAS = readdirSync(SCREENS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['frame', 'shared'].includes(entry.name))
  .map(({ name }) => name)
/** Modules that several screens of one area share form one chunk per area. */
// The screens of tasks share too little: each would load what only the others need.
const AREA_CHUNKS = AREAS.filter((name) => name !== 'tasks').map((name) => ({
  name,
  test: new RegExp(`/web/src/screens/${name}/`),
  minShareCount: 2,
}))

const usedOperations = {
  name: 'used-operations',
  transform: {
    filter: { id: /\/(?:sdk\/src\/generated\.ts|web\/src\/.*\.tsx?)$/ },
    handler(code, id) {
      if (id.endsWith('/generated.ts'))
        return code.replaceAll(new RegExp(`^ {2}'(?:${UNUSED_OPERATIONS})'.*\\n`, 'gm'), '')
      const [call] = new RegExp(`\\bapi\\.(?:${UNUSED_OPERATIONS})`).exec(code) ?? []
      if (call) throw new Error(`${relative(WEB, id)}: ${call} is left out of the app by UNUSED_OPERATIONS.`)
      return undefined
    },
  },
}

/** Modules of which something is in the build. */
const bundled = new Set()

try {
  // Styles and translations come first: the app contains their file names. Areas load their own when they are opened.
  const styled = AREAS.filter((name) => existsSync(join(SCREENS, name, `${name}.css`)))
  const styles = await bundleStyles('', {
    style: 'src/ui/style/app.css',
    display: 'src/ui/style/display.css',
    icon: 'src/ui/style/icon.svg',
    ...Object.fromEntries(styled.map((name) => [name, `src/screens/${name}/${name}.css`])),
  })
  const define = {
    STYLES: JSON.stringify(
      Object.fromEntries(['display', ...styled].map((name) => [name, `/app/${styles.get(`${name}.css`)}`])),
    ),
    WORDS: JSON.stringify(writeWords()),
  }
  const app = await bundleScripts('', { main: 'src/main.tsx' }, define)
  const scripts = JSON.stringify(scriptsByPath(app))
  const boot = await bundleScripts('', { boot: 'src/boot.ts' }, { SCRIPTS: scripts })
  // Not served. The benchmark of screen sizes reads it.
  writeFileSync(join(FRESH, '.scripts.json'), scripts)
  // The page of the reference is written by the server; these are what it links to.
  const docsStyles = await bundleStyles('reference', {
    style: 'src/ui/style/reference.css',
    icon: 'src/ui/style/icon.svg',
  })
  const docsScripts = await bundleScripts('reference', { reference: 'src/reference/reference.ts' })
  await buildSite([...docsStyles.values(), ...docsScripts.map(({ fileName }) => fileName)])
  const names = new Map([...styles, ...namesOf(app), ...namesOf(boot)])
  writeFileSync(join(FRESH, 'index.html'), linked(readFileSync(join(WEB, 'index.html'), 'utf8'), names))
  // Plain names: browsers keep the addresses of an installed app.
  cpSync(join(WEB, 'src/ui/icons'), FRESH, { recursive: true })
  await writeWorker()
  writeFileSync(join(FRESH, 'licences.txt'), `${licencesOf([...bundled])}\n${fontLicence()}`)
  for (const file of filesBelow(FRESH)) writeFileSync(`${file}.br`, compressed(readFileSync(file)))
  replace()
} finally {
  for (const folder of [FRESH, REPLACED]) rmSync(folder, { recursive: true, force: true })
}

/** Bundles styles into a folder of the build; the answer maps `style.css` to its hashed name. */
async function bundleStyles(folder, entries, options = {}) {
  const { metafile } = await buildStyles({
    ...STYLE_OPTIONS,
    ...options,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir: join(FRESH, folder),
  })
  for (const { inputs } of Object.values(metafile.outputs))
    for (const path of Object.keys(inputs)) bundled.add(join(WEB, path))
  return new Map(Object.keys(metafile.outputs).map((path) => [plain(basename(path)), basename(path)]))
}

/** Bundles scripts; the answer is what came out, piece by piece. */
async function bundleScripts(folder, entries, define = {}, names = {}) {
  const { output } = await rolldown({
    cwd: WEB,
    input: entries,
    platform: 'browser',
    preserveEntrySignatures: 'allow-extension',
    plugins: [usedOperations],
    transform: { target: 'es2022', define },
    output: {
      dir: join(FRESH, folder),
      format: 'esm',
      minify: true,
      comments: { annotation: false },
      hashCharacters: 'base36',
      entryFileNames: '[name]-[hash:7].js',
      chunkFileNames: '[name]-[hash:7].js',
      ...names,
      codeSplitting: {
        // Otherwise a chunk would include its dependencies, and other chunks that need them would load it.
        includeDependenciesRecursively: false,
        groups: [
          { name: 'kit', test: KIT, minShareCount: 2, priority: 2 },
          { name: 'charts', test: CHARTS, minShareCount: 2, priority: 2 },
          { name: 'shell', test: SHELL, minShareCount: entries.main ? 1 : 99, priority: 1 },
          ...AREA_CHUNKS,
        ],
      },
    },
  })
  // Helpers that the bundler adds have an id that begins with NUL; they come under its licence.
  for (const { modules = {} } of output)
    for (const [id, { renderedLength }] of Object.entries(modules))
      if (renderedLength > 0) bundled.add(id.startsWith('\0') ? 'node_modules/rolldown/' : id)
  return output
}

function fontLicence() {
  return `Familjen Grotesk\n\n${readFileSync(join(WEB, 'src/ui/style/font/OFL.txt'), 'utf8')}`
}

/** The public pages are written by the server; these are what they contain and link to. */
async function buildSite(docs) {
  const entries = {
    critical: 'src/site/critical.css',
    style: 'src/site/style.css',
    icon: 'src/ui/style/icon.svg',
    preview: 'src/site/preview.png',
  }
  // The critical style is part of pages with other paths, so it names its files by absolute addresses.
  const styles = await bundleStyles('site', entries, { publicPath: '/app/site' })
  const scripts = await bundleScripts('site', { site: 'src/site/site.ts' })
  const files = ['style.css', 'icon.svg']
    .map((name) => styles.get(name))
    .concat(scripts.map(({ fileName }) => fileName))
  await bundleScripts(
    'site',
    { worker: 'src/site/worker.ts' },
    {
      FILES: JSON.stringify(files.map((name) => `/app/site/${name}`)),
      DOCS_FILES: JSON.stringify(docs.map((name) => `/docs/${name}`)),
      BUILD: JSON.stringify(
        createHash('sha256')
          .update([...files, ...docs].join())
          .digest('hex')
          .slice(0, 12),
      ),
    },
    { entryFileNames: 'worker.js' },
  )
  // The server cannot import the SDK, which has the table of coding clients.
  writeFileSync(join(FRESH, 'site/clients.json'), JSON.stringify(CLIENT_RECIPES.map(({ title }) => title)))
}

/** The worker has a plain name, because browsers look for it there; what it keeps is what was built. */
async function writeWorker() {
  const files = readdirSync(FRESH).filter((name) => /-\w{6,8}\.\w+$/.test(name))
  const build = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
  await bundleScripts(
    '',
    { worker: 'src/worker.ts' },
    { FILES: JSON.stringify(files.map((name) => `/app/${name}`)), BUILD: JSON.stringify(build) },
    { entryFileNames: 'worker.js' },
  )
}

/** Each language in pieces: which of them a part of the app needs, by language and part. A part that uses another needs its words too. */
function writeWords() {
  const folder = join(WEB, 'words')
  const of = {}
  for (const language of readdirSync(folder)) {
    const pieces = {}
    for (const file of readdirSync(join(folder, language))) {
      const bytes = Buffer.from(
        JSON.stringify(JSON.parse(readFileSync(join(folder, language, file), 'utf8'))),
      )
      const area = basename(file, '.json')
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 6)
      const name = `${language}-${area}-${hash}.json`
      writeFileSync(join(FRESH, name), bytes)
      pieces[area] = `/app/${name}`
    }
    of[language] = Object.fromEntries(
      ['app', ...AREAS]
        .map((area) => [area, importedBy(area).flatMap((used) => pieces[used] ?? [])])
        .filter(([, all]) => all.length > 0),
    )
  }
  return of
}

/** The areas whose code an area imports, itself included. The shell is always loaded. */
function importedBy(area, seen = new Set([area])) {
  if (area === 'app') return [area]
  for (const file of filesBelow(join(SCREENS, area)).filter((name) => /\.tsx?$/.test(name)))
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/'(\.\.\/[^']+)'/g)) {
      const used = relative(SCREENS, join(dirname(file), path)).split('/')[0]
      if (seen.has(used) || !AREAS.includes(used)) continue
      seen.add(used)
      importedBy(used, seen)
    }
  return [...seen]
}

function plain(name) {
  return name.replace(/-\w{6,8}(\.\w+)$/, '$1')
}

function namesOf(output) {
  return output.map(({ fileName }) => [plain(fileName), fileName])
}

/** For each path of the app, the scripts of its screen: read from the table of screens, which has one line for each. */
function scriptsByPath(output) {
  const table = readFileSync(join(WEB, 'src/screens/table.ts'), 'utf8')
  const lines = [...table.matchAll(/\('(\/app[^']*)', msg\([^)]*\), \(\) => import\('\.\/([^']+)'\)\)/g)]
  if (lines.length !== table.match(/\), \(\) => import\('\.\//g)?.length)
    throw new Error('the build cannot read a line of screens/table.ts')
  const byName = new Map(output.map((piece) => [piece.fileName, piece]))
  const main = output.find(({ isEntry, name }) => isEntry && name === 'main')
  const known = reached(main.fileName)
  return Object.fromEntries(
    lines.map(([, path, source]) => {
      const piece = output.find(({ facadeModuleId }) => facadeModuleId === join(SCREENS, source))
      if (!piece) throw new Error(`${source} is not built`)
      return [path, [...reached(piece.fileName)].filter((name) => !known.has(name)).join(' ')]
    }),
  )

  /** A script with every other that it imports, directly or not, before it can run. */
  function reached(name, seen = new Set()) {
    if (!seen.has(name)) {
      seen.add(name)
      for (const imported of byName.get(name)?.imports ?? []) reached(imported, seen)
    }
    return seen
  }
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
