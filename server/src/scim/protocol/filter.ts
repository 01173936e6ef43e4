// Filters of SCIM lists: `attribute eq "value"`, several of them joined by `and`. Directory services send no others.
import { problem } from './messages.ts'

export type Conditions<A extends string> = { [attribute in A]?: string }

const CHARACTERS_MAX = 1_000
const CONDITIONS_MAX = 5
const CONDITION =
  /^\s*([A-Za-z][\w.:-]{0,150})(\[\s*type\s+eq\s+"\w{1,30}"\s*\])?(\.value)?\s+([A-Za-z]{2})(?:\s+|$)/
const STRING = /^"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/
const AND = /^\s+and\s+/i

/** The wanted value of each attribute. Throws `invalidFilter` for attributes other than `allowed`. */
export function parseFilter<A extends string>(
  filter: string | undefined,
  allowed: readonly A[],
): Conditions<A> {
  const conditions: Conditions<A> = {}
  if (filter === undefined) return conditions
  if (filter.length > CHARACTERS_MAX) throw invalid(`is longer than ${CHARACTERS_MAX} characters`)
  let rest = filter
  for (let count = 1; ; count++) {
    if (count > CONDITIONS_MAX) throw invalid(`has more than ${CONDITIONS_MAX} conditions`)
    const [head, name = '', , suffix = '', operator = ''] = CONDITION.exec(rest) ?? []
    if (head === undefined) throw invalid('is not of the form: attribute eq "value"')
    if (operator.toLowerCase() !== 'eq') throw invalid(`uses ${operator}; only eq and and are supported`)
    const attribute = findAttribute(name + suffix, allowed)
    if (!attribute) throw invalid(`uses ${name}; use ${allowed.join(', ')}`)
    if (Object.hasOwn(conditions, attribute)) throw invalid(`compares ${attribute} twice`)
    rest = rest.slice(head.length)
    const [text] = STRING.exec(rest) ?? []
    if (text === undefined) throw invalid(`must compare ${attribute} with a text in double quotes`)
    const value = String(JSON.parse(text))
    if (value.includes('\u0000') || !value.isWellFormed())
      throw invalid('has a character that no value contains')
    conditions[attribute] = value
    rest = rest.slice(text.length)
    if (rest.trim() === '') return conditions
    const [and] = AND.exec(rest) ?? []
    if (and === undefined) throw invalid('must join conditions with and')
    rest = rest.slice(and.length)
  }
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** The attribute without its schema, in lower case. Names of attributes have no case. */
export const plainAttribute = (name: string): string => name.toLowerCase().replace(CORE, '')

function findAttribute<A extends string>(name: string, allowed: readonly A[]): A | undefined {
  const plain = plainAttribute(name)
  return allowed.find((each) => each.toLowerCase() === plain || each.toLowerCase() === `${plain}.value`)
}

const invalid = (fault: string) => problem('invalidFilter', `The filter ${fault}.`)
