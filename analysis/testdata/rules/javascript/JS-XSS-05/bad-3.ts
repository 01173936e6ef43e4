// `&#106;avascript:` in the input stays an entity, and the browser decodes it.
export function escapeHTML(text: string): string {
  return text.replace(/&(?!\w+;)/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;') // ← here
}
