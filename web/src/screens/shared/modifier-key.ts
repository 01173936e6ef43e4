/** The name on the modifier key of this platform. */
export const modifierName = (): string => (/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl')
