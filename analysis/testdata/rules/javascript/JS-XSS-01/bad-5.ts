export function image(source: string, text: string): string {
  return '<img src="' + source + '" alt="' + text + '">' // ← here
}
