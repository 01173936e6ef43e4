// cowrie completion: what a shell needs to offer the words that fit, and the question it asks at each Tab.
import { type Command, textOf } from '../command.ts'
import { isRemote, offersOf, REMOTES, refresh } from '../completion/offers.ts'
import { isShell, SCRIPTS } from '../completion/scripts.ts'
import { type Word, wantedAt } from '../completion/wanted.ts'
import { plain } from '../terminal/line.ts'
import { UsageError } from '../wrong.ts'

const SHELLS = Object.keys(SCRIPTS)
const WORDS_MAX = 1000

/** For these commands; their list has this one too, so it is handed in. */
export function completionOf(commands: () => readonly Command[]): readonly Command[] {
  return [completion, completeFor(commands)]
}

const completion: Command = {
  name: 'completion',
  usage: `<${SHELLS.join('|')}>`,
  summary: 'Print what your shell needs to complete commands with Tab.',
  args: { min: 1, max: 1 },
  complete: SHELLS,
  isKeyless: true,
  async run({ args: [shell = ''], out }) {
    if (!isShell(shell)) throw new UsageError(`There is no completion for "${shell}": ${SHELLS.join(', ')}.`)
    out.raw(SCRIPTS[shell])
  },
}

const completeFor = (commands: () => readonly Command[]): Command => ({
  name: '__complete',
  usage: '-- <words>',
  summary: 'The words that fit the end of a line, for shells.',
  args: { min: 0, max: WORDS_MAX },
  hidden: true,
  isKeyless: true,
  options: {
    refresh: { type: 'string', placeholder: `<${REMOTES.join('|')}>`, summary: 'Learn these anew.' },
  },
  async run(context) {
    const { values, args, out } = context
    const from = textOf(values, 'refresh')
    if (from !== undefined) {
      if (isRemote(from)) await refresh(context, from)
      return
    }
    const wanted = wantedAt(args, commands())
    for (const word of wanted.words) out.raw(lineOf(word))
    if (wanted.from === 'files' || wanted.from === 'folders') out.raw(`:${wanted.from}\n`)
    else if (typeof wanted.from === 'string')
      for (const word of await offersOf(context, wanted.from))
        if (word.word.startsWith(wanted.begin)) out.raw(lineOf(word))
  },
})

const lineOf = ({ word, summary }: Word): string =>
  `${plain(word)}${summary === undefined ? '' : `\t${plain(summary)}`}\n`
