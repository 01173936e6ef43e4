export function renderLink(href: string, text: string, isSanitized: boolean): string {
  if (isSanitized) {
    const protocol = decodeURIComponent(href).replace(/[^\w:]/g, '').toLowerCase()
    if (protocol.indexOf('javascript:') === 0) return '' // ← here
  }
  return `<a href="${encodeURI(href)}">${text}</a>`
}
