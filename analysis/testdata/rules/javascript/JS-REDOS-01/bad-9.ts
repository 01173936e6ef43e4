export function pattern() {
  const parts = ['(?:a+)+c', 'b$'].join('|')
  return new RegExp(parts, 'g') // ← here
}
