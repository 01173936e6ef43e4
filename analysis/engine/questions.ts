// Methods that answer a question about a value, in all languages.

/** Whether it is among the items. */
export const MEMBERSHIPS: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'contains',
  'containsKey',
  'hasOwnProperty',
  'in_array',
  'hasOwn',
])

/** Whether it is the same text. */
export const EQUALS: ReadonlySet<string> = new Set(['equals', 'equalsIgnoreCase', 'contentEquals'])
