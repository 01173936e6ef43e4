// How long a campaign runs: short in `npm test`, whole in `npm run soak`.

/** Whether this is `npm run soak`. */
export const isSoak = process.env.SOAK === '1'

/** The number of rounds of a test that repeats itself. */
export const rounds = (inTest: number, inSoak: number): number => (isSoak ? inSoak : inTest)
