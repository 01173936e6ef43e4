// The guides of docs/guides, in the order of the navigation.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../../texts/language.ts'
import { type Block, parseMarkdown } from './markdown.ts'

const FOLDER = fileURLToPath(new URL('../../../../../../docs/guides/', import.meta.url))
/** The address in the sources. Readers see the address of the service that they use. */
export const WRITTEN_URL = 'http://127.0.0.1:8080'
export const QUICKSTART = 'quickstart'

export const GUIDE_TITLES = {
  'first-run': { en: 'First run', fr: 'Première exécution', sw: 'Uendeshaji wa kwanza', ar: 'أول تشغيل' },
  tools: { en: 'Use your tools', fr: 'Utiliser vos outils', sw: 'Tumia zana zako', ar: 'استخدم أدواتك' },
  'top-up': { en: 'Top up', fr: 'Recharger', sw: 'Ongeza salio', ar: 'اشحن الرصيد' },
  teams: { en: 'Teams and caps', fr: 'Équipes et plafonds', sw: 'Timu na vikomo', ar: 'الفرق والحدود' },
  budgets: { en: 'Budgets', fr: 'Budgets', sw: 'Bajeti', ar: 'الميزانيات' },
  webhooks: { en: 'Webhooks', fr: 'Webhooks', sw: 'Webhooks', ar: 'خطافات الويب' },
  ci: { en: 'Run in CI', fr: 'Exécuter en CI', sw: 'Endesha kwenye CI', ar: 'التشغيل في CI' },
  'self-hosting': {
    en: 'Host it yourself',
    fr: 'Héberger soi-même',
    sw: 'Endesha mwenyewe',
    ar: 'الاستضافة الذاتية',
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>
export type GuideName = keyof typeof GUIDE_TITLES
export const GUIDE_NAMES = Object.keys(GUIDE_TITLES) as GuideName[]

export function readGuide(name: string, baseUrl: string): Block[] {
  return parseMarkdown(readFileSync(`${FOLDER}${name}.md`, 'utf8').replaceAll(WRITTEN_URL, baseUrl))
}
