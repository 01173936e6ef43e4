// The release of the SDK. A test compares it with package.json.
export const SDK_VERSION = '0.4.0'
