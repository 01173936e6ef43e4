// Groups of HTML elements: blocks, elements that end others implicitly, and elements without text.

export const HEADINGS: ReadonlySet<string> = toSet('h1 h2 h3 h4 h5 h6')
export const CELLS: ReadonlySet<string> = toSet('td th caption')
export const TABLE_PARTS: ReadonlySet<string> = toSet('table thead tbody tfoot tr td th caption')
export const BLOCKS: ReadonlySet<string> = toSet(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4',
  'h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary ul table thead tbody tfoot tr td th caption',
)

/** Their content is not markup. The title and JSON-LD are read separately. */
export const RAW_TEXT: ReadonlySet<string> = toSet(
  'script style title textarea xmp iframe noembed noframes noscript',
)

/** Elements without content, and those that a page has implicitly. */
export const IGNORED_TAGS: ReadonlySet<string> = toSet(
  'body head html area base basefont bgsound col embed frame frameset img input keygen link param source track wbr colgroup',
)

/** Elements without readable text. */
export const NON_TEXT: ReadonlySet<string> = toSet(
  'nav svg template select datalist canvas audio video object map annotation annotation-xml picture progress meter rp',
)

type ImpliedEnds = { readonly ends: ReadonlySet<string>; readonly within: ReadonlySet<string> }

/** Which open elements an element ends when it starts, and where the search for them stops. */
export function findImpliedEnds(name: string): ImpliedEnds | undefined {
  return IMPLIED.get(name) ?? (BLOCKS.has(name) ? ENDS_PARAGRAPH : undefined)
}

const ENDS_PARAGRAPH: ImpliedEnds = {
  ends: toSet('p'),
  within: toSet(...[...BLOCKS].filter((name) => name !== 'p')),
}
const LISTS = toSet('ul ol menu dir table td th')
const ITEM: ImpliedEnds = { ends: toSet('li'), within: LISTS }
const TERM: ImpliedEnds = { ends: toSet('dt dd'), within: toSet('dl table td th') }
const CELL: ImpliedEnds = { ends: toSet('td th'), within: toSet('tr table') }
const ROW: ImpliedEnds = { ends: toSet('tr td th caption'), within: toSet('table') }
const ROWS: ImpliedEnds = { ends: toSet('thead tbody tfoot tr td th caption'), within: toSet('table') }
const HEADING: ImpliedEnds = {
  ends: toSet('p', ...HEADINGS),
  within: toSet(...[...BLOCKS].filter((name) => name !== 'p' && !HEADINGS.has(name))),
}
const IMPLIED: ReadonlyMap<string, ImpliedEnds> = new Map([
  ['li', ITEM],
  ['dt', TERM],
  ['dd', TERM],
  ['td', CELL],
  ['th', CELL],
  ['tr', ROW],
  ['thead', ROWS],
  ['tbody', ROWS],
  ['tfoot', ROWS],
  ...[...HEADINGS].map((name): [string, ImpliedEnds] => [name, HEADING]),
])

function toSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}
