// A page that Enter shows in the browser of this computer, while something else is waited for. Nobody has to press it.
import type { Context } from './command.ts'

export function openAtEnter(context: Context, url: string): void {
  if (!hasBrowser(context)) return
  const { ask, out, machine } = context
  out.note('Press Enter to open it here.')
  const open = async () => {
    if ((await ask.line('')) === null) return
    if (!(await machine.openBrowser(url))) out.warn('No browser could be opened; open the address yourself.')
  }
  // The command has ended meanwhile, or the input cannot be read: the address stands on the screen.
  open().catch(() => undefined)
}

/** Somebody sits here, and a window could be shown to them. */
function hasBrowser({ env, out, ask }: Context): boolean {
  if (!ask.isPossible || out.manner.quiet || env.SSH_CONNECTION || env.SSH_TTY) return false
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}
