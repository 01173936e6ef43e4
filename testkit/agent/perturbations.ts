// Typical quotation mistakes of models, applied to hunks with a known result.

/** A hunk that matches line `start` of the file and nothing else. */
export type KnownHunk = { path: string; text: string; start: number; find: string[]; with: string[] }

/** The hunk with the mistake; undefined if the mistake changes nothing. */
export type Perturbation = (hunk: KnownHunk) => Pick<KnownHunk, 'find' | 'with'> | undefined

export const perturbations: Readonly<Record<string, Perturbation>> = {
  none: ({ find, with: after }) => ({ find, with: after }),
  'trailing spaces': ({ find, with: after }) => ({ find: find.map((line) => `${line}  `), with: after }),
  'trailing spaces everywhere': each((line) => `${line}  `),
  outdented: (hunk) => {
    const depth = Math.min(...[...hunk.find, ...hunk.with].filter(isText).map(depthOf))
    return depth > 0 ? each((line) => line.slice(depth))(hunk) : undefined
  },
  'tabs for spaces': each((line) => {
    const depth = depthOf(line)
    return '\t'.repeat(Math.floor(depth / 2)) + ' '.repeat(depth % 2) + line.slice(depth)
  }),
  'four spaces for two': each((line) => ' '.repeat(depthOf(line)) + line),
  CRLF: each((line) => `${line}\r`),
  'curly quotes': (hunk) => (hunk.find.some((line) => /['"]/.test(line)) ? each(curled)(hunk) : undefined),
  'blank lines dropped': dropping((line) => !isText(line)),
  'comment lines dropped': dropping((line) => /^\s*\/\//.test(line)),
  'blank edges': ({ find, with: after }) => ({ find: ['', ...find, ''], with: ['', ...after, ''] }),
}

/** The expected text. */
export function outcomeOf({ text, start, find, with: after }: KnownHunk): string {
  const lines = text.split('\n')
  return [...lines.slice(0, start), ...after, ...lines.slice(start + find.length)].join('\n')
}

const isText = (line: string): boolean => line.trim() !== ''
const depthOf = (line: string): number => line.length - line.trimStart().length

/** The same mistake in all lines; undefined if no quoted line changes. */
function each(slip: (line: string) => string): Perturbation {
  return ({ find, with: after }) => {
    const slipped = (line: string) => (isText(line) ? slip(line) : line)
    const quoted = find.map(slipped)
    return quoted.some((line, i) => line !== find[i]) ? { find: quoted, with: after.map(slipped) } : undefined
  }
}

/** Drops lines wherever the file was quoted: in FIND, and in WITH where it repeats FIND. */
function dropping(isDropped: (line: string) => boolean): Perturbation {
  return ({ find, with: after }) => {
    const [head, tail] = [sharedHead(find, after), sharedTail(find, after)]
    const isShared = (i: number, length: number) => i < head || i >= length - tail
    const keep = (lines: string[]) =>
      lines.filter((line, i) => !(isShared(i, lines.length) && isDropped(line)))
    const quoted = keep(find)
    const isEdge = isDropped(find[0] ?? '') || isDropped(find.at(-1) ?? '')
    return quoted.length < find.length && quoted.some(isText) && !isEdge
      ? { find: quoted, with: keep(after) }
      : undefined
  }
}

function sharedHead(left: readonly string[], right: readonly string[]): number {
  const differs = left.findIndex((line, i) => line !== right[i])
  return differs < 0 ? left.length : differs
}

function sharedTail(left: readonly string[], right: readonly string[]): number {
  const room = Math.min(left.length, right.length) - sharedHead(left, right)
  const same = sharedHead(left.toReversed(), right.toReversed())
  return Math.min(room, same)
}

function curled(line: string): string {
  let isOpen = false
  return line.replace(/['"]/g, (quote) => {
    isOpen = !isOpen
    if (quote === "'") return isOpen ? '\u2018' : '\u2019'
    return isOpen ? '\u201c' : '\u201d'
  })
}
