// Parses a Dockerfile and runs its steps in folders of this machine, without Docker.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Step = { readonly word: string; readonly rest: string }
export type Stage = { readonly name: string; readonly from: string; readonly steps: readonly Step[] }
/** A finished stage: its root folder, working directory and variables. */
export type BuiltStage = {
  readonly root: string
  readonly variables: Record<string, string>
  readonly home: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: { name: string; from: string; steps: Step[] }[] = []
  for (const line of lines) {
    const [word = '', rest = ''] = line.split(/\s+(.*)/s)
    const [, from, name] = word === 'FROM' ? (/^(\S+) AS (\S+)$/.exec(rest) ?? []) : []
    if (from !== undefined && name !== undefined) stages.push({ name, from, steps: [] })
    else stages.at(-1)?.steps.push({ word, rest })
  }
  return stages
}

/** Returns a filter for files that are sent to the builder: the last matching line of .dockerignore decides. */
export function contextFilter(ignore: string): (path: string) => boolean {
  const rules = ignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isWanted: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => {
    const above = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))
    return rules.findLast(({ pattern }) => above.some((each) => pattern.test(each)))?.isWanted ?? true
  }
}

/** Docker's syntax: a star also matches names that start with a dot. */
function patternOf(glob: string): RegExp {
  const text = glob.replaceAll(/\*\*\/|\*|[^\w/]/g, (part) =>
    part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : `\\${part}`,
  )
  return new RegExp(`^${text}$`)
}

/** Runs the steps of a stage below `folder`, and those of the stages that it copies from. */
export function build(stages: readonly Stage[], name: string, folder: string): BuiltStage {
  const built = new Map<string, BuiltStage>()
  const isSent = contextFilter(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))
  const programs = createFakePrograms(join(folder, 'programs'))

  const make = (wanted: string): BuiltStage => {
    const known = built.get(wanted)
    if (known) return known
    const stage = stages.find((each) => each.name === wanted)
    if (!stage) throw new Error(`there is no stage ${wanted}`)
    const base = stages.some((each) => each.name === stage.from) ? make(stage.from) : undefined
    const root = base?.root ?? join(folder, wanted)
    mkdirSync(root, { recursive: true })
    let home = base?.home ?? '/'
    const variables: Record<string, string> = { ...base?.variables }
    const inside = (path: string) => join(root, path.startsWith('/') ? path : join(home, path))
    const steps: Record<string, (rest: string) => void> = {
      WORKDIR: (rest) => {
        home = rest
        mkdirSync(inside(rest), { recursive: true })
      },
      ENV: (rest) => {
        const [variable = '', value = ''] = rest.split(/=(.*)/s)
        variables[variable] = value.startsWith('/') ? inside(value) : value.startsWith('$') ? '' : value
      },
      COPY: (rest) => {
        const [, other, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
        const words = paths.split(' ')
        const to = inside(words.at(-1) ?? '')
        for (const path of words.slice(0, -1)) {
          const into = words.at(-1)?.endsWith('/') ? join(to, path.split('/').at(-1) ?? '') : to
          // The other stage is not used again, so its files can be moved.
          if (other) moveTo(join(make(other).root, path), into)
          else sendFromRepository(isSent, path, into)
        }
      },
      RUN: (rest) => {
        const command = rest.replaceAll(/(?<=\s)\/(?=cowrie|data)/g, `${root}/`)
        execFileSync('sh', ['-c', command], {
          cwd: inside('.'),
          env: { ...variables, PATH: `${programs}:${process.env.PATH}`, HOME: folder },
          stdio: 'pipe',
        })
      },
    }
    for (const { word, rest } of stage.steps) steps[word]?.(rest)
    const done = { root, variables, home: inside('.') }
    built.set(wanted, done)
    return done
  }
  return make(name)
}

function moveTo(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

function sendFromRepository(isSent: (path: string) => boolean, path: string, to: string): void {
  const from = join(ROOT, path)
  if (!existsSync(from)) throw new Error(`COPY of ${path}, which does not exist`)
  const sent = filesOf(path).filter(isSent)
  if (sent.length === 0) throw new Error(`COPY of ${path}, of which .dockerignore leaves nothing`)
  for (const file of sent) {
    const into = join(to, file.slice(path.length))
    mkdirSync(dirname(into), { recursive: true })
    cpSync(join(ROOT, file), into)
  }
}

const NEVER_SENT = new Set(['node_modules', 'dist', '.cache', '.git'])

function filesOf(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => !NEVER_SENT.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}

/** Fakes for `npm ci`, which copies the installed packages instead of calling a registry, and for `chown`, which does nothing. */
function createFakePrograms(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const words = [process.execPath, fileURLToPath(new URL('npm-ci.mjs', import.meta.url)), ROOT]
  const npm = `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`
  for (const [name, text] of [
    ['npm', npm],
    ['chown', '#!/bin/sh\n'],
  ] as const) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}
