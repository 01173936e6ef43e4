// A fake search engine, web pages and a model in one process. They answer after fixed delays and measure how long the service
// waited for them.
import { setTimeout as pause } from 'node:timers/promises'
import { startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { startWeb } from '@cowrie/testkit/fakes/web-pages.ts'
import { scriptedModel } from '@cowrie/testkit/research/model-script.ts'
import type { Message } from '../../src/platform/inference/inference.ts'
import { answer } from '../processes.ts'

export type WebQuestion = 'variables' | 'times'
/** Since the last question. Overlapping waits count once. */
export type WebTimes = { waitedMs: number; searches: number; pages: number; turns: number }

const SEARCH_MS = 150
const PAGE_MS = 200
const TURN_MS = 800
/** Only well-behaved pages. A page that never answers would only measure our timeout. */
const GOOD =
  /^\/(harbour-review|coast-daily|trade-notes|makoro-observer)\/|^\/(yearbook\.pdf|fr\/port|notices\.txt|tides\.md|ships|zipped)$/

const nothing = (): WebTimes => ({ waitedMs: 0, searches: 0, pages: 0, turns: 0 })
let times = nothing()
let open = 0
let openSinceMs = 0

function begin(what: 'searches' | 'pages' | 'turns', afterMs: number): Promise<void> {
  times[what]++
  if (open++ === 0) openSinceMs = performance.now()
  return pause(afterMs).then(() => {
    if (--open === 0) times.waitedMs += performance.now() - openSinceMs
  })
}

const web = await startWeb()
web.show(web.pages.map(({ path }) => path).filter((path) => GOOD.test(path)))
web.wait(() => begin('pages', PAGE_MS))
web.search.fallback(() => ({ until: begin('searches', SEARCH_MS) }))
const upstream = await startFakeUpstream()
const model = scriptedModel()
upstream.fallback(({ body }) => {
  const answered = begin('turns', TURN_MS)
  // The service sent this body, so it has messages.
  return { pieces: [answered, model.answer(body.messages as readonly Message[])] }
})

const variables = {
  ...web.variables,
  SERVICE_UPSTREAM_BASE_URL: upstream.url,
  SERVICE_UPSTREAM_API_KEY: 'anything',
  SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
}

answer(
  (question: WebQuestion) => {
    if (question === 'variables') return variables
    const measured = times
    times = nothing()
    return measured
  },
  () => Promise.all([web.close(), upstream.close()]),
)
