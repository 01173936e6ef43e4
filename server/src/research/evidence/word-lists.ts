// Word lists and word forms: negations, degrees, stop words, number names and stems.
import type { TextToken } from './tokens.ts'

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const NEGATIONS = toWordSet(
  `no not never none nobody nothing neither nor cannot without lack lacks lacked lacking fail fails failed unable
  hardly barely scarcely ne pas jamais aucun aucune sans rien non não nunca sem nem nenhum nenhuma sin ninguno nicht
  kein keine keinen nie ohne لا لم لن ليس ليست غير بدون دون hakuna hapana bila sio siyo`,
)
const MODALS = toWordSet(
  `may might could should would must can will shall ought likely unlikely possibly possible probably perhaps allegedly
  reportedly expected planned proposed peut peuvent pourrait pourraient doit doivent devrait devraient pode podem deve
  devem poderia puede pueden debe kann könnte muss soll قد ربما يجب يمكن سوف`,
)
const INCREASES = toWordSet(
  `more most above over exceed exceeds exceeded exceeding higher highest greater greatest larger largest bigger biggest
  increase increases increased increasing rise rises rose risen rising grow grows grew grown growing growth gain gains
  gained improve improves improved improving better best up faster fastest after maximum plus augmente augmenté hausse
  supérieur aumentou aumento maior mais أكثر ارتفع زاد أعلى`.replaceAll(/[أإآ]/g, 'ا'),
)
const DECREASES = toWordSet(
  `less least fewer fewest below under lower lowest smaller smallest decrease decreases decreased decreasing fall falls
  fell fallen falling drop drops dropped dropping decline declines declined declining shrink shrinks shrank lose loses
  lost loss worsen worsened worse worst down slower slowest before minimum moins diminue diminué baisse inférieur
  diminuiu queda menor menos أقل انخفض تراجع أدنى`.replaceAll(/[أإآ]/g, 'ا'),
)
const OTHER_DEGREES = toWordSet(
  `only almost nearly approximately about roughly exactly same equal first last both all every always mostly some half
  double twice triple quarter`,
)
const NUMBER_NAMES: ReadonlyMap<string, string> = new Map(
  [
    ...'zero one two three four five six seven eight nine ten eleven twelve'
      .split(' ')
      .map((name, value) => [name, value] as const),
    ...'deux trois quatre cinq sept huit neuf dix'
      .split(' ')
      .map((name, at) => [name, [2, 3, 4, 5, 7, 8, 9, 10][at] ?? 0] as const),
    ['fifteen', 15] as const,
    ['twenty', 20] as const,
    ['thirty', 30] as const,
    ['fifty', 50] as const,
  ].map(([name, value]) => [name, String(value)]),
)
const SCALES: ReadonlyMap<string, number> = new Map([
  ...['thousand', 'mille', 'mil', 'ألف'.replace('أ', 'ا')].map((name) => [name, 1e3] as const),
  ...['million', 'millions', 'mn', 'milhões', 'مليون'].map((name) => [name, 1e6] as const),
  ...['billion', 'billions', 'bn', 'milliard', 'milliards', 'مليار'].map((name) => [name, 1e9] as const),
  ...['trillion', 'trillions', 'tn'].map((name) => [name, 1e12] as const),
])
const HUNDREDS = toWordSet('hundred hundreds thousands dozen dozens')

const STOP_WORDS = toWordSet(
  `a an the and or but if then than that this these those there here it its it's he she they them their his her our we
  you your i is are was were be been being am has have had having do does did done of in on at by for from to into with
  as about also so such which who whom whose what when where why how while because between during through per via very
  just not no can could may might will would should must shall more most less least other some any each both all many
  much own same too one only over under up down out off again further once between against within according said says
  le la les un une des du de et ou mais que qui quoi dont où dans sur par pour avec est sont était été être a ont avait
  ce cet cette ces il elle ils elles se sa son ses leur leurs au aux en y ne pas plus o os as um uma dos das do da no na
  nos nas e em por para com é são foi ser que se el los las del y es son fue ser con en na ya wa za kwa ni katika hii
  hiyo هذا هذه ذلك التي الذي في من على الى عن مع ان كان كانت هو هي ما لا و او ثم قد كما بين بعد قبل der die das und
  oder ist sind war mit von zu im den dem ein eine`,
)

