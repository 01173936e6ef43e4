// Rebuilds the output of a tool from an earlier one and the difference that the caller sent.

/** New text; `[from, count]` lines of the base; `[from, count, number, width]` such lines with other numbers. */
export type OutputDelta = readonly (string | readonly number[])[]

const WIDTH_MAX = 16

/** Null if the parts do not fit the base. `too_large` if the output would exceed the limit: nothing larger is built. */
export function rebuildOutput(
  base: string,
  delta: OutputDelta,
  charactersMax: number,
): { readonly text: string } | 'too_large' | null {
  if (delta.length === 0) return { text: base }
  const starts = lineStarts(base)
  const texts: string[] = []
  let room = charactersMax
  for (const part of delta) {
    const copied = typeof part === 'string' ? [part] : copyLines(base, starts, part, room)
    if (copied === null) return null
    for (const text of copied) {
      room -= text.length
      texts.push(text)
    }
    if (room < 0) return 'too_large'
  }
  return { text: texts.join('') }
}

/** Where each line begins, and where the last one ends. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  return starts
}

/** Stops after the room is used up. */
function copyLines(
  base: string,
  starts: readonly number[],
  [from = 0, count = 0, number, width]: readonly number[],
  room: number,
): string[] | null {
  const end = from + count
  if (end >= starts.length) return null
  if (number === undefined) return [base.slice(starts[from], starts[end])]
  if (width === undefined || width > WIDTH_MAX) return null
  const lines: string[] = []
  let characters = 0
  for (let i = from; i < end && characters <= room; i++) {
    const line = base.slice(starts[i], starts[i + 1])
    if (!/^ *\d+\| /.test(line)) return null
    const text = `${String(number + i - from).padStart(width)}${line.slice(line.indexOf('|'))}`
    characters += text.length
    lines.push(text)
  }
  return lines
}
