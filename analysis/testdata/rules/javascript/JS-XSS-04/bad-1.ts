export function clean(html: string): string {
  return html.replace(/<script[^>]*>[\s\S]*?<\/script>/gi, '') // ← here
}
