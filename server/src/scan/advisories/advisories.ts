// The advisories that the operator supplies: a file or a folder in the OSV format. They are read in the background and again when
// a file changes, so that no scan waits for more than the first reading.
import { stat } from 'node:fs/promises'
import type { AdvisoryIndex } from '@cowrie/analysis/advisories/osv.ts'
import type { App } from '../../platform/app.ts'
import { listAdvisoryFiles, readAdvisories } from './read-advisories.ts'

type Loaded = { readonly index: AdvisoryIndex; readonly mark: string }
type State = { loading: Promise<Loaded> | null; checkedAtMs: number }

const CHECK_EVERY_MS = 60_000
const states = new WeakMap<App['config'], State>()

/** Null without advisories. */
export async function loadAdvisories(app: Pick<App, 'config' | 'log'>): Promise<AdvisoryIndex | null> {
  const { advisories: place } = app.config
  if (place === null) return null
  const state = states.get(app.config) ?? { loading: null, checkedAtMs: 0 }
  states.set(app.config, state)
  if (state.loading === null) {
    state.checkedAtMs = performance.now()
    state.loading = load(app, place)
  } else if (performance.now() - state.checkedAtMs > CHECK_EVERY_MS) {
    state.checkedAtMs = performance.now()
    refresh(app, place, state, state.loading)
  }
  return (await state.loading).index
}

/** Scans use the earlier advisories until the new ones are read. */
function refresh(app: Pick<App, 'log'>, place: string, state: State, current: Promise<Loaded>): void {
  const check = async () => {
    const files = await listAdvisoryFiles(place)
    if ((await markOf(files)) !== (await current).mark)
      state.loading = Promise.resolve(await load(app, place))
  }
  check().catch((error: unknown) => app.log.warn({ err: error, place }, 'scan.advisories.read_failed'))
}

async function load(app: Pick<App, 'log'>, place: string): Promise<Loaded> {
  try {
    const files = await listAdvisoryFiles(place)
    const mark = await markOf(files)
    const { index, records, unreadable } = await readAdvisories(files)
    app.log.info({ place, files: files.length, records, packages: index.size }, 'scan.advisories.loaded')
    if (unreadable.length > 0)
      app.log.warn({ place, count: unreadable.length, first: unreadable[0] }, 'scan.advisories.unreadable')
    return { index, mark }
  } catch (error) {
    app.log.warn({ err: error, place }, 'scan.advisories.read_failed')
    return { index: new Map(), mark: '' }
  }
}

/** Differs after a change of any file. */
async function markOf(files: readonly string[]): Promise<string> {
  let latest = 0
  let bytes = 0
  for (const file of files) {
    const { mtimeMs, size } = await stat(file)
    latest = Math.max(latest, mtimeMs)
    bytes += size
  }
  return `${files.length} ${latest} ${bytes}`
}
