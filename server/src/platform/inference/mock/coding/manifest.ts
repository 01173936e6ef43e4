// Edits JSON files by key: scripts and dependencies of a package, or any key of any file.
import type { Clause } from './clauses.ts'
import { indentOf } from './language.ts'
import { pathsIn, quotedIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { type Workspace, write } from './workspace.ts'

type Json = Record<string, unknown>

export function editJson(clause: Clause, workspace: Workspace): Doing | null {
  if (!/\b(add|set|change|update|bump|include|put)\b/i.test(clause.text)) return null
  const path = jsonPath(clause, workspace)
  const text = path === undefined ? undefined : workspace.files.get(path)
  const edit = editIn(clause)
  const json = text === undefined ? null : parsed(text)
  if (path === undefined || text === undefined || edit === null || json === null) return null

  const [keys, value] = edit
  const changed = withKey(json, keys, value)
  write(workspace, path, `${JSON.stringify(changed, null, indentOf(text) ?? 2)}\n`, `set ${keys.join('.')}`)
  return {
    steps: [`Set \`${keys.join('.')}\` in ${path} to ${JSON.stringify(value)}.`],
    said: `Set \`${keys.join('.')}\` to ${JSON.stringify(value)} in ${path}.`,
  }
}

function jsonPath(clause: Clause, workspace: Workspace): string | undefined {
  const named = pathsIn(clause, workspace).find((path) => path.endsWith('.json') && workspace.files.has(path))
  const isPackage = /\b(npm )?(script|dependency|devdependency)\b/i.test(clause.text)
  return named ?? (isPackage && workspace.files.has('package.json') ? 'package.json' : undefined)
}

/** Which key gets which value. */
function editIn(clause: Clause): readonly [keys: readonly string[], value: unknown] | null {
  const { text } = clause
  const script =
    /\b[`"']?([\w:-]+)[`"']?\s+script\b/i.exec(text)?.[1]?.replace(/^(an?|the|npm|new)$/i, '') ||
    /\bscript\s+(?:called\s+|named\s+)?[`"']?([\w:-]+)/i.exec(text)?.[1]
  if (script && !/\.json$/.test(script)) {
    const command = quotedIn(clause).findLast((each) => each !== script && !each.endsWith('.json'))
    return command === undefined ? null : [['scripts', script], command]
  }
  const dependency =
    /\b(dev ?)?dependency\s+(?:on\s+)?[`"']?([@\w/.-]*\w)/i.exec(text) ??
    /\b[`"']?([@\w/.-]+)[`"']?\s+as a (dev ?)?dependency/i.exec(text)
  if (dependency !== null) {
    const name = dependency.slice(1).find((each) => each !== undefined && !/^dev ?$/i.test(each)) ?? ''
    const version = /\b(?:version\s+)?([~^]?\d+\.\d+\.\d+)\b/.exec(text)?.[1] ?? 'latest'
    return [[/\bdev/i.test(text) ? 'devDependencies' : 'dependencies', name], version]
  }
  const [, key, raw] =
    /\b(?:set|change|update|bump|add)\s+(?:the\s+|a\s+)?(?:key\s+|field\s+|property\s+)?[`"']?([\w-]+)[`"']?\s+(?:field\s+|key\s+)?(?:to|=|as|with(?: the)? value)\s+[`"']?([^\s`"',]+)/i.exec(
      text,
    ) ?? []
  return key === undefined || raw === undefined ? null : [[key], scalar(raw.replace(/\.$/, ''))]
}

function scalar(raw: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(raw)) return Number(raw)
  return raw === 'true' ? true : raw === 'false' ? false : raw === 'null' ? null : raw
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function withKey(json: Json, [key = '', ...rest]: readonly string[], value: unknown): Json {
  const inner = Object.hasOwn(json, key) ? json[key] : undefined
  const set = rest.length === 0 ? value : withKey(isObject(inner) ? inner : {}, rest, value)
  // Built from entries, so that no key, whatever it is called, is anything but a key.
  return Object.fromEntries([
    ...Object.entries(json)
      .filter(([each]) => each !== key || Object.hasOwn(json, key))
      .map(([each, old]) => [each, each === key ? set : old] as const),
    ...(Object.hasOwn(json, key) ? [] : [[key, set] as const]),
  ])
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
