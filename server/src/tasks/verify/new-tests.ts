// Whether new tests count: whether their text compares something, and whether they are all that was asked for.

const ASSERTION =
  /\b(assert\w*|expect\w*|should|ensure|verify\w*|require\.\w+|t\.(Error|Errorf|Fatal|Fatalf|is|deepEqual|truthy|equal\w*|same|ok|throws\w*)|raises|panic|fail\w*|check\w*|toBe\w*|toEqual\w*)\b/i
/** Words of assertions themselves, and constants. */
const VACUOUS =
  /^(assert\w*|expect\w*|should|to|be|equals?|strict\w*|deep\w*|not|is|ok|true|false|null|none|nil|undefined|self|this|t|it|test\w*|tobe\w*|toequal\w*|totruthy|tobetruthy|a|an|the|require|verify|check|fail\w*|pass|static|return|const|let|var|def|fn|func|function|async|await|strictequal|deepequal|assertions?|notequal|py|unittest|node|import|from|eq|ne|ensure)$/i

/** At least one assertion about the result of something other than constants. */
export function hasAssertion(text: string): boolean {
  const lines = text
    .slice(0, 400_000)
    // Arguments may start on the next line.
    .replace(/\([ \t]*\n\s*/g, '(')
    .split('\n')
    .map((line) => line.slice(0, 1_000))
  // Go compares in a condition before it reports.
  const hasCondition = lines.some((line) => GO_CONDITION.test(line))
  return lines.some(
    (line) =>
      ASSERTION.test(line) &&
      isAboutSomething(line) &&
      (GO_REPORT.test(line) ? hasCondition : isTelling(line)),
  )
}

const GO_REPORT = /^\s*t\.(Error|Fatal)f?\(/
const GO_CONDITION = /\bif\b[^\n]*(?:[=!]=(?!\s*nil\b)|[<>]|![\w.]+\()/

function isAboutSomething(line: string): boolean {
  if (/^\s*(import|from|use|using|const \w+ = require|#include|\/\/|#)/.test(line)) return false
  const code = line.replace(STRINGS, ' ')
  return (code.match(/[A-Za-z_]\w*/g) ?? []).some((word) => !VACUOUS.test(word))
}

const STRINGS = /(["'`])(?:(?!\1).){0,200}\1/g
/** These hold for any result. */
const EXISTENCE =
  /\btypeof\b|\binstanceof\b|\bisinstance\(|\bhasattr\(|\bcallable\(|\bArray\.isArray\(|\btoBe(Defined|InstanceOf|TypeOf|Truthy)\b|\b(is|!==?)[ ]*(not[ ]+)?(None|null|undefined|nil)\b|\b(assert)?(Is)?Not_?(None|Null|Nil|Undefined)\b|\bassertIsInstance\b|\bdoesNotThrow\b|\bnot\.toThrow\b|\bassertDoesNotThrow\b|\btoHaveProperty\([^,]*\)/i
const SAME_SIDES = [
  /\b\w*(?:equal|same|is|eq)\w*!?\(\s*([^\s,][^\n]{0,300}?)\s*,\s*\1\s*\)/i,
  /\bexpect\(([^\n]{1,300}?)\)\.\w+\(\1\)/,
  /\bassert\s+([^\n]{1,300}?)\s*==\s*\1\s*$/,
]
const TRUTHY = /\b(?:ok|assert|assert_true|assertTrue|assert!|truthy|True)\s*(?:\(|\s)\s*([^\n]{1,500})$/
const COMPARES = /[=!]==?|[<>]|\b(?:in|is|not|and|or)\b|!/
const PREDICATE =
  /\b(?:is|has|have|can|are|was|should|may|must|does|did|match\w*|valid\w*|equals?|same|contains?|includes?|empty|starts?|ends?|every|some|all|any|allows?|accepts?|exists?|supports?|overlaps?|deepEqual)(?:[A-Z_(]|with\b)/i

/** Whether a wrong result could fail it. */
function isTelling(line: string): boolean {
  if (EXISTENCE.test(line) || SAME_SIDES.some((pattern) => pattern.test(line))) return false
  const code = line.replace(STRINGS, ' ')
  const truthy = TRUTHY.exec(code)?.[1]
  if (truthy === undefined || /\b(?:equal|Equal|throws|rejects|match)\w*\(/.test(code)) return true
  return COMPARES.test(truthy) || PREDICATE.test(truthy)
}

const ABOUT_TESTS = /\b(tests?|testing|tested|coverage|specs?)\b/i
const ABOUT_PROGRAM =
  /\b(fix\w*|bugs?|wrong\w*|breaks?|broken|crash\w*|fail\w*|instead|implement\w*|support\w*|refactor\w*|rename\w*|remove\w*|correct\w*|repair\w*|then|so that|make|change|update)\b/i

/** Whether a request asks for tests and nothing else. In doubt it does not: then new tests must notice a change. */
export function asksOnlyForTests(request: string): boolean {
  const sentences = request
    .slice(0, 20_000)
    .split(/(?<=[.!?:;])\s+|\n+/)
    .filter((sentence) => (sentence.match(/\p{L}{2,}/gu) ?? []).length > 2)
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => ABOUT_TESTS.test(sentence) && !ABOUT_PROGRAM.test(sentence))
  )
}
