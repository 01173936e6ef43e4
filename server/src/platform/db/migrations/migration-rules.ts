// Rules for migrations that run while the previous release serves: no long locks, no rewrites, and nothing is removed that it uses.
// A statement before which `-- allow: <rule>, <reason>` stands is exempt from that rule.
import { isRefusedOnDivided } from './divided-table-rules.ts'
import { type SqlStatement, statementsOf, type Token } from './sql-statements.ts'

export const MIGRATION_RULES = {
  rewrite: 'rewrites the table under an exclusive lock. Add a column, fill it in batches, and switch to it',
  not_null:
    'reads the whole table under an exclusive lock. Add `check (column is not null) not valid`, validate it in a later file, then set it',
  constraint: 'reads the whole table under a lock. Add it `not valid` and validate it in a later file',
  validate: 'reads the whole table while the lock of `add constraint` is held. Validate it in a later file',
  index: 'blocks writes while the index is built. Use `create index concurrently` in a separate file',
  concurrently:
    'cannot be repeated after an interruption. The file may contain only `drop index concurrently if exists` and, after it, `create index concurrently` for the same index',
  drop: 'breaks the previous release if it uses this. Remove it one release after the last use',
  rename: 'breaks the previous release. Add the new name and remove the old one a release later',
  lock: 'blocks the requests of the previous release',
  whole_table: 'locks every row until the migration ends. Change the rows in batches, in a job',
  divided:
    'is refused where Citus divides this table by organisation. Name constraints, put org_id into keys, and use no trigger, reference or subquery',
  unreadable: 'cannot be checked. Write plain statements',
  allowance: 'is not needed, names no rule, or gives no reason. Write `-- allow: <rule>, <reason>`',
} as const
export type MigrationRule = keyof typeof MIGRATION_RULES

export type MigrationFault = { readonly rule: MigrationRule; readonly statement: string }

const REASON_CHARACTERS_MIN = 10
const EXCERPT_CHARACTERS_MAX = 120
/** Calls in a default that give one value for the whole statement, so that no row is rewritten. */
const STABLE_CALLS = new Set(['now', 'statement_timestamp', 'transaction_timestamp'])
const SERIAL_TYPES = new Set(['serial', 'bigserial', 'smallserial', 'serial4', 'serial8', 'serial2'])
const COLUMN_CLAUSES = new Set([
  'not',
  'check',
  'references',
  'unique',
  'primary',
  'constraint',
  'collate',
  'generated',
])
/** Words that start an action of `alter table`. */
const ACTIONS = new Set([
  ...[
    'add',
    'drop',
    'alter',
    'rename',
    'validate',
    'set',
    'reset',
    'enable',
    'disable',
    'force',
    'no',
    'owner',
  ],
  ...['attach', 'detach', 'replica', 'inherit', 'cluster'],
])
const REWRITING_SETTINGS = ['set logged', 'set unlogged', 'set tablespace', 'set access method']
const BLOCKING_COMMANDS = ['lock', 'vacuum', 'cluster', 'reindex', 'refresh materialized view']
/** Dropping these changes no result of a statement. */
const HARMLESS_DROPS = new Set([
  'index',
  'constraint',
  'trigger',
  'default',
  'not',
  'expression',
  'identity',
  'statistics',
])

/** The rights of the role of the service, which does not exist on every server. */
const ROLE_BLOCK =
  /^do \$\$ begin if exists \(select from pg_roles where rolname = 'cowrie_app'\) then (?:(?:revoke|grant) [^;]+; )+end if; end \$\$$/

type FileFacts = {
  /** Tables that the file creates: nothing uses them yet. */
  readonly created: ReadonlySet<string>
  /** `table constraint` pairs that the file adds. */
  readonly constraints: ReadonlySet<string>
  /** `table column` pairs that a constraint of an earlier file keeps from being null. */
  readonly filled: ReadonlySet<string>
  readonly isConcurrent: boolean
}

/** The faults of a migration. `earlier`: the texts of all migrations before it. */
export function faultsOf(text: string, earlier: readonly string[] = []): MigrationFault[] {
  const statements = statementsOf(text)
  const facts = factsOf(statements, earlier)
  return statements.flatMap((statement, i) => {
    const found = new Set([
      ...rulesBrokenBy(statement, facts),
      ...(isRefusedOnDivided(statement) ? (['divided'] as const) : []),
      ...(facts.isConcurrent && !isRepeatable(statements, i) ? (['concurrently'] as const) : []),
    ])
    const allowances = allowancesOf(statement)
    const allowed = new Set(allowances.map(({ rule }) => rule))
    const unneeded = allowances.filter(
      ({ rule, isExplained }) => !found.has(rule as MigrationRule) || !isExplained,
    )
    const rules = [...found].filter((rule) => !allowed.has(rule))
    if (unneeded.length > 0) rules.push('allowance')
    return rules.map((rule) => ({ rule, statement: excerptOf(statement) }))
  })
}

