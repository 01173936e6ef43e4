// A fake `npm ci` for tests of the image: `npm-ci.mjs <repository> ci [--omit=dev]`. Copies the packages of the lockfile from those
// installed in the repository; with --omit=dev without development packages.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

const [repository = '', command, ...options] = process.argv.slice(2)
if (command !== 'ci') throw new Error(`the fake npm supports only ci, not ${command}`)
if (options.includes('--omit=dev')) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const wanted = Object.entries(packages).filter(
    ([path, entry]) => path.startsWith('node_modules/') && !entry.dev && !entry.devOptional && !entry.link,
  )
  for (const [path] of wanted)
    if (existsSync(join(repository, path)) && !/node_modules\/.*node_modules\//.test(path))
      copyPackage(join(repository, path), path)
  for (const [path, { link, resolved }] of Object.entries(packages)) {
    if (!link) continue
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(relative(dirname(path), resolved), path)
  }
} else symlinkSync(join(repository, 'node_modules'), 'node_modules')

/** Hard links on the same disk, because no later step writes to a package. */
function copyPackage(from, to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyPackage(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) linkOrCopy(join(from, entry.name), join(to, entry.name))
  }
}

function linkOrCopy(from, to) {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes(error.code)) throw error
    copyFileSync(from, to)
  }
}
