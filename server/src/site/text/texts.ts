// The texts of a language. The type makes a missing text a compile error.
import type { Language } from '../../platform/texts/language.ts'
import { ar } from './ar.ts'
import { en, type SiteTexts } from './en.ts'
import { fr } from './fr.ts'
import { sw } from './sw.ts'

export type { SiteTexts } from './en.ts'
export const TEXTS: Readonly<Record<Language, SiteTexts>> = { en, fr, sw, ar }
