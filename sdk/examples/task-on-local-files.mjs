// Let the agent work on a folder of this machine: the files stay here, and this program runs the tools. Start it again with
// COWRIE_TASK to continue an interrupted turn, or to give the task another prompt.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { createClient, runClientTools } from '@cowrie/sdk'

const root = resolve(process.argv[2] ?? '.')
const prompt = process.argv[3]
const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

/** The service sends clean paths. Never trust that: a path must not leave the folder. */
function inside(path = '.') {
  const full = resolve(root, path)
  if (full !== root && !full.startsWith(root + sep)) throw new Error(`${path} is outside of the folder.`)
  return full
}

async function listFiles(path) {
  const entries = await readdir(inside(path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, resolve(entry.parentPath ?? entry.path, entry.name)).replaceAll(sep, '/'))
    .filter((name) => !/(^|\/)(\.git|node_modules)\//.test(name))
    .sort()
}

/** The whole file as a unified diff, so that other devices can show the change. */
function change(path, before, after) {
  const lines = (text) => text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)
  const old = before === null ? [] : lines(before)
  const now = after === null ? [] : lines(after)
  const names = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ ${after === null ? '/dev/null' : `b/${path}`}`
  const range = (count) => `${Math.min(1, count)},${count}`
  const body = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)].join('\n')
  return { path, patch: `${names}\n@@ -${range(old.length)} +${range(now.length)} @@\n${body}\n` }
}

// An error that a handler throws is a result that the model reads. There is no handler for `run`: it would run commands here.
const handlers = {
  list: async ({ path }) => (await listFiles(path)).join('\n'),
  async read({ path, from = 1, to }) {
    const lines = (await readFile(inside(path), 'utf8')).split('\n').slice(from - 1, to)
    return lines.map((line, i) => `${from + i}| ${line}`).join('\n')
  },
  async search({ query, path }) {
    const found = []
    for (const name of await listFiles(path))
      for (const [i, line] of (await readFile(inside(name), 'utf8')).split('\n').entries())
        if (line.includes(query)) found.push(`${name}:${i + 1}: ${line}`)
    return found.slice(0, 100).join('\n') || 'Nothing was found.'
  },
  async edit({ path, edits }) {
    const before = await readFile(inside(path), 'utf8')
    let after = before
    for (const { find, replace, all } of edits) {
      if (!after.includes(find)) throw new Error(`${path} does not contain ${JSON.stringify(find)}.`)
      after = all ? after.replaceAll(find, () => replace) : after.replace(find, () => replace)
    }
    await writeFile(inside(path), after)
    return { output: `Changed ${path}.`, changes: [change(path, before, after)] }
  },
  async create({ path, content, overwrite }) {
    const before = await readFile(inside(path), 'utf8').catch(() => null)
    if (before !== null && !overwrite) throw new Error(`${path} exists.`)
    await mkdir(dirname(inside(path)), { recursive: true })
    await writeFile(inside(path), content)
    return { output: `Wrote ${path}.`, changes: [change(path, before, content)] }
  },
  async delete({ path }) {
    const before = await readFile(inside(path), 'utf8')
    await rm(inside(path))
    return { output: `Deleted ${path}.`, changes: [change(path, before, null)] }
  },
}

const id =
  process.env.COWRIE_TASK ?? (await cowrie.tasks.create({ workspace: { kind: 'client', name: root } })).id
console.log(`task ${id}`)
if (prompt !== undefined) {
  const { maxMinor, affordable } = await cowrie.tasks.quote(id, { prompt })
  console.log(`It costs at most ${maxMinor}; ${affordable ? 'there is enough.' : 'top up first.'}`)
  await cowrie.tasks.turn(id, { prompt, maxMinor })
}

const turn = await runClientTools(cowrie, id, handlers, {
  onEvent(event) {
    if (event.kind === 'needs_tool')
      console.log(`${event.seq} ${event.tool} ${event.input?.path ?? ''}`.trim())
    if (event.kind === 'change')
      console.log(`${event.seq} ${event.action} ${event.path} +${event.added} -${event.removed}`)
  },
})
console.log(`${turn.stopReason}, cost ${turn.spentMinor}\n${turn.summary ?? ''}`)
