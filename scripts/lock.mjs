// `npm run lock` after a change of dependencies: installs, then completes the lockfile for all platforms.
// A registry mirror may not have the binaries of every platform; npm then leaves them out of the lockfile, and `npm ci`
// refuses it. Their versions are known all the same: the package that offers them names them exactly.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './install.mjs'

const LOCKFILE = join(ROOT, 'package-lock.json')
const SYSTEMS = [
  'android',
  'darwin',
  'win32',
  'linux',
  'freebsd',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
]
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
  'arm',
]

/** Names of optional packages that the lockfile wants and does not have. */
export function missingFrom({ packages }) {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies),
  )
  return wanted.filter(([name]) => !packages[`node_modules/${name}`])
}

function complete(lockfile) {
  for (const [name, version] of missingFrom(lockfile))
    lockfile.packages[`node_modules/${name}`] = { version, ...platformOf(name), dev: true, optional: true }
  lockfile.packages = Object.fromEntries(
    Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function platformOf(name) {
  const words = name.split('/').at(-1) ?? ''
  const os = SYSTEMS.find((system) => words.includes(system))
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  const libc = words.includes('musl') ? 'musl' : os === 'linux' && words.includes('gnu') ? 'glibc' : undefined
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  const lockfile = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
  complete(lockfile)
  writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`)
}
