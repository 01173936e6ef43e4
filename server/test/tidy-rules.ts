// Structure rules of the source. Every rule is a function from files to problems, so that tests can check that it
// reports one.
import { basename, dirname } from 'node:path'
import { contentProblem } from './content-rule.ts'
import type { Source, Token } from './sources.ts'
import { foreignTables, type TableOwners } from './table-owners.ts'

export type Rule = (files: readonly Source[]) => string[]
export type RuleName = keyof ReturnType<typeof tidyRules>
export const LINES_MAX = 400
export const FOLDER_MAX = 14

/**
 * `order`: the capabilities in the order of modules.ts. `packages`: the dependencies of the service. `contentTables`: tables that
 * can have a separate placement. `owners`: the folder that owns each table.
 */
export function tidyRules(
  order: readonly string[],
  packages: readonly string[],
  contentTables: readonly string[],
  owners: TableOwners,
) {
  return {
    direction: eachImport((from, to) => directionProblem(order, from, to)),
    packages: eachImport((_, to) => packageProblem(packages, to)),
    cycles: (files) => cyclesIn(graphOf(files, (path) => path, 'all')),
    folderCycles: (files) => cyclesIn(graphOf(files, folderOf, 'between')),
    sql: eachToken(
      'SQL in a file of descriptions; move it to the file that uses it',
      (tokens, i, path) => isDescription(path) && isStatement(tokens, i),
    ),
    content: eachToken(
      'a statement on content tables goes through `.content` and names no other tables, because they can be in another database',
      (tokens, i) => isStatement(tokens, i) && contentProblem(tokens, i, contentTables),
    ),
    ownership: (files) => files.flatMap((file) => ownershipProblems(owners, file)),
    databaseTime: eachToken(
      'the time of the database; pass the time as a parameter',
      (tokens, i) => isStatement(tokens, i) && isTemplate(tokens[i], DATABASE_TIME),
    ),
    columns: eachToken('select * would expose future columns; name the columns', (tokens, i) =>
      isTemplate(tokens[i], /\bselect\s+(\w+\.)?\*/i),
    ),
    time: eachToken(
      'reads the clock; use tx.now or app.clock',
      (tokens, i, path) =>
        !path.startsWith('kernel/') &&
        (spells(tokens, i, 'Date . now (') || spells(tokens, i, 'new Date ( )')),
    ),
    types: eachToken(
      'any or a non-null assertion',
      (tokens, i) => isAny(tokens, i) || isNonNullAssertion(tokens, i),
    ),
    unconditionalTests: eachToken(
      'a conditional or skipped test',
      (tokens, i) =>
        /^(skip|only|todo|fails|skipIf|runIf)$/.test(tokens[i]?.text ?? '') && isTestMember(tokens, i),
    ),
    threadTasks: eachToken(
      'the file of a worker thread ends with -task.ts, so that the bundle contains it',
      (tokens, i) =>
        spells(tokens, i, 'new URL (') && /(?<!-task|\/thread-main)\.ts'$/.test(tokens[i + 3]?.text ?? ''),
    ),
    silence: eachToken('console; use app.log', (tokens, i) => spells(tokens, i, 'console .')),
    swallowedErrors: eachToken(
      'an empty catch; handle or report the error',
      (tokens, i) =>
        tokens[i]?.text === 'catch' && (spells(tokens, i + 1, '{ }') || spells(tokens, i + 4, '{ }')),
    ),
    folders: (files) =>
      [...Map.groupBy(files, ({ path }) => dirname(path))]
        .filter(([, group]) => group.length > FOLDER_MAX)
        .map(([folder]) => `${folder}: over ${FOLDER_MAX} files`),
    length: (files) =>
      files
        .filter(({ text }) => text.split('\n').length - 1 > LINES_MAX)
        .map(({ path }) => `${path}: over ${LINES_MAX} lines`),
  } satisfies Record<string, Rule>
}

/** Tests are next to the code and do not ship. Fakes and fixtures are in the workspace `testkit`. */
export const isTest = ({ path }: Source): boolean => isTestName(path)

const isTestName = (path: string): boolean => path.endsWith('.test.ts')

