// How long the name of a project may be.
export const NAME_MAX = 200
