// cowrie completion: the shell scripts, and the hidden command that they call at each Tab.
import { type Command, textOf } from '../../command.ts'
import { isRemote, REMOTES, refresh, valuesFor } from '../../completion/cached-values.ts'
import { completionAt, type Word } from '../../completion/parse-line.ts'
import { isShell, SCRIPTS } from '../../completion/scripts.ts'
import { UsageError } from '../../errors.ts'
import { plain } from '../../terminal/line.ts'

const SHELLS = Object.keys(SCRIPTS)
const WORDS_MAX = 1000

/** The command list contains this command, so it is passed in. */
export function completionOf(commands: () => readonly Command[]): readonly Command[] {
  return [completion, completeFor(commands)]
}

const completion: Command = {
  name: 'completion',
  usage: `<${SHELLS.join('|')}>`,
  summary: 'Print the completion script for your shell.',
  args: { min: 1, max: 1 },
  complete: SHELLS,
  isKeyless: true,
  async run({ args: [shell = ''], out }) {
    if (!isShell(shell)) throw new UsageError(`No completion for "${shell}". Shells: ${SHELLS.join(', ')}.`)
    out.raw(SCRIPTS[shell])
  },
}

const completeFor = (commands: () => readonly Command[]): Command => ({
  name: '__complete',
  usage: '-- <words>',
  summary: 'Completions for the end of a line, for shells.',
  args: { min: 0, max: WORDS_MAX },
  hidden: true,
  isKeyless: true,
  options: {
    refresh: {
      type: 'string',
      placeholder: `<${REMOTES.join('|')}>`,
      summary: 'Refresh these cached values.',
    },
  },
  async run(context) {
    const { values, args, out } = context
    const from = textOf(values, 'refresh')
    if (from !== undefined) {
      if (isRemote(from)) await refresh(context, from)
      return
    }
    const wanted = completionAt(args, commands())
    for (const word of wanted.words) out.raw(lineOf(word))
    if (wanted.from === 'files' || wanted.from === 'folders') out.raw(`:${wanted.from}\n`)
    else if (typeof wanted.from === 'string')
      for (const word of await valuesFor(context, wanted.from))
        if (word.word.startsWith(wanted.begin)) out.raw(lineOf(word))
  },
})

const lineOf = ({ word, summary }: Word): string =>
  `${plain(word)}${summary === undefined ? '' : `\t${plain(summary)}`}\n`
