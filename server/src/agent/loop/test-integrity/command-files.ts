// Finds the files that a test command runs: those it names, and those named by the make targets, package scripts and
// shell scripts that it runs.
import { posix } from 'node:path'
import type { ProjectFiles } from './project-files.ts'
import { isShellScript } from './test-files.ts'

export type CommandFileRole = {
  /** Another program checks its output, so it is the program under test. */
  isRead: boolean
  /** Its exit code is the exit code of the command. */
  isVerdict: boolean
  /** It is loaded before anything else. */
  isPreloaded: boolean
}

const TEXTS_MAX = 32
const TEXT_CHARACTERS = 64_000
const DEPTH_MAX = 4

/** The workspace files that a command names, with their roles. */
export function findCommandFiles(command: string, files: ProjectFiles): Map<string, CommandFileRole> {
  const found = new Map<string, CommandFileRole>()
  const texts: CommandText[] = [{ text: command, folders: [''], depth: 0, isScript: false }]
  const seen = new Set<string>([command])
  for (let at = 0; at < Math.min(texts.length, TEXTS_MAX); at++) {
    const text = texts[at]
    if (text === undefined) break
    for (const next of scanText(text, files, found)) {
      if (seen.has(next.text) || next.depth > DEPTH_MAX) continue
      seen.add(next.text)
      texts.push(next)
    }
  }
  return found
}

type CommandText = {
  readonly text: string
  /** Base folders for relative names. */
  readonly folders: readonly string[]
  readonly depth: number
  readonly isScript: boolean
}
type CommandStage = { readonly words: readonly string[]; readonly isRead: boolean; readonly isLast: boolean }

function scanText(
  text: CommandText,
  files: ProjectFiles,
  found: Map<string, CommandFileRole>,
): CommandText[] {
  const folders = [...text.folders]
  const next: CommandText[] = []
  for (const stage of splitStages(text.text.slice(0, TEXT_CHARACTERS))) {
    trackFolders(stage.words, folders)
    for (const [i, word] of stage.words.entries())
      for (const path of resolvePaths(word, stage.words[i - 1] ?? '', folders, files)) {
        recordRole(found, path, {
          isRead: stage.isRead,
          isVerdict: stage.isLast && !text.isScript,
          isPreloaded: PRELOAD.test(stage.words[i - 1] ?? ''),
        })
        const content = files.get(path) ?? ''
        if (isShellScript(path, content))
          next.push({
            text: content,
            folders: [...folders, posix.dirname(path).replace(/^\.$/, '')],
            depth: text.depth + 1,
            isScript: true,
          })
      }
    for (const script of findToolScripts(stage.words, folders, files))
      next.push({ text: script, folders: [...folders], depth: text.depth + 1, isScript: false })
  }
  return next
}

const PRELOAD =
  /^(-r|-p|--(require|import|loader|experimental-loader|setup|config|env-file|file|reporter|test-reporter|test-global-setup|globalSetup|setupFiles\w*|testEnvironment|runner|preset|bootstrap|plugin)|-c)$/

function recordRole(found: Map<string, CommandFileRole>, path: string, role: CommandFileRole): void {
  const known = found.get(path)
  found.set(path, {
    isRead: role.isRead && (known?.isRead ?? true),
    isVerdict: role.isVerdict || (known?.isVerdict ?? false),
    isPreloaded: role.isPreloaded || (known?.isPreloaded ?? false),
  })
}

/** Commands that do not affect the result. */
const IDLE = new Set(['', 'echo', 'printf', 'true', ':', 'exit', 'fi', 'done', 'cd'])

function splitStages(text: string): CommandStage[] {
  const inner: string[] = []
  // Another command reads the output of a substitution.
  const outer = text
    .replace(/\d?>&\d|&>/g, ' ')
    .replace(/\$\(([^()]{0,2000})\)|`([^`]{0,2000})`/g, (_, a?: string, b?: string) => {
      inner.push(a ?? b ?? '')
      return ' '
    })
  const read = inner.flatMap((part) =>
    splitLine(part).map((stage) => ({ ...stage, isRead: true, isLast: false })),
  )
  return [...outer.split('\n').flatMap(splitLine), ...read]
}

/** They pass on what they read and judge nothing. */
const PASSIVE = new Set(['tee', 'cat', 'head', 'tail', 'less', 'more', 'sed', 'tr', 'ts'])

function splitLine(line: string): CommandStage[] {
  const stages = line.split(/&&|\|\||[;&(){}]/).flatMap((pipeline) => {
    const parts = pipeline.split('|').map((part) => ({ part, words: wordsOf(part) }))
    return parts.map(({ part, words }, i) => ({
      words,
      isRead:
        parts.slice(i + 1).some((reader) => !PASSIVE.has(reader.words[0] ?? '')) || isReadLater(line, part),
    }))
  })
  const last = stages.findLastIndex(({ words }) => !IDLE.has(words[0] ?? ''))
  return stages.map((stage, i) => ({ ...stage, isLast: i === last }))
}

const wordsOf = (part: string): string[] => part.split(/[\s'"`=<>@]+/).filter((word) => word !== '')

