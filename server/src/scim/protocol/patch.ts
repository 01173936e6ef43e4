// PATCH operations of SCIM, in the forms that Okta and Entra ID send.
import { plainAttribute } from './filter.ts'
import { problem } from './messages.ts'

export type Operation = { op: string; path?: string | undefined; value?: unknown }

/** A change of one attribute: its name in lower case such as `name.givenname`, and its new value. */
export type Change = {
  op: 'add' | 'replace' | 'remove'
  attribute: string
  /** The value of `members[value eq "…"]`. */
  selected: string | null
  value: unknown
}

const PATH = /^([A-Za-z][\w.:-]*)(?:\[([^\]]*)\])?(\.[A-Za-z]\w*)?$/
const SELECTION = /^\s*(\w+)\s+eq\s+"([^"\\]*)"\s*$/i

/** The changes in order. An operation without a path has an object with an attribute for each change. */
export const changesOf = (operations: readonly Operation[]): Change[] => operations.flatMap(changesIn)

function changesIn({ op: given, path, value }: Operation): Change[] {
  const op = given.toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw problem('invalidSyntax', 'An operation is none of add, replace and remove.')
  if (path !== undefined && path !== '') {
    const change = changeAt(op, path, value)
    const parts = attributesIn({ [change.attribute]: value })
    return parts.map(([attribute, each]) => ({ ...change, attribute, value: each }))
  }
  if (op === 'remove') throw problem('noTarget', 'A remove operation needs a path.')
  if (!isObject(value))
    throw problem('invalidValue', 'An operation without a path needs an object as its value.')
  return attributesIn(value).map(([attribute, each]) => ({ op, attribute, selected: null, value: each }))
}

function changeAt(op: Change['op'], path: string, value: unknown): Change {
  const [matched, name = '', selection, sub = ''] = PATH.exec(path) ?? []
  if (matched === undefined) throw problem('invalidPath', 'The path of an operation is not valid.')
  const attribute = plainAttribute(name + sub)
  if (selection === undefined) return { op, attribute, selected: null, value }
  const [, by = '', wanted = null] = SELECTION.exec(selection) ?? []
  if (wanted === null)
    throw problem('invalidPath', 'The path of an operation selects with something other than eq.')
  const isByValue = by.toLowerCase() === 'value'
  // Without the selection the operation would change all members.
  if (attribute === 'members' && !isByValue)
    throw problem('invalidPath', 'The path of an operation must select members by their value.')
  return { op, attribute, selected: isByValue ? wanted : null, value }
}

/** `{"name": {"givenName": …}}` and `{"name.givenName": …}` are the same. */
function attributesIn(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const attribute = plainAttribute(name)
    if (attribute !== 'name' || !isObject(each)) return [[attribute, each]]
    return Object.entries(each).map(([part, text]) => [`name.${part.toLowerCase()}`, text])
  })
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Entra ID sends booleans as texts. */
export function booleanOf(value: unknown, attribute: string): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw problem('invalidValue', `${attribute} must be true or false.`)
}

const TEXT_MAX = 200

/** A text of one line; null for an absent or empty one. */
export function textOf(value: unknown, attribute: string): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string' || value.length > TEXT_MAX || /\p{Cc}/u.test(value))
    throw problem(
      'invalidValue',
      `${attribute} must be a text of one line with at most ${TEXT_MAX} characters.`,
    )
  return value.trim() || null
}
