// A stranger's words in our mail: the name of an organisation, of a program, of a key.

/** The words, without what mail programs make links of: whoever trusts our mail must not be led elsewhere by it. */
export const withoutAutoLinks = (words: string): string =>
  words.replace(/(?<=\S)[./:@。．｡․／：＠](?=\S)/gu, ' ')