/** Whether the output goes to a file that a later part of the line reads. */
function isReadLater(line: string, part: string): boolean {
  const file = />\s*([\w./-]{1,200})/.exec(part)?.[1]
  if (file === undefined || file.startsWith('/dev/')) return false
  return line.slice(line.indexOf(part) + part.length).includes(file)
}

/** Tracks `cd` and options that change the working folder. */
function trackFolders(words: readonly string[], folders: string[]): void {
  for (const [i, word] of words.entries()) {
    const next = words[i + 1]
    if (next === undefined || !/^(cd|pushd|-C|--prefix|--cwd|--dir|--directory)$/.test(word)) continue
    const folder = resolveInside(folders.at(-1) ?? '', next)
    if (folder !== null && folders.length < 16) folders.push(folder)
  }
}

const resolveInside = (folder: string, word: string): string | null => {
  const path = posix.normalize(posix.join(folder, word)).replace(/\/$/, '')
  return path.startsWith('..') || path.startsWith('/') ? null : path === '.' ? '' : path
}

const ENDINGS = [
  '',
  '.js',
  '.cjs',
  '.mjs',
  '.ts',
  '.py',
  '.sh',
  '.rb',
  '/index.js',
  '/__main__.py',
  '/__init__.py',
]

function resolvePaths(
  word: string,
  previous: string,
  folders: readonly string[],
  files: ProjectFiles,
): string[] {
  if (word.length > 400 || word.startsWith('-')) return []
  const name =
    previous === '-m' ? word.replaceAll('.', '/') : word.replace(/^\/project\//, '').replace(/^\$PWD\//, '')
  return folders.flatMap((folder) => {
    const path = resolveInside(folder, name)
    if (path === null || path === '') return []
    if (/[*?]/.test(path)) return [...files.keys()].filter((each) => matches(each, path))
    const ending = ENDINGS.find((each) => files.has(path + each))
    return ending === undefined ? [] : [path + ending]
  })
}

/** Matches `*` and `?` as a shell does. Backtracks only to the last star, so it runs in bounded time. */
function matches(path: string, pattern: string): boolean {
  if (path.split('/').length !== pattern.split('/').length) return false
  let [at, star, from] = [0, -1, 0]
  for (let i = 0; i < path.length; ) {
    const sign = pattern[at]
    if (sign === path[i] || (sign === '?' && path[i] !== '/')) {
      i++
      at++
    } else if (sign === '*') {
      star = at++
      from = i
    } else if (star !== -1 && path[from] !== '/') {
      at = star + 1
      i = ++from
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** The scripts that make, just and package managers run for a command. */
function findToolScripts(
  words: readonly string[],
  folders: readonly string[],
  files: ProjectFiles,
): string[] {
  const uses = (...names: string[]) => names.some((name) => words.includes(name))
  const texts = (...names: string[]) =>
    folders.flatMap((folder) => names.flatMap((name) => files.get(resolveInside(folder, name) ?? '') ?? []))
  const recipes = (text: string) =>
    text
      .slice(0, TEXT_CHARACTERS)
      .split('\n')
      .filter((line) => /^[\t ]+\S/.test(line))
      .map((line) => line.trim().replace(/^[@+-]+/, ''))
      .join('\n')
  return [
    ...(uses('make', 'gmake') ? texts('Makefile', 'makefile', 'GNUmakefile').map(recipes) : []),
    ...(uses('just') ? texts('justfile', 'Justfile').map(recipes) : []),
    ...(uses('npm', 'yarn', 'pnpm', 'bun', 'npx', '--run')
      ? texts('package.json').flatMap((text) => readPackageScripts(text, words))
      : []),
    ...(uses('composer') ? texts('composer.json').flatMap((text) => readPackageScripts(text, words)) : []),
  ]
}

function readPackageScripts(text: string, words: readonly string[]): string[] {
  const wanted = new Set(words.flatMap((word) => (word === 't' ? ['test'] : [word])))
  try {
    const { scripts } = (JSON.parse(text) ?? {}) as { scripts?: Record<string, unknown> }
    return Object.entries(scripts ?? {}).flatMap(([name, script]) =>
      wanted.has(name) || wanted.has(name.replace(/^(pre|post)/, '')) ? [script].flat().map(String) : [],
    )
  } catch {
    return []
  }
}
