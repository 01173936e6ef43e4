// Counts the bytes of a page on the wire, with headers, in both directions.
import type { Page } from 'playwright-core'

export type WireCount = {
  total(): { down: number; up: number; requests: number }
  /** The heaviest addresses. */
  largest(count: number): { name: string; down: number; up: number }[]
}

export async function countWire(page: Page): Promise<WireCount> {
  const session = await page.context().newCDPSession(page)
  const names = new Map<string, string>()
  const found = new Map<string, { down: number; up: number }>()
  const at = (id: string) => {
    const entry = found.get(id) ?? { down: 0, up: 0 }
    found.set(id, entry)
    return entry
  }
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    names.set(requestId, `${request.method} ${new URL(request.url).pathname}`)
    const entry = at(requestId)
    for (const { bytes } of request.postDataEntries ?? [])
      entry.up += Buffer.from(bytes ?? '', 'base64').length
  })
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    at(requestId).up += Object.entries(headers).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    )
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    at(requestId).down += response.encodedDataLength
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    at(requestId).down += encodedDataLength
  })
  await session.send('Network.enable')
  return {
    total: () => ({ ...sum([...found.values()]), requests: names.size }),
    largest(count) {
      const groups = Map.groupBy(found, ([id]) => names.get(id) ?? 'unknown')
      return [...groups]
        .map(([name, entries]) => ({ name, ...sum(entries.map(([, entry]) => entry)) }))
        .sort((a, b) => b.down + b.up - a.down - a.up)
        .slice(0, count)
    },
  }
}

const sum = (entries: readonly { down: number; up: number }[]) => ({
  down: entries.reduce((all, { down }) => all + down, 0),
  up: entries.reduce((all, { up }) => all + up, 0),
})
