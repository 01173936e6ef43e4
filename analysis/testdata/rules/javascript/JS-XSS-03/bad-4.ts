export function isSafe(link: URL): boolean {
  const unsafe = link.protocol === 'javascript:' // ← here
  return !unsafe
}
