// Texts about providers.
import type { Provider } from '@cowrie/sdk'
import { msg } from '../../i18n/t.ts'

export const WIRES: Readonly<Record<Provider['wire'], string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

export const HEALTH: Readonly<Record<Provider['health']['status'], readonly [words: string, chip: string]>> =
  {
    healthy: [msg('Healthy'), 'chip ok'],
    degraded: [msg('Degraded'), 'chip warn'],
    down: [msg('Down'), 'chip bad'],
    unknown: [msg('Not checked yet'), 'chip'],
    disabled: [msg('Disabled'), 'chip'],
  }
