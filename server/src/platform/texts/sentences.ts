// The form of a catalogue.

export type Translations = readonly [fr: string, sw: string, ar: string]

/** By English sentence. */
export type Sentences = Readonly<Record<string, Translations>>
