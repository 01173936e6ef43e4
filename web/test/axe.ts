// What axe, which knows the rules for readers without eyes or hands, has against a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

/** Half way from one colour to another there is no contrast to speak of. */
const SETTLED =
  'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)'

const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }

/** Serious and critical violations, each with the elements that it is about; of all rules, or of those named. */
export async function axeFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(SOURCE)
  await page.evaluate(SETTLED)
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly: rules.length > 0 ? rules : RULES })}).then(({ violations }) => violations)`,
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