/** The capabilities in the order of modules.ts. */
export function moduleOrder(text: string): string[] {
  const list = text.slice(text.indexOf('= ['))
  return [...text.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\/module\.ts'/g)]
    .map(([, name = '', folder = '']) => ({ folder, at: list.search(new RegExp(`\\b${name}\\b`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ folder }) => folder)
}

/** Workspaces that ship with the service. They do not import it. */
const OWN_PACKAGES = /^@cowrie\/(analysis|models|workspace)\//

function directionProblem(order: readonly string[], from: string, to: string): string | undefined {
  if (!to.endsWith('.ts') || OWN_PACKAGES.test(to)) return undefined
  if (to === 'main.ts') return 'main.ts must not be imported'
  if (to.startsWith('..') || to.startsWith('@cowrie/')) return 'production code imports only files in src'
  if (isTestName(to)) return 'production code does not import tests'
  if (basename(to) === 'module.ts' && to !== 'platform/module.ts')
    return from === 'modules.ts' ? undefined : 'only modules.ts imports module.ts files'
  const [here, there] = [layerOf(from), layerOf(to)]
  if (here === there || there === 'kernel') return undefined
  if (here === 'kernel') return 'kernel imports only kernel'
  if (there === 'platform') return undefined
  if (here === 'platform') return 'platform imports only kernel and platform'
  if (there === '') return 'only files next to main.ts import files next to main.ts'
  if (here !== '' && order.indexOf(there) > order.indexOf(here))
    return `${there} comes after ${here} in modules.ts`
  return to === `${there}/${there}.ts`
    ? undefined
    : `import ${there} through its public API, ${there}/${there}.ts`
}

/** `kernel`, `platform`, a capability, or '' for files next to main.ts. */
const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '')

function packageProblem(packages: readonly string[], to: string): string | undefined {
  if (to.endsWith('.ts') || to.startsWith('node:')) return undefined
  const name = to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/')
  return packages.includes(name) ? undefined : `${name} is not a dependency`
}

function eachImport(problemOf: (from: string, to: string) => string | undefined): Rule {
  return (files) =>
    files.flatMap(({ path, imports }) =>
      imports.flatMap((each) => {
        const problem = problemOf(path, each.path)
        return problem ? [`${path}:${each.line} imports ${each.path}: ${problem}`] : []
      }),
    )
}

function eachToken(problem: string, isWrong: (tokens: Token[], at: number, path: string) => boolean): Rule {
  return (files) =>
    files.flatMap(({ path, tokens }) => {
      const found: string[] = []
      for (let i = 0; i < tokens.length; i++)
        if (isWrong(tokens, i, path)) found.push(`${path}:${tokens[i]?.line} ${problem}`)
      return found
    })
}

/** One problem per table, so that an exception names the file and the table. */
function ownershipProblems(owners: TableOwners, { path, tokens }: Source): string[] {
  const lines = new Map<string, number>()
  for (const [i, token] of tokens.entries()) {
    if (!isStatement(tokens, i)) continue
    for (const table of foreignTables(owners, path, tokens, i))
      if (!lines.has(table)) lines.set(table, token.line)
  }
  return [...lines].map(
    ([table, line]) => `${path}:${table}: line ${line} names a table of ${owners.get(table)}`,
  )
}

const spells = (tokens: Token[], at: number, words: string): boolean =>
  words.startsWith(tokens[at]?.text ?? ' ') &&
  words.split(' ').every((word, i) => tokens[at + i]?.text === word)

/** Files that describe endpoints, schemas, settings or the module: they contain no SQL. */
const isDescription = (path: string): boolean =>
  /(^|[/-])(routes|schema|module|settings)\.ts$|^kernel\//.test(path) || !path.includes('/')
const isTemplate = (token: Token | undefined, pattern: RegExp): boolean =>
  token?.kind === 'template' && pattern.test(token.text)

const DATABASE_TIME =
  /\b((now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|current_(timestamp|date|time))/i
const STATEMENT =
  /^`\s*(select|insert|update|delete|with|create|alter|drop|call|listen|unlisten|notify|set|truncate|lock|begin|commit)\b/i

/** A tagged template that starts like SQL, or a call of `.unsafe`. */
function isStatement(tokens: Token[], i: number): boolean {
  const [before, token] = [tokens[i - 1], tokens[i]]
  if (token?.text === 'unsafe') return before?.text === '.'
  const tag = token?.adjacent && (before?.kind === 'word' || before?.text === '>') ? before.text : 'raw'
  return tag !== 'raw' && isTemplate(token, STATEMENT)
}

function isAny(tokens: Token[], i: number): boolean {
  const isWord = tokens[i]?.kind === 'word' && tokens[i]?.text === 'any'
  return isWord && tokens[i - 1]?.text !== '.' && ![':', '('].includes(tokens[i + 1]?.text ?? '')
}

function isNonNullAssertion(tokens: Token[], i: number): boolean {
  const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]]
  if (token?.text !== '!' || !token.adjacent || next?.text === '=') return false
  return before?.kind === 'word' || before?.text === ')' || before?.text === ']'
}

const isTestMember = (tokens: Token[], i: number): boolean =>
  tokens[i - 1]?.text === '.' && /^(test|it|describe)$/.test(tokens[i - 2]?.text ?? '')

type Graph = Map<string, Set<string>>

/** The import graph. `between` leaves out type-only imports and imports within one node. */
function graphOf(
  files: readonly Source[],
  nodeOf: (path: string) => string,
  which: 'all' | 'between',
): Graph {
  const graph: Graph = new Map()
  for (const { path, imports } of files) {
    const from = nodeOf(path)
    const loads = imports
      .filter((each) => (which === 'all' || !each.typeOnly) && each.path.endsWith('.ts'))
      .map((each) => nodeOf(each.path))
      .filter((to) => to !== '' && (which === 'all' || to !== from))
    if (from !== '') graph.set(from, new Set([...(graph.get(from) ?? []), ...loads]))
  }
  return graph
}

/** The capability, or the part of platform. Files directly in src or platform belong to none. */
function folderOf(path: string): string {
  const folders = dirname(path).split('/')
  if (folders[0] === 'platform')
    return folders
      .slice(0, 2)
      .join('/')
      .replace(/^platform$/, '')
  return folders[0] === '.' ? '' : (folders[0] ?? '')
}

/** One line per cycle, starting with its first member by name. */
function cyclesIn(graph: Graph): string[] {
  const cycles = new Set<string>()
  const done = new Set<string>()
  const visit = (node: string, trail: string[]) => {
    const start = trail.indexOf(node)
    if (start >= 0) cycles.add(nameCycle(trail.slice(start)))
    if (start >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return [...cycles]
}

function nameCycle(members: string[]): string {
  const first = members.indexOf([...members].sort()[0] ?? '')
  const turned = [...members.slice(first), ...members.slice(0, first)]
  return `${turned[0]}: ${[...turned, turned[0]].join(' → ')}`
}
