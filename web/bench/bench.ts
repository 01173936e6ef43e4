// `npm run bench:web`: transfer sizes and load times of the app, compared with our limits.
import { openBrowser } from '../test/browser.ts'
import { openEnvironment } from './environment.ts'
import { lighthouse } from './lighthouse.ts'
import { NETWORKS, type Visit, visits } from './networks.ts'
import { seed } from './seed.ts'
import { languageBytes, partStyles, screenBytes, shellBytes } from './sizes.ts'

const KILOBYTE = 1_000
const SIGN_IN_MAX = 45 * KILOBYTE
const HOME_MAX = 60 * KILOBYTE
const SCREEN_MAX = 25 * KILOBYTE
const LANGUAGE_MAX = 12 * KILOBYTE
const SHIFT_MAX = 0.02

let missed = 0
const line = (name: string, value: string, isMet = true): void => {
  if (!isMet) missed++
  process.stdout.write(`${isMet ? '  ' : '!!'} ${name.padEnd(44)} ${value}\n`)
}
const kB = (bytes: number): string => `${(bytes / KILOBYTE).toFixed(1)} kB`
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`

process.stdout.write('On the wire, brotli: HTML, styles and scripts\n')
const shell = shellBytes()
const own = screenBytes()
const styles = partStyles()
const ownOf = (path: string) =>
  (own.get(path) ?? 0) + (styles.get(path === '/app' ? 'home' : (path.split('/')[2] ?? '')) ?? 0)
line('every first visit', kB(shell))
line(
  `sign-in (at most ${kB(SIGN_IN_MAX)})`,
  kB(shell + ownOf('/app/sign-in')),
  shell + ownOf('/app/sign-in') <= SIGN_IN_MAX,
)
line(`home (at most ${kB(HOME_MAX)})`, kB(shell + ownOf('/app')), shell + ownOf('/app') <= HOME_MAX)
for (const path of [...own.keys()].sort((a, b) => ownOf(b) - ownOf(a)).slice(0, 8))
  line(`${path} adds`, kB(ownOf(path)), ownOf(path) <= SCREEN_MAX)
const [largest = ['none', 0]] = [...languageBytes()].sort((a, b) => b[1] - a[1])
line(`largest piece of a language: ${largest[0]}`, kB(largest[1]), largest[1] <= LANGUAGE_MAX)

const place = await openEnvironment()
const browser = await openBrowser()
try {
  await seed(place.origin)
  for (const network of NETWORKS) {
    process.stdout.write(
      `\n${network.name} (${network.kbps} kbps, ${network.latencyMs} ms, a quarter of this machine)\n`,
    )
    const { stranger, member, again } = await visits(browser, place.origin, network)
    say('sign-in', stranger, network.usableMs)
    say('home', member, network.usableMs)
    say('home again', again, network.usableMs)
  }
  process.stdout.write('\nLighthouse, as on a phone, median of three\n')
  const marks = lighthouse(`${place.origin}/app/sign-in`)
  if (marks === null) line('could not be run here', '', false)
  else {
    line('performance (at least 95)', String(marks.performance), marks.performance >= 95)
    line('accessibility (100)', String(marks.accessibility), marks.accessibility === 100)
    line('best practices (100)', String(marks.bestPractices), marks.bestPractices === 100)
  }
} finally {
  await browser.close()
  await place.close()
}
process.stdout.write(missed === 0 ? '\nEvery bar is met.\n' : `\n${missed} bars are missed.\n`)

function say(name: string, { paintedMs, usableMs, bytes, requests, shift }: Visit, most: number): void {
  line(
    name,
    `painted ${seconds(paintedMs)}, usable ${seconds(usableMs)}, ${kB(bytes)} in ${requests} requests, shift ${shift.toFixed(3)}`,
    usableMs <= most && shift <= SHIFT_MAX,
  )
}
