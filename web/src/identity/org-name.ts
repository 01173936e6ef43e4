/** A person's own organisation carries their address as its name until they give it another. */
export const orgNameFor = (me: { email: string } | null, name: string): string =>
  name === me?.email ? 'Personal' : name
