// A program with a screen, for tests in a real pseudo-terminal. The argument says how it ends.
import { openScreen } from '../src/terminal/screen.ts'

const [, , way = ''] = process.argv
const screen = await openScreen(process.stdin, process.stdout, {
  theme: 'dark',
  isPlain: false,
  history: { messages: [], add: () => undefined },
  complete: async () => [],
})
screen.setStatus(['a status that is longer than a narrow terminal', 'balance ₦4,210'])
screen.print(['ready'])
for (;;) {
  const message = await screen.readMessage()
  if (!message) break
  screen.print([`got ${message.text.length}: ${message.text.split('\n')[0]}`])
  if (message.text !== 'end') continue
  if (way === 'throw') throw new Error('a defect')
  if (way === 'exit') process.exit(3)
  process.kill(process.pid, way as NodeJS.Signals)
  await new Promise(() => setInterval(() => undefined, 1_000))
}
screen.close()
