// Lines that a model copied together with numbers that stood before them, as in a listing: `12: return x`.

export type NumberedListing = { readonly lines: readonly string[]; readonly first: number }

/** The lines without their numbers, if every one of them that is not empty has one, in a row. */
export function stripLineNumbers(lines: readonly string[]): NumberedListing | undefined {
  const numbered = lines.map((line) => (line.trim() === '' ? undefined : splitNumber(line)))
  const found = numbered.filter((each) => each !== undefined)
  const [first] = found
  if (!first || found.length < lines.filter((line) => line.trim() !== '').length) return undefined
  const offset = first.number - numbered.indexOf(first)
  if (numbered.some((each, at) => each !== undefined && each.number !== offset + at)) return undefined
  // One blank parts the number from the line, if all lines have it.
  const isParted = found.every(({ text }) => text === '' || text.startsWith(' '))
  return {
    lines: numbered.map((each) => (each === undefined ? '' : isParted ? each.text.slice(1) : each.text)),
    first: offset,
  }
}

function splitNumber(line: string): { number: number; text: string } | undefined {
  const [all, digits] = /^[ \t]{0,8}(\d{1,6})[ \t]{0,2}[:|\t]/.exec(line) ?? []
  return all === undefined ? undefined : { number: Number(digits), text: line.slice(all.length) }
}
