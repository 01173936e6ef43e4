// The run that ended last in this page, so that its result is shown without being sent a second time.
import { signal } from '@preact/signals'
import type { Shown } from './shown.ts'

export const latest = signal<{ owner: string; shown: Shown } | null>(null)
