export function convert(filters, cast) {
  for (const filter of filters) {
    const keys = Object.keys(filter).filter((key) => filter[key] != null)
    for (const key of keys) {
      if (typeof filter[key] === 'object') convert([filter[key]], cast)
      filter[key] = cast(filter[key])
    }
  }
}
