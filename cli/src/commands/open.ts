// cowrie open: a screen of the app in the browser, or its address where there is none.
import type { Command } from '../command.ts'
import { UsageError } from '../wrong.ts'

/** The screens that stand by themselves. */
export const SCREENS: Readonly<Record<string, string>> = {
  home: '/app',
  agent: '/app/agent',
  runs: '/app/agent/runs',
  chat: '/app/chat',
  research: '/app/research',
  projects: '/app/projects',
  index: '/app/index',
  review: '/app/review',
  wallet: '/app/wallet',
  usage: '/app/usage',
  billing: '/app/billing',
  invoices: '/app/invoices',
  team: '/app/team',
  keys: '/app/keys',
  sessions: '/app/sessions',
  organisations: '/app/organisations',
  security: '/app/security',
  settings: '/app/settings',
  organisation: '/app/organisation',
  audit: '/app/audit',
  webhooks: '/app/webhooks',
}

export const open: Command = {
  name: 'open',
  usage: '[<screen>]',
  summary: 'Open the app in the browser, at a screen if one is named.',
  args: { min: 0, max: 1 },
  complete: Object.keys(SCREENS),
  isKeyless: true,
  async run({ args: [screen = 'home'], baseUrl, machine, out }) {
    const path = Object.hasOwn(SCREENS, screen) ? SCREENS[screen] : undefined
    if (path === undefined)
      throw new UsageError(`There is no screen "${screen}": ${Object.keys(SCREENS).join(', ')}.`)
    const url = `${baseUrl}${path}`
    // A program that reads this wants the address and no window.
    const opened = machine.isShown && !out.json && (await machine.openBrowser(url))
    out.result({ url, opened }, [url])
    if (machine.isShown && !opened) out.note('No browser could be opened; open the address yourself.')
  },
}
