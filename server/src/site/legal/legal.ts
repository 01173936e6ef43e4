// The legal texts of a language. The type makes a missing section a compile error.
import type { Language } from '../../platform/texts/language.ts'
import { arLegal } from './ar.ts'
import { enLegal, type LegalTexts } from './en.ts'
import { frLegal } from './fr.ts'
import { swLegal } from './sw.ts'

export type { LegalDocument } from './en.ts'
export type LegalName = keyof LegalTexts
export const LEGAL: Readonly<Record<Language, LegalTexts>> = {
  en: enLegal,
  fr: frLegal,
  sw: swLegal,
  ar: arLegal,
}

/** The date of the texts. Change it with them. */
export const LEGAL_DATE = new Date(Date.UTC(2026, 10, 18))
