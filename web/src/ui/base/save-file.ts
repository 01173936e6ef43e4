// Downloads a file that was created in the browser.

/** No event tells when the browser has read the file; on a slow machine that takes many seconds. */
const READ_WITHIN_MS = 60_000

export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS)
}
