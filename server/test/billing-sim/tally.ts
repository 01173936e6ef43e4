// What happened, counted.

export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string, by = 1): void {
    this.#counts.set(what, this.of(what) + by)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  get lines(): string[] {
    const groups = Map.groupBy([...this.#counts].sort(), ([what]) => what.split(' ')[0] ?? '')
    return [...groups].map(
      ([group, counts]) =>
        `${group}: ${counts.map(([what, count]) => `${what.slice(group.length + 1) || group} ${count}`).join(', ')}`,
    )
  }
}
