// The abilities of a terminal, as far as its environment names them.

export type Abilities = {
  /** Links of OSC 8. */
  readonly hasLinks: boolean
  /** Frames that appear at once. Terminals without it ignore the code. */
  readonly isSynchronized: boolean
  /** Old rows are wrapped again when the window changes. */
  readonly reflows: boolean
  readonly hasTitle: boolean
  /** A remote terminal: fewer frames. */
  readonly isRemote: boolean
  readonly isUnicode: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const LINKING_PROGRAMS = /^(?:iTerm\.app|WezTerm|ghostty|vscode|Hyper|rio)$/
const LINKING_TERMS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/
/** The first version of VTE with links that work. */
const VTE_WITH_LINKS = 5_002
const TITLED = /^(?:xterm|rxvt|alacritty|foot|tmux|screen|konsole|vte|gnome|putty|wezterm|contour|st-)/

export function abilitiesOf(env: Environment): Abilities {
  const { TERM = '', TMUX, TERM_PROGRAM = '' } = env
  const isMultiplexed = Boolean(TMUX) || TERM.startsWith('screen')
  return {
    hasLinks:
      !isMultiplexed &&
      (LINKING_PROGRAMS.test(TERM_PROGRAM) ||
        LINKING_TERMS.test(TERM) ||
        Number(env.VTE_VERSION ?? 0) >= VTE_WITH_LINKS ||
        Boolean(env.WT_SESSION) ||
        Boolean(env.KONSOLE_VERSION)),
    isSynchronized: TERM !== 'linux' && !(TERM.startsWith('screen') && !TMUX),
    reflows: !env.XTERM_VERSION && TERM !== 'linux' && !(TERM.startsWith('screen') && !TMUX),
    hasTitle: TITLED.test(TERM),
    isRemote: Boolean(env.SSH_CONNECTION || env.SSH_TTY),
    isUnicode: !/^(?:C|POSIX)$/.test(env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8'),
  }
}
