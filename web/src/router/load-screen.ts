// Loads the code, translations and styles of a screen together, and keeps them.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { problem } from '../data/failure.ts'
import type { ResourceState } from '../data/resource.ts'
import { loadTranslations } from '../i18n/load-translations.ts'
import { t } from '../i18n/t.ts'
import type { Params, Screen } from './screen.ts'

/** From the build: the style sheet of each area that has one. */
declare const STYLES: Readonly<Record<string, string>>

type View = ComponentType<Params>

const views = signal<ReadonlyMap<string, ResourceState<View>>>(new Map())

export function useScreen(screen: Screen): { view: ResourceState<View>; retry: () => void } {
  const view = views.value.get(screen.path) ?? { state: 'loading' }
  const retry = () => void open(screen)
  useEffect(() => {
    if (!views.peek().has(screen.path)) retry()
  }, [screen])
  return { view, retry }
}

async function open(screen: Screen): Promise<void> {
  put(screen, { state: 'loading' })
  try {
    const [{ default: View }] = await Promise.all([
      screen.load(),
      loadTranslations(screen.area),
      loadStyle(screen.area),
    ])
    put(screen, { state: 'ready', value: View })
  } catch (error) {
    // The network failed, or a newer build has replaced these files.
    if (!(error instanceof Error)) throw error
    const failure = problem(t('This screen could not be loaded. Check your network and try again.'), {
      code: 'screen_missing',
    })
    put(screen, { state: 'failed', failure })
  }
}

const put = (screen: Screen, view: ResourceState<View>): void => {
  views.value = new Map(views.peek()).set(screen.path, view)
}

const loadedStyles = new Map<string, Promise<void>>()

/** Resolves also when the style sheet fails: the screen works without it. */
export function loadStyle(area: string): Promise<void> {
  const href = STYLES[area]
  if (!href) return Promise.resolve()
  const before = loadedStyles.get(area)
  if (before) return before
  const wearing = new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
  loadedStyles.set(area, wearing)
  return wearing
}