const excerptOf = ({ text }: SqlStatement): string => plainText(text).slice(0, EXCERPT_CHARACTERS_MAX)

/** Without whole lines of comment, in one line. */
const plainText = (text: string): string =>
  text
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Whether the file builds or drops indexes concurrently, which PostgreSQL refuses inside a transaction. */
export const isConcurrent = (statements: readonly SqlStatement[]): boolean =>
  statements.some(({ tokens }) => hasWords(tokens, 'index concurrently'))

function rulesBrokenBy({ tokens, text }: SqlStatement, facts: FileFacts): MigrationRule[] {
  if (starts(tokens, 'do')) return ROLE_BLOCK.test(plainText(text)) ? [] : ['unreadable']
  if (starts(tokens, 'execute')) return ['unreadable']
  if (BLOCKING_COMMANDS.some((command) => starts(tokens, command)) && !hasWords(tokens, 'concurrently'))
    return ['lock']
  if (starts(tokens, 'truncate'))
    return facts.created.has(nameAfter(tokens, 'truncate', 'table')) ? [] : ['lock']
  if (starts(tokens, 'update') || starts(tokens, 'delete')) {
    const table = nameAfter(tokens, ...(starts(tokens, 'update') ? ['update'] : ['delete', 'from']))
    return hasWords(tokens, 'where') || facts.created.has(table) ? [] : ['whole_table']
  }
  if (starts(tokens, 'create index') || starts(tokens, 'create unique index')) {
    const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'on')
    const table = nameAfter(tokens.slice(at), 'on')
    return hasWords(tokens, 'index concurrently') || facts.created.has(table) ? [] : ['index']
  }
  if (starts(tokens, 'drop')) return HARMLESS_DROPS.has(tokens[1]?.text ?? '') ? [] : ['drop']
  if (starts(tokens, 'alter table')) return alterTable(tokens, facts)
  if (starts(tokens, 'alter') && hasWords(tokens, 'rename')) return ['rename']
  return []
}

function alterTable(tokens: readonly Token[], facts: FileFacts): MigrationRule[] {
  const table = nameAfter(tokens, 'alter', 'table')
  if (facts.created.has(table)) return []
  return actionsOf(tokens).flatMap((action) => actionRules(table, action, facts))
}

function actionRules(table: string, action: readonly Token[], facts: FileFacts): MigrationRule[] {
  if (starts(action, 'rename')) return ['rename']
  if (starts(action, 'drop')) return HARMLESS_DROPS.has(action[1]?.text ?? '') ? [] : ['drop']
  if (REWRITING_SETTINGS.some((setting) => starts(action, setting))) return ['rewrite']
  if (starts(action, 'validate constraint'))
    return facts.constraints.has(`${table} ${action[2]?.text}`) ? ['validate'] : []
  if (starts(action, 'alter')) {
    const column = nameAfter(action, 'alter', 'column')
    if (hasWords(action, 'set data type') || action.at(action[1]?.text === 'column' ? 3 : 2)?.text === 'type')
      return ['rewrite']
    return hasWords(action, 'set not null') && !facts.filled.has(`${table} ${column}`) ? ['not_null'] : []
  }
  if (!starts(action, 'add')) return []
  if (isTableConstraint(action)) return isAddedWithoutScan(action) ? [] : ['constraint']
  return columnRules(action)
}

const isTableConstraint = (action: readonly Token[]): boolean =>
  ['add constraint', 'add check', 'add foreign', 'add unique', 'add primary', 'add exclude'].some((start) =>
    starts(action, start),
  )

const isAddedWithoutScan = (action: readonly Token[]): boolean =>
  hasWords(action, 'not valid') || hasWords(action, 'using index')

/** `add column …`: a constant default is stored once, without touching the rows. */
function columnRules(action: readonly Token[]): MigrationRule[] {
  const broken: MigrationRule[] = []
  const isComputed = hasWords(action, 'generated') || action.some(({ text }) => SERIAL_TYPES.has(text))
  const given = defaultOf(action)
  const isVolatile = given?.some(
    ({ kind, text }, i) => kind === 'word' && given[i + 1]?.text === '(' && !STABLE_CALLS.has(text),
  )
  if (isComputed || isVolatile) broken.push('rewrite')
  if (hasWords(action, 'not null') && !given && !isComputed) broken.push('not_null')
  const isRead = ['check', 'unique', 'primary key'].some((words) => hasWords(action, words))
  if (isRead || (hasWords(action, 'references') && given)) broken.push('constraint')
  return broken
}

/** The expression after `default`, up to the next clause of the column. */
function defaultOf(action: readonly Token[]): readonly Token[] | null {
  const at = action.findIndex(({ kind, text }) => kind === 'word' && text === 'default')
  if (at < 0) return null
  const rest = action.slice(at + 1)
  const end = rest.findIndex(({ kind, text }) => kind === 'word' && COLUMN_CLAUSES.has(text))
  return end < 0 ? rest : rest.slice(0, end)
}

