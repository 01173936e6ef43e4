exports.trim = (text) => text.replace(/^\s+/, '')
