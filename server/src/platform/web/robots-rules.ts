// What of a robots.txt is said to us. The parser keeps each rule once for every name of its group, and a group may name
// hundreds of others: it is handed the rules that concern us and nothing else.

export type ApplicableRules = {
  /** A robots.txt that speaks to everybody and says what was said to us. */
  readonly text: string
  readonly count: number
  /** Of the rules that have wildcards. */
  readonly wildcardCharacters: number
}

const RULES_MAX = 5_000
const CHARACTERS_MAX = 256 * 1024
const NAME = 'user-agent'
const RULES: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay'])

/** The rules for our name or, where nobody thought of us, those for everybody. Beyond the bound, the first of them count. */
export function selectRules(userAgent: string, text: string): ApplicableRules {
  const fields = parseFields(text)
  const named = rulesOf(agentName(userAgent), fields)
  const rules = named.length > 0 ? named : rulesOf('*', fields)
  const wild = rules.filter((rule) => rule.includes('*'))
  return {
    text: [`${NAME}: *`, ...rules].join('\n'),
    count: rules.length,
    wildcardCharacters: wild.reduce((sum, { length }) => sum + length, 0),
  }
}

type Field = { readonly field: string; readonly value: string }

function rulesOf(name: string, fields: readonly Field[]): string[] {
  const rules: string[] = []
  let characters = 0
  let isMeant = false
  let isNaming = false
  for (const { field, value } of fields) {
    // Names that follow each other share the rules that come after them.
    if (field === NAME) isMeant = (isNaming && isMeant) || agentName(value) === name
    isNaming = field === NAME
    if (!isMeant || !RULES.has(field)) continue
    const rule = `${field}: ${encoded(value)}`
    characters += rule.length
    if (rules.length === RULES_MAX || characters > CHARACTERS_MAX) break
    rules.push(rule)
  }
  return rules
}

/** What stands before the first colon of each line and after it; what has nothing there is no field. */
function parseFields(text: string): Field[] {
  const fields: Field[] = []
  for (const line of text.split(/[\r\n]+/)) {
    const comment = line.indexOf('#')
    const said = comment === -1 ? line : line.slice(0, comment)
    const colon = said.indexOf(':')
    const field = said.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (field !== '') fields.push({ field, value: said.slice(colon + 1).trim() })
  }
  return fields
}

/** A name without its version, as it is compared. */
const agentName = (agent: string): string => (agent.split('/', 1)[0] ?? '').trim().toLowerCase()

// As the parser would, so that what is counted is what it keeps.
const encoded = (value: string): string => encodeURI(value.toWellFormed()).replaceAll('%25', '%')
