// cowrie open: opens a screen of the app in the browser, or prints its address.
import type { Command } from '../../command.ts'
import { UsageError } from '../../errors.ts'

/** Screens that need no id. */
export const SCREENS: Readonly<Record<string, string>> = {
  home: '/app',
  tasks: '/app/tasks',
  agent: '/app/tasks/new',
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
  summary: 'Open the app in the browser, optionally at a screen.',
  args: { min: 0, max: 1 },
  complete: Object.keys(SCREENS),
  isKeyless: true,
  async run({ args: [screen = 'home'], baseUrl, machine, out }) {
    const path = Object.hasOwn(SCREENS, screen) ? SCREENS[screen] : undefined
    if (path === undefined)
      throw new UsageError(`Unknown screen "${screen}". Screens: ${Object.keys(SCREENS).join(', ')}.`)
    const url = `${baseUrl}${path}`
    // With --json, print the address and open nothing.
    const opened = machine.isStdoutTerminal && !out.json && (await machine.openBrowser(url))
    out.result({ url, opened }, [url])
    if (machine.isStdoutTerminal && !opened)
      out.note('No browser could be opened. Open the address yourself.')
  },
}
