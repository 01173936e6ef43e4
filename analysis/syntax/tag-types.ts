// tree-sitter-typescript 0.23.2 reads the type arguments of a tagged template (`sql<Row>` before a template) as comparisons.

const CHARS_MAX = 400
const TAG_TYPES = new RegExp(
  `(?<=[\\w$\\])])<(?:[^<>()=/$\`]|<[^<>()=/$\`]{0,${CHARS_MAX}}>){1,${CHARS_MAX}}>(?=\`)`,
  'g',
)

/** Replaces these type arguments with spaces, so that all other offsets are unchanged. */
export const blankTagTypes = (text: string): string =>
  text.replace(TAG_TYPES, (types) => types.replace(/[^\n]/g, ' '))

// tree-sitter-kotlin 1.1.0 reads the type arguments of a call as comparisons if a keyword follows on the next line.
const CALL_TYPES = /(?<=\w)<[A-Z][\w.,<>?* ]{0,200}>(?=\s?[({])/g

/** Replaces the type arguments of calls with spaces. */
export const blankCallTypes = (text: string): string =>
  text.replace(CALL_TYPES, (types) => ' '.repeat(types.length))
