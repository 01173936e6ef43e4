export function heading(text: string, marks: string[]) {
  if (marks.length > 1) return text
  return text.replace(/(?:\s*#)+$/, '') // ← here
}
