// Opens a page in the browser when the user presses Enter, while the command waits for something else.
import type { Context } from '../command.ts'

export function openOnEnter(context: Context, url: string): void {
  if (!hasBrowser(context)) return
  const { ask, out, machine } = context
  out.note('Press Enter to open it in your browser.')
  const open = async () => {
    if ((await ask.line('')) === null) return
    if (!(await machine.openBrowser(url))) out.warn('No browser could be opened. Open the address yourself.')
  }
  // The command ended, or the input cannot be read. The address is still on the screen.
  open().catch(() => undefined)
}

/** Whether the user is at this computer and it has a display. */
function hasBrowser({ env, out, ask }: Context): boolean {
  if (!ask.isPossible || out.mode.quiet || env.SSH_CONNECTION || env.SSH_TTY) return false
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}