/** The comma-separated actions of `alter table <name> …`. */
function actionsOf(tokens: readonly Token[]): Token[][] {
  const first = tokens.findIndex(({ kind, text }, i) => i > 2 && kind === 'word' && ACTIONS.has(text))
  const actions: Token[][] = [[]]
  let depth = 0
  for (const token of first < 0 ? [] : tokens.slice(first)) {
    if (token.text === '(' && token.kind === 'symbol') depth++
    if (token.text === ')' && token.kind === 'symbol') depth--
    if (depth === 0 && token.kind === 'symbol' && token.text === ',') actions.push([])
    else actions.at(-1)?.push(token)
  }
  return actions
}

function factsOf(statements: readonly SqlStatement[], earlier: readonly string[]): FileFacts {
  const created = statements
    .filter(({ tokens }) => isCreateTable(tokens))
    .map(({ tokens }) => nameAfter(tokens.slice(tokens.findIndex(({ text }) => text === 'table')), 'table'))
  return {
    created: new Set(created),
    constraints: new Set(statements.flatMap(({ tokens }) => constraintsAdded(tokens).map(({ key }) => key))),
    filled: filledBefore(earlier),
    isConcurrent: isConcurrent(statements),
  }
}

const isCreateTable = (tokens: readonly Token[]): boolean =>
  starts(tokens, 'create') && tokens.slice(1, 4).some(({ kind, text }) => kind === 'word' && text === 'table')

type AddedConstraint = { readonly key: string; readonly notNull: string | null }

function constraintsAdded(tokens: readonly Token[]): AddedConstraint[] {
  if (!starts(tokens, 'alter table')) return []
  const table = nameAfter(tokens, 'alter', 'table')
  return actionsOf(tokens)
    .filter((action) => starts(action, 'add constraint'))
    .map((action) => {
      const [, , , check, , column] = action
      const isNotNull = check?.text === 'check' && hasWords(action, 'is not null') && action.length <= 12
      return {
        key: `${table} ${action[2]?.text}`,
        notNull: isNotNull ? `${table} ${column?.text}` : null,
      }
    })
}

/** Columns that a validated check of earlier files keeps from being null. */
function filledBefore(earlier: readonly string[]): Set<string> {
  const checks = new Map<string, string>()
  const filled = new Set<string>()
  for (const { tokens } of earlier.flatMap(statementsOf)) {
    for (const { key, notNull } of constraintsAdded(tokens)) if (notNull !== null) checks.set(key, notNull)
    if (!starts(tokens, 'alter table')) continue
    const table = nameAfter(tokens, 'alter', 'table')
    for (const action of actionsOf(tokens)) {
      const column = starts(action, 'validate constraint') && checks.get(`${table} ${action[2]?.text}`)
      if (column) filled.add(column)
    }
  }
  return filled
}

/** An interrupted build leaves an invalid index, so each build follows a drop of the same index. */
function isRepeatable(statements: readonly SqlStatement[], at: number): boolean {
  const { tokens } = statements[at] as SqlStatement
  if (starts(tokens, 'drop index concurrently if exists')) return true
  if (!isConcurrent([{ text: '', comments: [], tokens }]) || !starts(tokens, 'create')) return false
  const before = statements[at - 1]?.tokens ?? []
  const name = nameAfter(
    tokens.slice(tokens.findIndex(({ text }) => text === 'concurrently')),
    'concurrently',
  )
  return (
    starts(before, 'drop index concurrently if exists') &&
    nameAfter(before, 'drop', 'index', 'concurrently') === name
  )
}

type Allowance = { readonly rule: string; readonly isExplained: boolean }

const allowancesOf = ({ comments }: SqlStatement): Allowance[] =>
  comments.flatMap((comment) => {
    const [, rule, reason = ''] = /^allow:\s*(\w*),?\s*(.*)$/.exec(comment) ?? []
    return rule === undefined ? [] : [{ rule, isExplained: reason.length >= REASON_CHARACTERS_MIN }]
  })

function starts(tokens: readonly Token[], words: string): boolean {
  return words.split(' ').every((word, i) => tokens[i]?.kind === 'word' && tokens[i]?.text === word)
}

function hasWords(tokens: readonly Token[], words: string): boolean {
  return tokens.some((_, i) => starts(tokens.slice(i), words))
}

/** The name after these words, without `if exists`, `only` and the schema. The words that are absent are skipped. */
function nameAfter(tokens: readonly Token[], ...words: string[]): string {
  let at = 0
  for (const word of [...words, 'if', 'not', 'exists', 'only']) if (tokens[at]?.text === word) at++
  return (tokens[at + 1]?.text === '.' ? tokens[at + 2] : tokens[at])?.text ?? ''
}
