// Whether the text of new tests compares something.

const ASSERTION =
  /\b(assert\w*|expect\w*|should|ensure|verify\w*|require\.\w+|t\.(Error|Errorf|Fatal|Fatalf|is|deepEqual|truthy|equal\w*|same|ok|throws\w*)|raises|panic|fail\w*|check\w*|toBe\w*|toEqual\w*)\b/i
/** Words of assertions themselves, and constants. */
const VACUOUS =
  /^(assert\w*|expect\w*|should|to|be|equals?|strict\w*|deep\w*|not|is|ok|true|false|null|none|nil|undefined|self|this|t|it|test\w*|tobe\w*|toequal\w*|totruthy|tobetruthy|a|an|the|require|verify|check|fail\w*|pass|static|return|const|let|var|def|fn|func|function|async|await|strictequal|deepequal|assertions?|notequal|py|unittest|node|import|from|eq|ne|ensure)$/i

/** At least one assertion about something other than constants. */
export const hasAssertion = (text: string): boolean =>
  text
    .slice(0, 400_000)
    // Arguments may start on the next line.
    .replace(/\([ \t]*\n\s*/g, '(')
    .split('\n')
    .some((line) => ASSERTION.test(line) && isAboutSomething(line.slice(0, 1_000)))

function isAboutSomething(line: string): boolean {
  if (/^\s*(import|from|use|using|const \w+ = require|#include|\/\/|#)/.test(line)) return false
  const code = line.replace(/(["'`])(?:(?!\1).){0,200}\1/g, ' ')
  return (code.match(/[A-Za-z_]\w*/g) ?? []).some((word) => !VACUOUS.test(word))
}
