// The sentences of errors in other languages than English.
import type { ApiError, ErrorCode } from '../../../kernel/errors.ts'
import { ERRORS } from '../../../kernel/errors.ts'
import type { Language } from '../language.ts'
import { translated } from '../texts.ts'
import { AR } from './ar.ts'
import { FR } from './fr.ts'
import { SW } from './sw.ts'

const BY_CODE: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<ErrorCode, string>>>> = {
  fr: FR,
  sw: SW,
  ar: AR,
}

/** The sentence of the code, or the more specific one that was thrown. Texts of others, such as a model provider, stay as they are. */
export function errorSentence(language: Language, { code, message }: ApiError): string {
  if (language === 'en') return message
  return message === ERRORS[code].message ? BY_CODE[language][code] : translated(language, message)
}