// Words that reports use for reporting. They add no information.
const REPORTING_WORDS = toWordSet(
  `about according account accounted accounting accounts actual actually addition additional additionally ainsi allow
  allowed allows almost alors also although amid among amount amounted amounts année années ano anos another answer
  approximately après around aussi autre autres avant average año años back based became become becomes before began
  begin begins begun being came case cases cerca chaque come comes comme common compare compared comparison comprend
  comprise comprises consist consists contain contained contains contrast contribute contributed correspond
  corresponds cover covered covers current currently data date dates day days depuis describe described describes
  despite detail details differ difference different differs dit document documents donc due durante during each
  earlier effect elle enable enabled encore entire entirely entre environ equal equals estimate estimated estimates
  even evidence exactly example examples exist existed exists fait figure figures find findings fois followed
  following follows font fonte fontes found four further gave general generally give given gives group groups happen
  happened happens however include included includes including indicate indicated indicates indique information
  instance instead involve involved involves keep keeps kept kind kinds known later latter lead leads led like locate
  located made main mainly make makes making mean meaning means meanwhile mention mentioned mentions mois month months
  moreover mostly même name named names nearly need needed needs new nombre notamment note noted notes now number
  numbers número offer offered offers often onde operate operated operates operating operation operations order
  originally overall part parts people per period place placed places plusieurs point points present provide provided
  provides put range ranged ranges rapport rate reach reached reaches reaching reason reasons recent recently record
  recorded records refer referred refers regarding relate related remain remained remains report reported reports
  represent represents require required requires respective respectively result results rough roughly run runs saw say
  saying second see seem seems seen segundo según selon serve served serves service services set several share show
  showed shown shows similar similarly since single size so-called source sources specific specifically stand stands
  start started starts state stated statement states still stood take taken takes también também tandis tell term
  terms thereby therefore third though three throughout thus time times today together told took total totalled totals
  toward towards trouve très turn turned two type types unit until upon use used user users uses using usually value
  values various was way ways week weeks well went whereas whether whole within work worked working works year years
  yet`,
)
/** A word that only reports, hedges or joins. Number names are compared elsewhere. */
export const isReportingWord = ({ norm }: TextToken): boolean =>
  REPORTING_WORDS.has(norm) ||
  STOP_WORDS.has(norm) ||
  NEGATIONS.has(norm) ||
  MODALS.has(norm) ||
  NUMBER_NAMES.has(norm) ||
  SCALES.has(norm) ||
  HUNDREDS.has(norm)

/** A word that negates. */
export const isNegation = ({ norm }: TextToken): boolean =>
  NEGATIONS.has(norm) || norm.endsWith("n't") || /^n'\p{L}/u.test(norm)
export const isIncrease = ({ norm }: TextToken): boolean => INCREASES.has(norm)
export const isDecrease = ({ norm }: TextToken): boolean => DECREASES.has(norm)
export const isSuperlative = ({ norm }: TextToken): boolean =>
  /^(?:most|least|best|worst|first|only)$|.{3}est$/.test(norm)
export const isStopWord = ({ norm }: TextToken): boolean => STOP_WORDS.has(norm)

/** A word that must not differ between a quote and its source. */
export const isSignificant = (token: TextToken): boolean =>
  token.kind === 'number' ||
  token.kind === 'sign' ||
  /\p{N}/u.test(token.norm) ||
  isNegation(token) ||
  isSuperlative(token) ||
  [MODALS, INCREASES, DECREASES, OTHER_DEGREES, HUNDREDS, NUMBER_NAMES, SCALES].some((words) =>
    words.has(token.norm),
  )

/** `two` is 2; undefined for other words. */
export const parseNumberName = ({ norm }: TextToken): string | undefined => NUMBER_NAMES.get(norm)
/** `million` is 1e6; undefined for other words. */
export const scaleOf = ({ norm }: TextToken): number | undefined => SCALES.get(norm)

/** A rough stem, enough to match `rising` with `rises`. */
export function stemOf(norm: string): string {
  const bare = norm.replace(/^(?:[ldjmtscn]|qu)'(?=\p{L})/u, '').replace(/'s?$/, '')
  if (/^\p{sc=Arabic}/u.test(bare)) return bare.length > 4 ? bare.replace(/^و?(?:ال|لل|بال)?/, '') : bare
  const single = bare.length > 4 ? bare.replace(/ies$/, 'y').replace(/([^su])s$/, '$1') : bare
  const root = single.length > 5 ? single.replace(/(?:ing|ed|ly)$/, '') : single
  return (root.length > 4 ? root.replace(/e$/, '') : root).replace(/([^aeiou])\1$/, '$1').replace(/z/g, 's')
}

/** Stems of the significant words; in scripts without spaces, every pair of adjacent characters. */
export function contentStems(tokens: readonly TextToken[]): Set<string> {
  const stems = tokens.flatMap((token, at) => {
    if (token.kind === 'word') return isStopWord(token) || token.norm.length < 2 ? [] : [stemOf(token.norm)]
    const next = tokens[at + 1]
    const isPair = token.kind === 'glyph' && next?.kind === 'glyph' && next.start === token.end
    return isPair ? [token.norm + next.norm] : []
  })
  return new Set(stems)
}
