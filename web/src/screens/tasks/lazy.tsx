// A component whose code is loaded when it is first shown.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { problem } from '../../data/failure.ts'
import type { ResourceState } from '../../data/resource.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const view = signal<ResourceState<ComponentType<P>>>({ state: 'loading' })
  async function open(): Promise<void> {
    try {
      view.value = { state: 'ready', value: await load() }
    } catch (error) {
      // The network failed, or a newer build has replaced the file.
      if (!(error instanceof Error)) throw error
      const text = t('This part could not be loaded. Check your network and try again.')
      view.value = { state: 'failed', failure: problem(text, { code: 'screen_missing' }) }
    }
  }
  return function Lazy(props: P) {
    useEffect(() => {
      if (view.peek().state !== 'ready') void open()
    }, [])
    const current = view.value
    if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={open} />
    if (current.state === 'loading') return <span class="blank lazy-place" aria-busy="true" />
    const View = current.value
    return <View {...props} />
  }
}
