const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export function image(source: string, text: string): string {
  return '<img src="' + escapeHtml(source) + '" alt="' + escapeHtml(text) + '">'
}
