exports.trim = (text) => text.replace(/\s+$/, '') // ← here
