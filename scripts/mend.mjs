// Repairs known defects of dependencies that have no release with the repair yet. npm runs it after every install.
// Each repair names the text it expects, so that another version of the package is refused instead of half repaired.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const REPAIRS = [
  {
    // A write planned before a connection closed met no socket and ended the process. Its callers are told instead.
    file: 'node_modules/postgres/src/connection.js',
    was: `    const x = socket.write(chunk, fn)
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    return x`,
    is: `    const bytes = chunk
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    if (socket === null) {
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    return socket.write(bytes, fn)`,
  },
  {
    // What was planned for a connection that ended must not keep the next one from writing, nor be written to it.
    file: 'node_modules/postgres/src/connection.js',
    was: `    clearImmediate(nextWriteTimer)
    if (socket) {`,
    is: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    if (socket) {`,
  },
  {
    file: 'node_modules/postgres/src/connection.js',
    was: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    is: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  },
  {
    // What was sent between an error of a connection and its end was never answered.
    file: 'node_modules/postgres/src/connection.js',
    was: `    !hadError && (query || sent.length) && error(`,
    is: `    ;(query || sent.length) && error(`,
  },
  {
    // A server that hung up during the greeting was asked again at once and for ever. Now each host is asked once.
    file: 'node_modules/postgres/src/connection.js',
    was: `    if (initial)
      return reconnect()
`,
    is: `    if (initial && ++retries < options.host.length) {
      query = errorResponse = null
      return reconnect()
    }

    initial && (hadError = true, error(Errors.connection('CONNECTION_CLOSED', options, socket)))
    retries = 0
`,
  },
  {
    // The statement in work when a connection ended, and its error, stayed: the next one was refused with that error.
    file: 'node_modules/postgres/src/connection.js',
    was: `    closedTime = performance.now()
`,
    is: `    query = errorResponse = null
    closedTime = performance.now()
`,
  },
  {
    // The rows of a statement that failed among them were counted on: the next one had as many holes before its own.
    file: 'node_modules/postgres/src/connection.js',
    was: `    query = results = errorResponse = null
    result = new Result()
    connectTimer.cancel()`,
    is: `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()`,
  },
  {
    // When the question for array types failed, nobody was told and the process ended. Who waits for the connection is
    // told in any case; a connection that does not know the types is not used.
    file: 'node_modules/postgres/src/connection.js',
    was: `        return fetchArrayTypes()`,
    is: `        return fetchArrayTypes().catch(() => socket && socket.destroy())`,
  },
  {
    // A statement that could not be written failed the one before it, and then took the answer of the one behind it.
    file: 'node_modules/postgres/src/connection.js',
    was: `    } catch (error) {
      sent.length === 0 && write(Sync)`,
    is: `    } catch (error) {
      if (q !== query) {
        sent.remove(q)
        queryError(q, error)
        return true
      }
      sent.length === 0 && write(Sync)`,
  },
  {
    // A transaction whose connection was lost went on using it after it was opened anew for somebody else: its next
    // statement, its commit or its rollback would have been theirs.
    file: 'node_modules/postgres/src/index.js',
    was: `        new Promise((_, reject) => connection.onclose = reject)`,
    is: `        new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })`,
  },
  {
    file: 'node_modules/postgres/src/index.js',
    was: `    let savepoints = 0
      , connection
      , prepare = null`,
    is: `    let savepoints = 0
      , connection
      , lost = null
      , prepare = null`,
  },
  {
    file: 'node_modules/postgres/src/index.js',
    was: `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
    is: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
        c.queue === full`,
  },
]

for (const { file, was, is } of REPAIRS) {
  const path = join(ROOT, file)
  const text = readFileSync(path, 'utf8')
  if (text.includes(is)) continue
  if (text.split(was).length !== 2) {
    process.stderr.write(
      `${file} is not the version that scripts/mend.mjs repairs. Look whether its repairs are still needed.\n`,
    )
    process.exit(1)
  }
  writeFileSync(
    path,
    text.replace(was, () => is),
  )
}
