// What the elements of HTML are to us: which are blocks, which end another by beginning, which hold nothing to read.

export const HEADINGS: ReadonlySet<string> = words('h1 h2 h3 h4 h5 h6')
export const CELLS: ReadonlySet<string> = words('td th caption')
export const TABLE_PARTS: ReadonlySet<string> = words('table thead tbody tfoot tr td th caption')
export const BLOCKS: ReadonlySet<string> = words(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4',
  'h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary ul table thead tbody tfoot tr td th caption',
)

/** Their text is not markup; two of them are read elsewhere: the title and statements in JSON. */
export const ELSEWHERE: ReadonlySet<string> = words(
  'script style title textarea xmp iframe noembed noframes noscript',
)

/** Tags without content of their own, and those that a page has whether it writes them or not. */
export const PASSED_OVER: ReadonlySet<string> = words(
  'body head html area base basefont bgsound col embed frame frameset img input keygen link param source track wbr colgroup',
)

/** Elements whose content is no text for a reader. */
export const UNREAD: ReadonlySet<string> = words(
  'nav svg template select datalist canvas audio video object map annotation annotation-xml picture progress meter rp',
)

type Implied = { readonly ends: ReadonlySet<string>; readonly within: ReadonlySet<string> }

/** Which open elements end where an element begins, as far up as the ones that hold them together. */
export function impliedBy(name: string): Implied | undefined {
  return IMPLIED.get(name) ?? (BLOCKS.has(name) ? ENDS_PARAGRAPH : undefined)
}

const ENDS_PARAGRAPH: Implied = {
  ends: words('p'),
  within: words(...[...BLOCKS].filter((name) => name !== 'p')),
}
const LISTS = words('ul ol menu dir table td th')
const ITEM: Implied = { ends: words('li'), within: LISTS }
const TERM: Implied = { ends: words('dt dd'), within: words('dl table td th') }
const CELL: Implied = { ends: words('td th'), within: words('tr table') }
const ROW: Implied = { ends: words('tr td th caption'), within: words('table') }
const ROWS: Implied = { ends: words('thead tbody tfoot tr td th caption'), within: words('table') }
const HEADING: Implied = {
  ends: words('p', ...HEADINGS),
  within: words(...[...BLOCKS].filter((name) => name !== 'p' && !HEADINGS.has(name))),
}
const IMPLIED: ReadonlyMap<string, Implied> = new Map([
  ['li', ITEM],
  ['dt', TERM],
  ['dd', TERM],
  ['td', CELL],
  ['th', CELL],
  ['tr', ROW],
  ['thead', ROWS],
  ['tbody', ROWS],
  ['tfoot', ROWS],
  ...[...HEADINGS].map((name): [string, Implied] => [name, HEADING]),
])

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}
