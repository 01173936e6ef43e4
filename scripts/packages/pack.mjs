// `npm run pack`: builds the packages of the SDK and the CLI, the latter also for Termux. Builds are reproducible: each package is built in a new folder
// and contains only the files named here.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmCommand, ROOT } from '../install.mjs'
import { bundleCli } from './bundle-cli.mjs'
import { licencesOf } from './licences.mjs'
import { termuxPackage } from './termux.mjs'

const PARTS = { sdk: buildSdk, cli: buildCli }

/** Builds the packages into a folder and returns their paths. */
export async function pack(destination) {
  mkdirSync(destination, { recursive: true })
  const packed = {}
  for (const [part, buildPart] of Object.entries(PARTS)) {
    const stage = mkdtempSync(join(tmpdir(), `cowrie-pack-${part}-`))
    try {
      await buildPart(stage)
      packed[part] = packFolder(stage, destination)
      if (part === 'cli') packed.termux = termuxPackage(stage, destination)
    } finally {
      rmSync(stage, { recursive: true, force: true })
    }
  }
  return packed
}

/** Compiles each module separately, with type declarations and without source maps. */
export async function buildSdk(stage) {
  const options = join(stage, 'tsconfig.json')
  writeFileSync(options, JSON.stringify(sdkOptions(stage)))
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { status, stdout } = spawnSync(tsc, ['-p', options], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The SDK could not be compiled.\n${stdout}`)
  rmSync(options)
  for (const name of readdirSync(join(stage, 'dist'))) if (name.endsWith('.d.ts')) nameBuiltFiles(stage, name)
  cpSync(join(ROOT, 'sdk', 'examples'), join(stage, 'examples'), { recursive: true })
  writeManifest('sdk', stage, {
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    files: ['dist', 'examples', 'CHANGELOG.md'],
  })
}

/** The compiler sees only APIs common to browsers, Deno, Bun and Node.js. */
const sdkOptions = (stage) => ({
  extends: join(ROOT, 'tsconfig.base.json'),
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: false,
    rootDir: join(ROOT, 'sdk', 'src'),
    outDir: join(stage, 'dist'),
  },
  files: [join(ROOT, 'sdk', 'src', 'index.ts')],
})

/** The compiler rewrites import extensions in JavaScript, but not in declarations. */
function nameBuiltFiles(stage, name) {
  const path = join(stage, 'dist', name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
}

/** Bundles the CLI into two files and adds its launcher. */
export async function buildCli(stage) {
  const { start, rest, inputs } = await bundleCli()
  for (const folder of ['bin', 'lib']) mkdirSync(join(stage, folder))
  writeFileSync(join(stage, 'lib', 'cowrie-start.cjs'), start)
  writeFileSync(join(stage, 'lib', 'cowrie.cjs'), rest)
  writeFileSync(join(stage, 'lib', 'LICENSES.txt'), licencesOf(inputs))
  const digest = createHash('sha256').update(start).update(rest).digest('hex').slice(0, 16)
  const launcher = readFileSync(join(ROOT, 'cli', 'bin', 'packed.cjs'), 'utf8')
  writeFileSync(join(stage, 'bin', 'cowrie.cjs'), launcher.replace("'unpacked'", `'${digest}'`), {
    mode: 0o755,
  })
  writeManifest('cli', stage, { bin: { cowrie: 'bin/cowrie.cjs' }, files: ['bin', 'lib', 'CHANGELOG.md'] })
}

/** Writes the public part of package.json. */
function writeManifest(part, stage, built) {
  const { name, version, description, keywords, license, type, engines } = JSON.parse(
    readFileSync(join(ROOT, part, 'package.json'), 'utf8'),
  )
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    ...built,
    publishConfig: { access: 'public' },
  }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(ROOT, part, 'README.md'), join(stage, 'README.md'))
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(ROOT, file), join(stage, file))
}

/** npm sets fixed dates and a fixed order of files. */
function packFolder(stage, destination) {
  const [command, ...prefix] = npmCommand()
  const args = [...prefix, 'pack', stage, '--pack-destination', destination, '--ignore-scripts', '--json']
  const { status, stdout, stderr } = spawnSync(command, [...args, '--loglevel=error'], {
    cwd: stage,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The package could not be packed.\n${stderr}`)
  const [packed] = Object.values(JSON.parse(stdout))
  return join(destination, packed.filename)
}

/** The wheel of the Python client. Python builds it; null without Python. */
function packPython(destination) {
  const build = 'import build_backend, sys; print(build_backend.build_wheel(sys.argv[1]))'
  const { status, stdout } = spawnSync('python3', ['-B', '-c', build, destination], {
    cwd: join(ROOT, 'python'),
    encoding: 'utf8',
  })
  return status === 0 ? join(destination, stdout.trim()) : null
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packed = await pack(join(ROOT, 'dist'))
  for (const path of Object.values(packed)) process.stdout.write(`${relative(ROOT, path)}\n`)
  const wheel = packPython(join(ROOT, 'dist'))
  process.stdout.write(
    wheel ? `${relative(ROOT, wheel)}\n` : 'Python is not installed: no wheel was built.\n',
  )
}
