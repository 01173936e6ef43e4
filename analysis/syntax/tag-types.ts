// tree-sitter-typescript 0.23.2 reads the type arguments of a tagged template (`sql<Row>` before a template) as comparisons.

const CHARS_MAX = 400
const TAG_TYPES = new RegExp(
  `(?<=[\\w$\\])])<(?:[^<>()=/$\`]|<[^<>()=/$\`]{0,${CHARS_MAX}}>){1,${CHARS_MAX}}>(?=\`)`,
  'g',
)

/** Replaces these type arguments with spaces, so that all other offsets are unchanged. */
export const blankTagTypes = (text: string): string =>
  text.replace(TAG_TYPES, (types) => types.replace(/[^\n]/g, ' '))
