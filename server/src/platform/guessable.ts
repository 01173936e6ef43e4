// Whether a secret was typed by a person instead of drawn at random.

const PLACEHOLDERS =
  /change[-_ ]?(me|this|it)|replace[-_ ]?(me|this|with)|placeholder|pass[-_ ]?w[o0]rd|example|your[-_ ]?\w*[-_ ]?(secret|key)/i
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Placeholders, repetitions and runs such as `abcd` or `qwerty` leave fewer than half of the bytes to chance. */
export function isGuessable(value: string, minBytes: number): boolean {
  return PLACEHOLDERS.test(value) || surprises(value.toLowerCase()) < minBytes / 2
}

/** Characters that follow neither from the run before them nor from the same three characters earlier on. */
function surprises(text: string): number {
  const seen = new Set<string>()
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const tail = text.slice(Math.max(0, at - 2), at + 1)
    if (!seen.has(tail) && !isRun(tail)) count++
    if (tail.length === 3) seen.add(tail)
  }
  return count
}

function isRun(tail: string): boolean {
  const [a = '', b = '', c = ''] = tail
  if (c === '') return false
  const backwards = c + b + a
  return (a === b && b === c) || ROWS.some((row) => row.includes(tail) || row.includes(backwards))
}
