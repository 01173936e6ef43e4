// Which release of the SDK this is. A test holds it against package.json.
export const SDK_VERSION = '0.4.0'
