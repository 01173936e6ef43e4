// Detects the language of a text by its most common words, if the page does not declare it.

const SAMPLE_CHARACTERS = 20_000
/** A smaller share is not significant. */
const SHARE_MIN = 0.08
const WORDS_MIN = 8

export const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to in is that for it with as was on are by this be at from or which',
  fr: 'le la les des et est dans une pour que qui sur pas au avec ce sont du par plus aux',
  pt: 'de que não uma os para com em um do da dos das no na por mais são foi pelo ao',
  es: 'el los las que una para con del por es se en más como pero su al fue son está',
  de: 'der die und das ist nicht ein eine mit von zu den dem im für auf sich des auch',
  sw: 'ya na wa kwa ni katika za la kuwa hii cha kama au hiyo watu pia huo hilo wake yake',
  ha: 'da na ya ta a an ba wannan domin don cikin kuma mai su ne ce shi daga kan wata',
}
const LANGUAGES_BY_WORD = indexByWord()

/** The declared language as its primary tag (`pt-BR` is `pt`), otherwise the detected one, otherwise null. */
export function detectLanguage(text: string, claimed: string | null): string | null {
  const tag = /^[a-z]{2,3}(?=[-_]|$)/i.exec(claimed?.trim() ?? '')?.[0].toLowerCase()
  return tag ?? languageByWords(text.slice(0, SAMPLE_CHARACTERS))
}

function languageByWords(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length < WORDS_MIN) return null
  if (words.filter((word) => /^\p{Script=Arabic}/u.test(word)).length > words.length / 2) return 'ar'
  const counts = new Map<string, number>()
  for (const word of words)
    for (const language of LANGUAGES_BY_WORD.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1)
  const [best] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return best && best[1] >= words.length * SHARE_MIN ? best[0] : null
}

function indexByWord(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(COMMON_WORDS))
    for (const word of words.split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
  return languages
}
