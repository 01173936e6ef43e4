#!/usr/bin/env node
// Starts the packaged command, which is one file, and caches the compiled code for the next start.
const fs = require('node:fs')
const { join } = require('node:path')

/** The digest of the program. `npm run pack` writes it here. */
const BUILD = 'unpacked'
const program = join(__dirname, '..', 'lib', 'cowrie.cjs')
// Cached code is executed, so the cache is in a folder that only this user can write.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
const base = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA
if (base) runWithCache(join(base, 'cowrie', 'compiled'))
else require(program)

/** The compile cache of Node.js 22 and later keeps the functions of the first command only, and Node.js 20 has none. */
function runWithCache(folder) {
  const { Script } = require('node:vm')
  // Only functions that ran are compiled, and a session runs others than a command.
  const kind = process.argv.length > 2 ? 'command' : 'session'
  const stored = join(folder, `${process.version}-${process.arch}-${BUILD}-${kind}`)
  const source = `(function(require,module,exports){${fs.readFileSync(program, 'latin1')}\n})`
  const cachedData = fs.existsSync(stored) ? fs.readFileSync(stored) : undefined
  const script = new Script(source, { filename: program, cachedData })
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => store(folder, stored, script))
  const main = { exports: {} }
  script.runInThisContext()(require, main, main.exports)
}

/** Replaces the file at once, so that no reader sees half of it. A cache that cannot be written is only slower. */
function store(folder, path, script) {
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
