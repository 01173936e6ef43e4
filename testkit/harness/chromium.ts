// Finds the browser that opens pages in tests.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function findChromium(): string {
  // The headless shell opens pages much faster.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (!found)
    throw new Error(
      'NO BROWSER: Chromium is not installed, so no page can be tested. Install it (apt-get install chromium-headless-shell); `npm test` does so where it may.',
    )
  return found
}
