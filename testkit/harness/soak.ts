// The length of long-running tests: short in `npm test`, full in `npm run soak`.

/** Whether this is `npm run soak`. */
export const isSoak = process.env.SOAK === '1'

/** The number of rounds of a repeating test. */
export const rounds = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest)

/** Every n-th of a list in `npm test`, all in the soak. */
export const everyNth = <T>(all: readonly T[], n: number): readonly T[] =>
  isSoak ? all : all.filter((_, i) => i % n === 0)
