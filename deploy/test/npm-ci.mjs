// Stands in for `npm ci` in tests of the image: `npm-ci.mjs <repository> ci [--omit=dev]`. What the lockfile names is taken from the
// packages that are installed in the repository; with --omit=dev only what is not marked as needed for development.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

const [repository = '', command, ...options] = process.argv.slice(2)
if (command !== 'ci') throw new Error(`the stand-in for npm knows ci, not ${command}`)
if (options.includes('--omit=dev')) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const wanted = Object.entries(packages).filter(
    ([path, entry]) => path.startsWith('node_modules/') && !entry.dev && !entry.devOptional && !entry.link,
  )
  for (const [path] of wanted)
    if (existsSync(join(repository, path)) && !/node_modules\/.*node_modules\//.test(path))
      take(join(repository, path), path)
} else symlinkSync(join(repository, 'node_modules'), 'node_modules')

/** Links, where the folder is on the same disk: no step that follows writes to a package. */
function take(from, to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) take(join(from, entry.name), join(to, entry.name))
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
