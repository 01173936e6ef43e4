// Accessibility violations that axe finds on a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

/** During a colour transition there is no meaningful contrast. */
const SETTLED =
  'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)'

const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }
const CONTRAST = 'color-contrast'

/** Everything that the contrast of a text depends on: colour, size, weight, background and whether it is enabled. */
const LOOK_OF = `(element) => {
  const grounds = []
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(at)
    const ground = [backgroundColor, backgroundImage, opacity, position].join()
    if (ground !== 'rgba(0, 0, 0, 0),none,1,static') grounds.push(ground)
  }
  const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
  const isDisabled = Boolean(
    element.closest(':disabled, [aria-disabled=true]') ?? element.closest('label')?.control?.disabled,
  )
  return JSON.stringify([color, fontSize, fontWeight, textShadow, isDisabled, grounds])
}`

/** The different text styles on the page. */
const LOOKS = `(() => {
  const hasText = (element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim())
  const texts = [...document.querySelectorAll('body, body *')]
    .filter((element) => hasText(element) && element.checkVisibility())
  return [...new Set(texts.map(${LOOK_OF}))]
})()`

/** Text styles with enough contrast according to axe. Measuring contrast takes longer than all other rules. */
const known = new Set<string>()

/** Serious and critical violations of all rules, with their elements. */
export const axeFaults = (page: Page): Promise<string[]> => faultsOf(page, true)

/** Texts with too little contrast. */
export const contrastFaults = (page: Page): Promise<string[]> => faultsOf(page, false)

async function faultsOf(page: Page, everyRule: boolean): Promise<string[]> {
  await page.evaluate(SETTLED)
  const looks = await page.evaluate<string[]>(LOOKS)
  const isKnown = !isSoak && looks.every((look) => known.has(look))
  if (isKnown && !everyRule) return []
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE)
  const { violations, undecided } = await page.evaluate<{ violations: Violation[]; undecided: string[] }>(
    runWith({
      resultTypes: ['violations', 'incomplete'],
      elementRef: true,
      preload: false,
      runOnly: everyRule ? RULES : [CONTRAST],
      rules: isKnown ? { [CONTRAST]: { enabled: false } } : {},
    }),
  )
  if (!violations.some(({ id }) => id === CONTRAST))
    for (const look of looks) if (!undecided.includes(look)) known.add(look)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

/** `undecided`: text styles that axe could not measure, such as those below a dialog. */
const runWith = (options: object): string => `axe.run(document, ${JSON.stringify(options)}).then(
  ({ violations, incomplete }) => ({
    violations: violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    })),
    undecided: incomplete
      .filter(({ id }) => id === '${CONTRAST}')
      .flatMap(({ nodes }) => nodes.map(({ element }) => (${LOOK_OF})(element))),
  }),
)`
