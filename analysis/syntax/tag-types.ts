// tree-sitter-typescript 0.23.2 reads the type arguments of a tagged template (`sql<Row>` before a template) as comparisons.

const CHARS_MAX = 400
const TAG_TYPES = new RegExp(
  `(?<=[\\w$\\])])<(?:[^<>()=/$\`]|<[^<>()=/$\`]{0,${CHARS_MAX}}>){1,${CHARS_MAX}}>(?=\`)`,
  'g',
)

/** The same text with spaces in place of those type arguments, so that every other offset stays as it is. */
export const blankTagTypes = (text: string): string =>
  text.replace(TAG_TYPES, (types) => types.replace(/[^\n]/g, ' '))
