// The limit on pages that one process fetches at the same time, allowlisted hosts included.
import type { RequestListener } from 'node:http'
import { openTestWeb, refusal, site, unending } from '@cowrie/testkit/platform/web.ts'
import { expect, test } from 'vitest'

const plain = { 'content-type': 'text/plain' }

/** A site that holds every response until the test releases it. */
async function patient() {
  const held: (() => void)[] = []
  const open = { now: 0, most: 0 }
  const answer: RequestListener = (_, response) => {
    open.now++
    open.most = Math.max(open.most, open.now)
    held.push(() => {
      open.now--
      response.writeHead(200, plain).end('a page')
    })
  }
  return { ...(await site(answer)), held, open }
}

test('a process fetches at most 24 pages at the same time and queues the others', async () => {
  const { origin, rules, held, open } = await patient()
  const fetchPage = openTestWeb()
  const outcomes = Array.from({ length: 40 }, (_, n) =>
    refusal(fetchPage(`${origin}/${n}`, rules, unending())),
  )
  for (let n = 0; n < 40; n++) {
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(Math.min(40, n + 24))
    held[n]?.()
  }
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set([null]))
  expect(open.most).toBe(24)
})

test('a page that waits too long in the queue times out', async () => {
  const { origin, rules, held } = await patient()
  const fetchPage = openTestWeb({ limits: { queueMs: 500 } })
  expect(await refusal(fetchPage(`${origin}/robots.txt`, rules, unending()))).toBe('http_404')
  const outcomes = Array.from({ length: 25 }, (_, n) =>
    refusal(fetchPage(`${origin}/${n}`, rules, unending())),
  )
  expect(await outcomes[24]).toBe('timeout')
  await expect.poll(() => held.length).toBe(24)
  for (const answer of held) answer()
  expect(new Set(await Promise.all(outcomes.slice(0, 24)))).toEqual(new Set([null]))
})
