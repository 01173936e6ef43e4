#!/usr/bin/env node
// Starts the packaged command. It is two files: one for the prompt of a session, and one for everything else. The compiled code of
// both is cached for the next start.
const fs = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

/** The digest of the program. `npm run pack` writes it here. */
const BUILD = 'unpacked'
/** Functions that have run by then are cached. Many sessions end with their window, without a chance to write. */
const STORE_AFTER_MS = 3_000
const library = join(__dirname, '..', 'lib')
// Cached code is executed, so the cache is in a folder that only this user can write.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
const base = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA
const folder = base && join(base, 'cowrie', 'compiled')
// Only functions that ran are compiled, and a session runs others than a command.
const kind = process.argv.length > 2 ? 'command' : 'session'

let others = null
const first = load('cowrie-start', '__later', (path) => {
  others ??= load('cowrie', '__first', (name) => first.modules[name]())
  return others.modules[path]()
})

/** The compile cache of Node.js 22 and later keeps the functions of the first command only, and Node.js 20 has none. */
function load(name, other, take) {
  const filename = join(library, `${name}.cjs`)
  const stored = folder && join(folder, `${process.version}-${process.arch}-${BUILD}-${kind}-${name}`)
  const source = `(function(require,__builtin,module,exports,${other}){${fs.readFileSync(filename, 'latin1')}\n})`
  const cachedData = stored && fs.existsSync(stored) ? fs.readFileSync(stored) : undefined
  const script = new Script(source, { filename, cachedData })
  if (stored && (!cachedData || script.cachedDataRejected)) storeSoon(stored, script)
  const main = { exports: {} }
  script.runInThisContext()(require, require, main, main.exports, take)
  return main.exports
}

function storeSoon(path, script) {
  let isStored = false
  const once = () => {
    if (!isStored) store(path, script)
    isStored = true
  }
  setTimeout(once, STORE_AFTER_MS).unref()
  process.once('exit', once)
}

/** Replaces the file at once, so that no reader sees half of it. A cache that cannot be written is only slower. */
function store(path, script) {
  const draft = `${path}.${process.pid}`
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = fs.openSync(draft, 'wx', 0o600)
    fs.writeFileSync(file, script.createCachedData())
    fs.fsyncSync(file)
    fs.closeSync(file)
    fs.renameSync(draft, path)
    // Those of earlier versions of the command.
    for (const name of fs.readdirSync(folder))
      if (!name.includes(BUILD)) fs.rmSync(join(folder, name), { recursive: true, force: true })
  } catch {
    fs.rmSync(draft, { force: true })
  }
}
